package providers

import (
	"strings"

	"github.com/google/uuid"
)

// operationPrefix begins the message of each event that a payments.Cashier reports. The key of the operation follows.
// Events have no id of the app, so only the message distinguishes them from events that the app reports itself. It
// begins the message, so that a platform that shortens messages does not remove it.
const operationPrefix = "operation "

// Of returns the event with the key of an operation at the start of its message: the Key of a payments.Payment,
// payments.Repayment or payments.Cancellation. A payments.Cashier does this with each event, and recognizes it so. An
// app that reports a result of the Cashier's operation itself, such as one that its processor has announced, must call
// Of, so that the event is recorded once. All other events of the app are other movements of money, whatever their
// amount and time.
func (in EventInput) Of(key string) EventInput {
	switch text := in.Info.Message; {
	case in.Info.Operation() == key:
	case text == "":
		in.Info.Message = operationPrefix + key
	default:
		in.Info.Message = operationPrefix + key + ": " + text
	}
	return in
}

// Operation returns the key of the operation at the start of the message; empty if there is none, because the app has
// reported the event itself. See EventInput.Of.
func (i EventInfo) Operation() string {
	const length = len("00000000-0000-0000-0000-000000000000")
	key, ok := strings.CutPrefix(i.Message, operationPrefix)
	if key = key[:min(length, len(key))]; !ok || uuid.Validate(key) != nil {
		return ""
	}
	return key
}
