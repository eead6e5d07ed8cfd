package clienttest

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/refserver/label"
)

// RequestLabels begins labels of fulfillment orders, as the merchant does, and asks their carriers for them. It sends a
// POST to callback_labels_url/generate, which the carrier must answer with 2xx within 5 seconds. A late answer is
// retried three times, two seconds apart by the server's clock. The carrier of a fulfillment order is the one whose id
// is its shipping.carrier.carrier_id. If an app creates labels over the API, the server makes the same calls
// automatically; Settle waits for those.
//
// As with the other label calls, an error means that no request could be sent, or that ctx has ended. The records hold
// the carrier's answers. The carrier's app reports the progress of a label over the API. A label that stays STARTED or
// IN_PROGRESS for more than 30 minutes fails, and the platform notifies the app.
func (s *Server) RequestLabels(ctx context.Context, fulfillmentOrders ...ulid.ULID) ([]LabelCall, error) {
	return labelCalls(reference(s).Labels().Request(ctx, s.store, ulids(fulfillmentOrders)...))
}

// CancelLabels asks the carriers to cancel labels, by a POST to callback_labels_url/cancel. A label becomes CANCELED if
// its carrier agrees.
func (s *Server) CancelLabels(ctx context.Context, labels ...ulid.ULID) ([]LabelCall, error) {
	return labelCalls(reference(s).Labels().Undo(ctx, s.store, label.Cancel, ulids(labels)...))
}

// SuspendLabels asks the carriers to suspend labels, by a POST to callback_labels_url/suspension. No status changes.
func (s *Server) SuspendLabels(ctx context.Context, labels ...ulid.ULID) ([]LabelCall, error) {
	return labelCalls(reference(s).Labels().Undo(ctx, s.store, label.Suspend, ulids(labels)...))
}

// ReactivateLabels asks the carriers to reactivate labels, by a POST to callback_labels_url/reactivate. No status
// changes.
func (s *Server) ReactivateLabels(ctx context.Context, labels ...ulid.ULID) ([]LabelCall, error) {
	return labelCalls(reference(s).Labels().Undo(ctx, s.store, label.Reactivate, ulids(labels)...))
}

// LabelCall is one call to a carrier about at most 50 labels.
type LabelCall struct {
	At time.Time // time of the call, by the server's clock
	// Kind is generate, cancel, suspension or reactivate.
	Kind             string
	AppID, CarrierID client.ID // the called app, and the carrier
	URL              string    // address of the request
	// Try counts the calls about the same labels from 1.
	Try int
	// Request and Answer are the bodies. Status is 0 if there was no answer.
	Request, Answer []byte
	Status          int
	// Late is set if there was no answer within 5 seconds of the server's clock. A handler can let them pass with
	// Spend.
	Late     bool
	Duration time.Duration // time until the answer, by the server's clock
	// Next is when the call is retried; zero if it is not.
	Next   time.Time
	Labels []LabelResult // the result of each label
	// Unread names the members of an answer 207 that the platform does not read, such as "reason.text".
	Unread []string
	// Reason describes why the answer is not valid; empty if it is.
	Reason string
}

// LabelResult is a carrier's answer for one label.
type LabelResult struct {
	FulfillmentOrderID, LabelID ulid.ULID // the label and its fulfillment order
	OK                          bool      // the carrier agreed
	// Code and Message are the reason of a refusal, for example LABEL_IN_TRANSIT.
	Code, Message string
	// Status is the status of the label after the call, for example STARTED.
	Status string
}

// LabelCalls returns the last 10,000 calls about labels of the store, the oldest first.
func (s *Server) LabelCalls() []LabelCall {
	var all []LabelCall
	for _, c := range reference(s).Labels().Calls() {
		if c.Store == s.store {
			all = append(all, labelCall(c))
		}
	}
	return all
}

func labelCalls(calls []label.Call, err error) ([]LabelCall, error) {
	if err != nil {
		return nil, fmt.Errorf("clienttest: %w", err)
	}
	var out []LabelCall
	for _, c := range calls {
		out = append(out, labelCall(c))
	}
	return out, nil
}

func labelCall(c label.Call) LabelCall {
	out := LabelCall{
		At: c.At, Kind: string(c.Kind), AppID: client.ID(c.App), CarrierID: client.ID(c.Carrier), URL: c.URL, Try: c.Try,
		Request: slices.Clone(c.Request), Answer: slices.Clone(c.Answer), Status: c.Status, Late: c.Late, Duration: c.Duration,
		Next: c.Next, Unread: slices.Clone(c.Unread), Reason: c.Reason,
	}
	for _, r := range c.Results {
		result := LabelResult{OK: r.OK, Code: r.Code, Message: r.Message, Status: string(r.Status)}
		result.FulfillmentOrderID, _ = ulid.ParseStrict(r.Fulfillment) // the platform gave both
		result.LabelID, _ = ulid.ParseStrict(r.Label)
		out.Labels = append(out.Labels, result)
	}
	return out
}

func ulids(ids []ulid.ULID) []string {
	var out []string
	for _, id := range ids {
		out = append(out, id.String())
	}
	return out
}
