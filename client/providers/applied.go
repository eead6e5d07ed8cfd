package providers

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// AppliedTo reports whether the transaction has the event. The type, status and amount must be equal. The
// AuthorizationCode, the FailureCode and every member of Info must be equal if in has them. HappenedAt must be equal
// to the second. Of an event with the key of an operation in its message, only the key must be equal: see Of.
//
// Events have no id of the app. An input without HappenedAt and Info matches any other event of its amount, so a
// second refund of 10.00 would match the first one. Choose HappenedAt before the event is reported for the first
// time, and store it with the operation. After client.ErrOutcomeUnknown, read the transaction and call AppliedTo
// before you repeat in. Or call TransactionService.CreateEventOrGet, which does both.
func (in EventInput) AppliedTo(t *Transaction) bool { return in.in(t) != nil }

// in returns the event of the transaction that matches in, or nil.
func (in EventInput) in(t *Transaction) *Event {
	for i := range t.Events {
		if in.describes(&t.Events[i]) {
			return &t.Events[i]
		}
	}
	return nil
}

func (in EventInput) describes(e *Event) bool {
	switch {
	case !in.sameOutcome(e), e.Info.Operation() != in.Info.Operation():
		return false
	case in.Info.Operation() != "": // which identifies it
		return true
	case !given(e.AuthorizationCode, in.AuthorizationCode), !given(e.FailureCode, in.FailureCode):
		return false
	case !in.HappenedAt.IsZero() && e.HappenedAt.Sub(in.HappenedAt.Time).Abs() >= time.Second: // the platform may store whole seconds
		return false
	}
	return in.Info.in(e.Info)
}

// sameOutcome compares the type, the status and the amount.
func (in EventInput) sameOutcome(e *Event) bool {
	return e.Type == in.Type && e.Status == in.Status && e.Amount.Equal(in.Amount)
}

// in reports whether there has every member of i. The app's own members can distinguish events, so they are compared
// exactly.
func (i EventInfo) in(there EventInfo) bool {
	for name, value := range i.Extra {
		if !sameJSON(there.Extra[name], value) {
			return false
		}
	}
	return given(&there.Message, i.Message) && given(&there.RiskLevel, i.RiskLevel) &&
		given(&there.AcceptURL, i.AcceptURL) && given(&there.CancelURL, i.CancelURL) &&
		(i.FraudScore == "" || sameDecimal(i.FraudScore, there.FraudScore))
}

// sameDecimal compares two decimals without trailing zeros.
func sameDecimal(a, b client.Measure) bool {
	x, err := a.Decimal()
	y, failed := b.Decimal()
	return err == nil && failed == nil && b != "" && x.Equal(y)
}

// given reports whether a sent text equals the recorded one. An empty text matches any.
func given[T ~string](got *T, sent T) bool { return sent == "" || got != nil && *got == sent }

// sameJSON compares two values, ignoring the order of their members.
func sameJSON(a, b json.RawMessage) bool {
	normal := func(raw json.RawMessage) []byte {
		var v any
		if wire.UnmarshalExact(raw, &v) != nil {
			return nil
		}
		text, err := wire.Marshal(v)
		if err != nil {
			return nil
		}
		return text
	}
	x := normal(a)
	return x != nil && bytes.Equal(x, normal(b))
}
