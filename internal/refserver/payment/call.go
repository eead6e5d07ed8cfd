package payment

import (
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
)

// Kind is what a call is about.
type Kind string

// The kinds of calls.
const (
	Refund  Kind = "refund"
	Process Kind = "process"
	Cancel  Kind = "cancel"
	Status  Kind = "status"
	Refresh Kind = "refresh"

	AcceptReview Kind = "accept_review"
	CancelReview Kind = "cancel_review"
)

// Outcome is what an answer means.
type Outcome string

const (
	// Accepted: the app answered with the status for the kind of call: 202 to a refund, 201 to a payment, 2xx to a
	// decision about a payment, 200 to the others.
	Accepted Outcome = "accepted"
	// Rejected: the app answered 422 to a refund.
	Rejected Outcome = "rejected"
	// Failed: there was no answer in time, or none that the kind of call knows.
	Failed Outcome = "failed"
)

// Call is the record of one call to a payment app.
type Call struct {
	// N counts the calls of the platform from 1.
	N     int
	At    time.Time
	Kind  Kind
	Store int64
	App   int64
	// Provider is a UUID.
	Provider string
	// Attempt is the payment attempt of a payment and its cancellation.
	Attempt string
	// Try counts the calls of one cancellation from 1; it is 1 for other kinds.
	Try    int
	Method string
	URL    string
	// Timestamp and Signature are the headers; a refresh and a decision have none.
	Timestamp string
	Signature string
	// Request and Answer are the bodies. Those of a refresh are left out, since they
	// are secrets.
	Request []byte
	Answer  []byte
	// HTTPStatus is 0 if there was no answer.
	HTTPStatus int
	Late       bool
	Duration   time.Duration
	// DecidedBy is the clock that decides Late: "virtual" or "real".
	DecidedBy string
	Wire      delivery.Wire
	Outcome   Outcome
	// ErrorCode is that of a rejected refund.
	ErrorCode string
	// Unread are the members of an answer that nothing reads. An answer to a payment or a cancellation may have any,
	// and so may the transactions in one about the status.
	Unread []string
	// Reason says why the call failed or was rejected, empty if it was accepted.
	Reason string
	// Next is when a cancellation is repeated; the zero time if it is not.
	Next time.Time
	// To is the origin that a route led to, empty for a handler in this process.
	To string
}
