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

// RequestLabels begins labels of fulfillment orders, as the merchant does, and asks
// their carriers for them: a POST to callback_labels_url/generate, which the carrier
// has to answer 2xx within 5 seconds. What is late is repeated three times, two seconds
// apart by the server's clock. The carrier of a fulfillment order is the one whose id is
// its shipping.carrier.carrier_id. The same calls follow by themselves when an app makes
// labels over the API; Settle waits for those.
//
// Here, as with the other calls, an error means that nothing could be asked, or that ctx
// has ended. What a carrier answered is in the records. The carrier's app reports over
// the API how a label gets on: one that stays STARTED or IN_PROGRESS for more than 30
// minutes fails, and that is told.
func (s *Server) RequestLabels(ctx context.Context, fulfillmentOrders ...ulid.ULID) ([]LabelCall, error) {
	return labelCalls(reference(s).Labels().Request(ctx, s.store, ulids(fulfillmentOrders)...))
}

// CancelLabels asks the carriers to cancel labels, by a POST to
// callback_labels_url/cancel. Those that a carrier agrees to are CANCELED then.
func (s *Server) CancelLabels(ctx context.Context, labels ...ulid.ULID) ([]LabelCall, error) {
	return labelCalls(reference(s).Labels().Undo(ctx, s.store, label.Cancel, ulids(labels)...))
}

// SuspendLabels asks the carriers to suspend labels, by a POST to
// callback_labels_url/suspension. No status changes.
func (s *Server) SuspendLabels(ctx context.Context, labels ...ulid.ULID) ([]LabelCall, error) {
	return labelCalls(reference(s).Labels().Undo(ctx, s.store, label.Suspend, ulids(labels)...))
}

// ReactivateLabels asks the carriers to reactivate labels, by a POST to
// callback_labels_url/reactivate. No status changes.
func (s *Server) ReactivateLabels(ctx context.Context, labels ...ulid.ULID) ([]LabelCall, error) {
	return labelCalls(reference(s).Labels().Undo(ctx, s.store, label.Reactivate, ulids(labels)...))
}

// LabelCall is one call to a carrier about at most 50 labels.
type LabelCall struct {
	At time.Time // when it was made, by the server's clock
	// Kind is generate, cancel, suspension or reactivate.
	Kind             string
	AppID, CarrierID client.ID // who was called, and for which carrier
	URL              string    // where it was sent
	// Try counts the calls about the same labels from 1.
	Try int
	// Request and Answer are the bodies. Status is 0 if there was no answer.
	Request, Answer []byte
	Status          int
	// Late is set if there was no answer within 5 seconds of the server's clock; a
	// handler lets them pass with Spend.
	Late     bool
	Duration time.Duration // how long the answer took, by the server's clock
	// Next is when the call is repeated, zero if it is not.
	Next   time.Time
	Labels []LabelResult // what the answer says of each label
	// Unread names the members of an answer 207 that nothing reads, such as "reason.text".
	Unread []string
	// Reason says why the answer is not what was wanted; empty if it is.
	Reason string
}

// LabelResult is what a carrier said of a label.
type LabelResult struct {
	FulfillmentOrderID, LabelID ulid.ULID // which label of which fulfillment order
	OK                          bool      // the carrier agreed
	// Code and Message are those of a refusal, for example LABEL_IN_TRANSIT.
	Code, Message string
	// Status is that of the label after the call, for example STARTED.
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
