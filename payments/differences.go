package payments

import (
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Differences names the members of in that the transaction has other values for, as they are called on the wire
// ("first_event.amount.value"); nil if it has all of them. Members that are absent in in are not compared, and neither
// are PaymentAttemptID and PaymentProviderTaxID, which a transaction that is read does not have.
//
// FirstEvent is compared with the event that it describes (see EventInput.AppliedTo), and if there is none, with the
// earliest event, but its DiscountAmount with that of the transaction. Later events, such as refunds, are no
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
	sent.FirstEvent.DiscountAmount = Amount{} // a transaction has it, not its event
	found := wire.Differences(sent, there, "payment_attempt_id", "payment_provider_tax_id")
	for i, path := range found {
		if strings.HasPrefix(path, "discount_amount") {
			found[i] = "first_event." + path
		}
	}
	slices.Sort(found)
	return found
}
