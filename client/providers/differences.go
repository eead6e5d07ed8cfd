package providers

import (
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Differences returns the wire names of the members of in with other values in the transaction, such as
// "first_event.amount.value". It returns nil if there are none. Members that are absent in in are not compared.
// PaymentAttemptID and PaymentProviderTaxID are not compared either, because transactions that are read do not have
// them.
//
// FirstEvent is compared with the event that matches it (see EventInput.AppliedTo) or, if there is none, with the
// earliest event. Its DiscountAmount is compared with that of the transaction. Later events, such as refunds, are not
// differences.
func (in TransactionInput) Differences(t *Transaction) []string {
	there := struct {
		PaymentProviderID uuid.UUID     `json:"payment_provider_id"`
		PaymentMethod     PaymentMethod `json:"payment_method"`
		FirstEvent        *Event        `json:"first_event"`
		Info              Info          `json:"info"`
		DiscountAmount    *Amount       `json:"discount_amount"`
	}{t.PaymentProviderID, t.PaymentMethod, in.FirstEvent.in(t), t.Info, t.DiscountAmount}
	if there.FirstEvent == nil && len(t.Events) > 0 {
		first := slices.MinFunc(t.Events, func(a, b Event) int { return a.HappenedAt.Compare(b.HappenedAt.Time) })
		there.FirstEvent = &first
	}
	sent := struct {
		TransactionInput
		DiscountAmount Amount `json:"discount_amount,omitzero"`
	}{in, in.FirstEvent.DiscountAmount}
	sent.FirstEvent.DiscountAmount = Amount{} // part of a transaction, not of its event
	found := wire.Differences(sent, there, "payment_attempt_id", "payment_provider_tax_id")
	for i, path := range found {
		if strings.HasPrefix(path, "discount_amount") {
			found[i] = "first_event." + path
		}
	}
	slices.Sort(found)
	return found
}
