package payments

import (
	"strings"

	"github.com/google/uuid"
)

// operationPrefix begins the message of each event that a Cashier reports. The key of the operation follows. Events
// have no id of the app, so only the message distinguishes them from events that the app reports itself. It begins
// the message, so that a platform that shortens messages does not remove it.
const operationPrefix = "operation "

// Of returns the event with the key of an operation at the start of its message: Payment.Key, Repayment.Key or
// Cancellation.Key. A Cashier does this with each event, and recognizes it so. An app that reports a result of the
// Cashier's operation itself, such as one that its processor has announced, must call Of, so that the event is recorded
// once. All other events of the app are other movements of money, whatever their amount and time.
func (in EventInput) Of(key string) EventInput {
	switch text := in.Info.Message; {
	case in.Info.operation() == key:
	case text == "":
		in.Info.Message = operationPrefix + key
	default:
		in.Info.Message = operationPrefix + key + ": " + text
	}
	return in
}

// operation returns the key in the message; empty if no Cashier has reported the event.
func (i EventInfo) operation() string {
	const length = len("00000000-0000-0000-0000-000000000000")
	key, ok := strings.CutPrefix(i.Message, operationPrefix)
	if key = key[:min(length, len(key))]; !ok || uuid.Validate(key) != nil {
		return ""
	}
	return key
}

// keyed reports whether a Cashier has reported an event of the transaction. The platform then returns messages, so an
// event without a key is not one of a Cashier.
func (t *Transaction) keyed() bool {
	for _, e := range t.Events {
		if e.Info.operation() != "" {
			return true
		}
	}
	return false
}

// has reports whether the transaction has an event of the operation with the key.
func (t *Transaction) has(key string) bool {
	for _, e := range t.Events {
		if e.Info.operation() == key {
			return true
		}
	}
	return false
}

// refunds returns the number of refunds by a Cashier; of all refunds if none of the events is by a Cashier.
func (t *Transaction) refunds() (n int) {
	keyed := t.keyed()
	for _, e := range t.Events {
		if e.Type == EventTypeRefund && (!keyed || e.Info.operation() != "") {
			n++
		}
	}
	return n
}
