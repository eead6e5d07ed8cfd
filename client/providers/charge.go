package providers

import (
	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Charge is one item of the costs of a payment. The customer pays those in Info.ConsumerCharges, and the merchant
// those in Info.MerchantCharges.
type Charge struct {
	Type        ChargeType   `json:"type,omitzero"`        // the kind of charge
	Amount      Amount       `json:"amount,omitzero"`      // in the currency of the order
	Description string       `json:"description,omitzero"` // for people
	Extra       client.Extra `json:",embed"`
}

// ChargeType is the kind of a charge.
type ChargeType string

// The values of ChargeType.
const (
	ChargeTypeProcessingFee      ChargeType = "payment_processing_fee" // a part of the amount, for the payment
	ChargeTypeCostPerTransaction ChargeType = "cost_per_transaction"   // equal for each transaction
	ChargeTypeFinancingCost      ChargeType = "financing_cost"         // for installments
	ChargeTypeTax                ChargeType = "tax"                    // for the tax authorities
	ChargeTypeOther              ChargeType = "other"                  // see the description
)

// Known reports whether the contract names the value.
func (t ChargeType) Known() bool {
	return wire.Known(t,
		ChargeTypeProcessingFee, ChargeTypeCostPerTransaction, ChargeTypeFinancingCost, ChargeTypeTax, ChargeTypeOther,
	)
}

// ConsumerDiscount is one item of the provider's discounts for the customer.
type ConsumerDiscount struct {
	Type        DiscountType `json:"type,omitzero"`        // DiscountTypeOther
	Amount      Amount       `json:"amount,omitzero"`      // in the currency of the order
	Description string       `json:"description,omitzero"` // for people
	Extra       client.Extra `json:",embed"`
}

// DiscountType is the kind of a discount.
type DiscountType string

// DiscountTypeOther is the only DiscountType. The platform answers 400 to any other.
const DiscountTypeOther DiscountType = "other"

// Known reports whether the contract names the value.
func (t DiscountType) Known() bool { return t == DiscountTypeOther }

func checkCharge(field string, c Charge) error {
	if !c.Type.Known() {
		return engine.Invalid(field+".type", c.Type, "a type of charge of the contract")
	}
	return checkItem(field, c.Amount)
}

func checkDiscount(field string, d ConsumerDiscount) error {
	if !d.Type.Known() {
		return engine.Invalid(field+".type", d.Type, "other")
	}
	return checkItem(field, d.Amount)
}

// checkItem applies the rules for the amount of a charge or a discount.
func checkItem(field string, a Amount) error {
	if !wire.IsCode(a.Currency, 3) {
		return engine.Invalid(field+".amount.currency", a.Currency, "an ISO 4217 code")
	}
	return checkValue(field+".amount.value", a.Value)
}
