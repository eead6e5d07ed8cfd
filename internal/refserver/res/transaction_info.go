package res

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// beOther is the refusal of a type of discount, in the words of the refusals of other lists.
const beOther = "must be one of the following values: other"

// infoFaults are the refusals of checkInfo.
func infoFaults() []api.ErrCase {
	return refusals(http.StatusBadRequest, []string{
		"info.refund_url: " + body.NotEmpty,
		"info.consumer_discounts.0.type: " + beOther,
	})
}

// readInfo keeps what the provider says as it is; the server reads of it what it
// needs.
func readInfo(in *api.In, b body.Members, t *world.Transaction) {
	var info body.Known[infoIn]
	body.Value(b, "info", body.BeObject, &info)
	t.Info = info
	if infoText(*t, "external_id") == "" {
		b.Refuse("info.external_id", body.NotEmpty)
	}
	if refunds := infoText(*t, "refund_url"); refunds != "" && in.CheckURL(refunds) != nil {
		b.Refuse("info.refund_url", body.BePublic)
	}
	if _, ok := t.Info["installments"]; !ok && t.MethodType == "credit_card" {
		b.Refuse("info.installments", body.NotEmpty)
	}
	if installmentsOf(*t) == 0 && t.MethodType == "credit_card" {
		b.Refuse("info.installments.quantity", body.BeNumber)
	}
	t.Fees, t.Discounted = sumOf(t.Info["consumer_charges"]), sumOf(t.Info["consumer_discounts"])
}

// infoIn names what the information may have.
type infoIn struct {
	ExternalID json.RawMessage `json:"external_id"`
	Card       struct {
		Brand           json.RawMessage `json:"brand"`
		Issuer          json.RawMessage `json:"issuer"`
		ExpirationMonth json.RawMessage `json:"expiration_month"`
		ExpirationYear  json.RawMessage `json:"expiration_year"`
		FirstDigits     json.RawMessage `json:"first_digits"`
		LastDigits      json.RawMessage `json:"last_digits"`
		MaskedNumber    json.RawMessage `json:"masked_number"`
		Name            json.RawMessage `json:"name"`
	} `json:"card"`
	Installments struct {
		Quantity json.RawMessage `json:"quantity"`
		Interest json.RawMessage `json:"interest"`
	} `json:"installments"`
	ExternalURL               json.RawMessage `json:"external_url"`
	ExternalResourceURL       json.RawMessage `json:"external_resource_url"`
	ExternalResourceCode      json.RawMessage `json:"external_resource_code"`
	ExternalResourceExpiresAt json.RawMessage `json:"external_resource_expires_at"`
	RefundURL                 json.RawMessage `json:"refund_url"`
	SupportsPartialRefund     json.RawMessage `json:"supports_partial_refund"`
	IP                        json.RawMessage `json:"ip"`
	ConsumerCharges           []chargeIn      `json:"consumer_charges"`
	ConsumerDiscounts         []chargeIn      `json:"consumer_discounts"`
	MerchantCharges           []chargeIn      `json:"merchant_charges"`
}

// chargeIn names what a charge or a discount may have.
type chargeIn struct {
	Type        json.RawMessage `json:"type"`
	Description json.RawMessage `json:"description"`
	Amount      struct {
		Value    json.RawMessage `json:"value"`
		Currency json.RawMessage `json:"currency"`
	} `json:"amount"`
}

// checkInfo rejects with 400, as the platform does, members that no transaction can have. They are examined before the
// rules of 422.
func checkInfo(t world.Transaction) error {
	wrong := &body.Problems{}
	var partly bool
	_ = json.Unmarshal(t.Info["supports_partial_refund"], &partly) // what is no flag is false
	if partly && infoText(t, "refund_url") == "" {
		wrong.Add("info.refund_url", body.NotEmpty)
	}
	var discounts []struct {
		Type any `json:"type"`
	}
	_ = json.Unmarshal(t.Info["consumer_discounts"], &discounts) // what is not a list has no types
	for i, d := range discounts {
		if d.Type != nil && d.Type != "other" {
			wrong.Add("info.consumer_discounts."+strconv.Itoa(i)+".type", beOther)
		}
	}
	return wrong.ErrBy(http.StatusBadRequest)
}

// infoText is a member of the information that is a text.
func infoText(t world.Transaction, member string) string {
	var s string
	_ = json.Unmarshal(t.Info[member], &s) // what is not a text is none
	return s
}

// installmentsOf is how many there are, 0 if the information has no number of them.
func installmentsOf(t world.Transaction) int {
	var b struct {
		Quantity int `json:"quantity"`
	}
	_ = json.Unmarshal(t.Info["installments"], &b) // what is not an object has no number
	return max(b.Quantity, 0)
}

// sumOf adds up the amounts of a list of charges or discounts.
func sumOf(raw json.RawMessage) decimal.Decimal {
	var list []struct {
		Amount struct {
			Value body.Scalar `json:"value"`
		} `json:"amount"`
	}
	var sum decimal.Decimal
	_ = json.Unmarshal(raw, &list) // what is not a list has no amounts
	for _, c := range list {
		d, _ := c.Amount.Value.Decimal()
		sum = sum.Add(d)
	}
	return sum
}
