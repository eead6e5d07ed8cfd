package webhook

import (
	"time"

	"github.com/commerceplatform/commerce-go/client/value"
)

// Answer is the answer of a Handler to a request.
type Answer struct {
	StoreID value.ID // 0 if the body names none, or if the request was rejected
	Event   Name     // "" if neither the body nor Handler.Event names one, or if the request was rejected
	Key     string   // of the entry that was passed to the Inbox or Sink; "" if there is none
	// Status is the HTTP status. If a panic ended the request without an answer, it is 0 and Outcome is empty.
	Status int
	// Outcome is an outcome of Inbox.Accept or of a Handler.
	Outcome Outcome
	// Bytes is the size of the body, 0 if the request was rejected.
	Bytes int
	// Took is the time from the arrival of the request.
	Took time.Duration
	// Err is why the status is not 200, nil if it is.
	Err error
}

// The outcomes of a Handler, in addition to those of Inbox.Accept.
const (
	OutcomeRan     Outcome = "ran"     // without an inbox: a run began for the delivery, and succeeded
	OutcomeShared  Outcome = "shared"  // without an inbox: a run that several waiting deliveries shared succeeded
	OutcomeQueued  Outcome = "queued"  // the Sink has accepted it
	OutcomeIgnored Outcome = "ignored" // its event is ignored
	OutcomeUnknown Outcome = "unknown" // no handler can have it: Unknown was called, or it was reported
	OutcomeFailed  Outcome = "failed"  // it was answered 503, so the platform retries
	OutcomeRefused Outcome = "refused" // it was rejected before its body was read as an event: see OnRefused
)
