package webhook

import (
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// Answer is what a Handler answered a request.
type Answer struct {
	StoreID client.ID // 0 if the body does not say, and if the request was refused
	Event   Name      // "" if neither the body nor Handler.Event says, and if the request was refused
	Key     string    // of the entry that the Inbox or Sink was given; "" if there is none
	// Status is the HTTP status. It is 0, and Outcome is "", if a panic ended the request without an answer.
	Status int
	// Outcome says what became of the delivery: what its entry met in an Inbox, or one of the outcomes of a Handler.
	Outcome Outcome
	// Bytes is the size of the body; 0 if the request was refused.
	Bytes int
	// Took is the time from the arrival of the request.
	Took time.Duration
	// Err is why the status is not 200; nil if it is.
	Err error
}

// The outcomes of a Handler, besides those of an Inbox.
const (
	OutcomeRan     Outcome = "ran"     // without an inbox: a run began for the delivery, and succeeded
	OutcomeShared  Outcome = "shared"  // the same, of a run for which the delivery waited together with others
	OutcomeQueued  Outcome = "queued"  // the Sink has it
	OutcomeIgnored Outcome = "ignored" // its event is to be ignored
	OutcomeUnknown Outcome = "unknown" // nobody could handle it: Unknown has it, or it was reported
	OutcomeFailed  Outcome = "failed"  // it was answered 503, so that the platform delivers it again
	OutcomeRefused Outcome = "refused" // it was rejected before anything of its body was read as an event: see OnRefused
)
