package providers

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// InstallmentRules define the installments in which a purchase by credit card may be paid.
type InstallmentRules struct {
	Specification []InstallmentOption `json:"specification"` // at least one
	// MinInstallmentValue is the minimum of one installment, by currency. A currency without an item has no minimum.
	MinInstallmentValue []Minimum    `json:"min_installment_value,omitzero"`
	Extra               client.Extra `json:",embed"`
}

// Allowed returns the options in which a purchase of the total may be paid, in their order. The total must reach the
// option's minimum purchase, and an installment (total / count) must reach the minimum for the currency. Both limits
// are inclusive and exact, without rounding. A total of zero or less has no installments.
//
// The result includes options for some banks or cards only: see [InstallmentOption.Takes].
func (r InstallmentRules) Allowed(total client.Money, currency string) []InstallmentOption {
	if total.Cmp(client.Money{}) <= 0 {
		return nil
	}
	var allowed []InstallmentOption
	for _, option := range r.Specification {
		count := decimal.NewFromInt(int64(option.Installments))
		if option.Installments > 0 && reaches(total, decimal.NewFromInt(1), option.MinimumPurchaseValue, currency) &&
			reaches(total, count, r.MinInstallmentValue, currency) {
			allowed = append(allowed, option)
		}
	}
	return allowed
}

// reaches reports whether total is at least n times each minimum of the currency.
func reaches(total client.Money, n decimal.Decimal, minimums []Minimum, currency string) bool {
	for _, m := range minimums {
		if m.Currency == currency && total.Decimal().LessThan(m.Value.Decimal().Mul(n)) {
			return false
		}
	}
	return true
}

// InstallmentOption is a number of installments with its interest.
type InstallmentOption struct {
	// Installments is the number of installments, 1 or more.
	Installments client.Int `json:"installments"`
	// InterestRate is a fraction of 1, as text: 6.5 percent is "0.065".
	InterestRate client.Measure `json:"interest_rate"`
	// AppliesTo lists the banks or card brands of the option. If empty, it is for all.
	AppliesTo []string `json:"applies_to,omitzero"`
	// MinimumPurchaseValue is the minimum of the total, by currency.
	MinimumPurchaseValue []Minimum    `json:"minimum_purchase_value,omitzero"`
	Extra                client.Extra `json:",embed"`
}

// Takes reports whether the option is for a bank or a brand of cards.
func (o InstallmentOption) Takes(name string) bool {
	return len(o.AppliesTo) == 0 || slices.Contains(o.AppliesTo, name)
}

// Minimum is an inclusive minimum amount.
type Minimum Amount

// UnmarshalJSON reads the amount from the member value, or from amount as in older documentation.
func (m *Minimum) UnmarshalJSON(data []byte) error {
	var v struct {
		Amount
		Older client.Money `json:"amount"`
	}
	if err := wire.Unmarshal(data, &v); err != nil {
		return fmt.Errorf("minimum: %w", err)
	}
	*m = Minimum(v.Amount)
	if m.Value.Equal(client.Money{}) {
		m.Value = v.Older
	}
	return nil
}

// check applies the rules of the contract.
func (r InstallmentRules) check(field string) error {
	return cmp.Or(
		checkSome(field+".specification", "item", r.Specification, checkInstallments),
		checkMinimums(field+".min_installment_value", r.MinInstallmentValue),
	)
}

func checkInstallments(at string, o InstallmentOption) error {
	switch {
	case o.Installments < 1:
		return engine.Invalid(at+".installments", o.Installments, "1 or more")
	case !isDecimal(o.InterestRate):
		return engine.Invalid(at+".interest_rate", cut(o.InterestRate), `a fraction of 1 such as "0.065" for 6.5 percent, 0 or more`)
	}
	return cmp.Or(
		checkEach(at+".applies_to", o.AppliesTo, checkText), checkMinimums(at+".minimum_purchase_value", o.MinimumPurchaseValue),
	)
}

// checkMinimums checks that each currency has at most one minimum, because the contract has one.
func checkMinimums(field string, minimums []Minimum) error {
	seen := map[string]bool{}
	return checkEach(field, minimums, func(at string, m Minimum) error {
		if seen[m.Currency] {
			return engine.Invalid(at+".currency", m.Currency, "each currency once")
		}
		seen[m.Currency] = true
		return Amount(m).check(at)
	})
}
