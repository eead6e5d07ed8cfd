package payments

import (
	"slices"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Differences names the members of in that the transaction has other values for, as they are called on the wire
// ("first_event.amount.value"); nil if it has all of them. Members that are absent in in are not compared, and neither
// are PaymentAttemptID and PaymentProviderTaxID, which a transaction that is read does not have.
//
// FirstEvent is compared with the event that it describes (see EventInput.AppliedTo), and if there is none, with the
// earliest event. Later events, such as refunds, are no differences.
func (in TransactionInput) Differences(t *Transaction) []string {
	there := struct {
		PaymentProviderID uuid.UUID     `json:"payment_provider_id"`
		PaymentMethod     PaymentMethod `json:"payment_method"`
		FirstEvent        *Event        `json:"first_event"`
		Info              Info          `json:"info"`
	}{t.PaymentProviderID, t.PaymentMethod, in.FirstEvent.in(t), t.Info}
	if there.FirstEvent == nil && len(t.Events) > 0 {
		first := slices.MinFunc(t.Events, func(a, b Event) int { return a.HappenedAt.Compare(b.HappenedAt.Time) })
		there.FirstEvent = &first
	}
	return wire.Differences(in, there, "payment_attempt_id", "payment_provider_tax_id")
}
