package shipping

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// generate is the only action that the platform retries.
const generate = "generate"

// The words of an answer.
const (
	labelOK     = "OK"
	labelFailed = "FAILED"
)

// labelJob is the work of a request about labels.
type labelJob struct {
	labels []LabelRef
	do     func(ctx context.Context) (labelOutcome, error)
	calls  bool // do calls a function
}

// labelOutcome is the result of a labelJob.
type labelOutcome struct {
	status int
	body   []byte
	failed int   // labels that were not processed
	err    error // although there is an answer
}

// change returns the function for an action other than generate, or nil.
func (h *LabelHandler) change(action string) func(context.Context, []LabelRef) ([]LabelFailure, error) {
	switch action {
	case "cancel":
		return h.Cancel
	case "suspension":
		return h.Suspend
	case "reactivate":
		return h.Reactivate
	}
	return nil
}

// job returns the work for an action.
func (h *LabelHandler) job(action string, body []byte) (j labelJob, err error) {
	if action == generate {
		return h.generate(body)
	}
	refs, err := readRefs(body)
	if err != nil {
		return j, err
	}
	return labelJob{refs, func(ctx context.Context) (o labelOutcome, _ error) {
		failed, err := h.change(action)(ctx, append([]LabelRef(nil), refs...))
		if err != nil {
			return o, fmt.Errorf("labels: %w", err)
		}
		return changedAnswer(refs, failed), nil
	}, true}, nil
}

func (h *LabelHandler) generate(body []byte) (j labelJob, err error) {
	labels, unread, ignored, malformed := readLabels(body)
	if malformed != nil && len(labels)+len(unread) == 0 {
		return j, malformed
	}
	ids := make([]ulid.ULID, 0, len(labels)+len(unread))
	for _, l := range labels {
		ids = append(ids, l.ID)
		j.labels = append(j.labels, LabelRef{FulfillmentOrderID: l.FulfillmentOrder.ID, LabelID: l.ID})
	}
	for _, f := range unread {
		ids = append(ids, f.LabelID)
		j.labels = append(j.labels, LabelRef{LabelID: f.LabelID})
	}
	j.calls = len(labels) > 0
	j.do = func(ctx context.Context) (o labelOutcome, _ error) {
		var failed []LabelFailure
		if len(labels) > 0 {
			var err error
			if failed, err = h.Generate(ctx, labels); err != nil {
				return o, fmt.Errorf("labels: %w", err)
			}
		}
		o = generatedAnswer(ids, append(failed, unread...))
		o.err = errors.Join(malformed, o.err)
		return o, nil
	}
	return j, callback.Ignored(ignored)
}

// byLabel indexes failures by label, and reports failures of labels that were not in the request.
func byLabel(ids []ulid.ULID, failed []LabelFailure) (map[ulid.ULID]LabelFailure, error) {
	asked := make(map[ulid.ULID]bool, len(ids))
	for _, id := range ids {
		asked[id] = true
	}
	of := make(map[ulid.ULID]LabelFailure, len(failed))
	var strangers error
	for _, f := range failed {
		if !asked[f.LabelID] {
			strangers = errors.Join(strangers, fmt.Errorf("%w: label %s was not in the request", ErrInvalid, f.LabelID))
			continue
		}
		of[f.LabelID] = f
	}
	return of, strangers
}

// generatedAnswer returns the answer about the labels that will be made.
func generatedAnswer(ids []ulid.ULID, failed []LabelFailure) labelOutcome {
	type reason struct {
		Type    LabelCode `json:"type"`
		Message string    `json:"message"`
	}
	type result struct {
		ID     ulid.ULID `json:"id"`
		Status string    `json:"status"`
		Reason *reason   `json:"reason,omitzero"`
	}
	of, err := byLabel(ids, failed)
	if len(of) == 0 {
		return labelOutcome{status: http.StatusAccepted, err: err}
	}
	all := make([]result, len(ids))
	for i, id := range ids {
		all[i] = result{ID: id, Status: labelOK}
		if f, ok := of[id]; ok {
			all[i] = result{id, labelFailed, &reason{cmp.Or(f.Code, LabelOtherError), callback.Message(f.Message)}}
		}
	}
	return multi(all, len(of), err)
}

// changedAnswer returns the answer about the labels that were cancelled, suspended or reactivated.
func changedAnswer(refs []LabelRef, failed []LabelFailure) labelOutcome {
	type reason struct {
		Code    LabelCode `json:"code"`
		Message string    `json:"message"`
	}
	type result struct {
		FulfillmentOrderID ulid.ULID `json:"fulfillment_order_id"`
		LabelID            ulid.ULID `json:"label_id"`
		Status             string    `json:"status"`
		Reason             *reason   `json:"reason,omitzero"`
	}
	ids := make([]ulid.ULID, len(refs))
	for i, r := range refs {
		ids[i] = r.LabelID
	}
	of, err := byLabel(ids, failed)
	if len(of) == 0 {
		return labelOutcome{status: http.StatusNoContent, err: err}
	}
	all := make([]result, len(refs))
	for i, r := range refs {
		all[i] = result{FulfillmentOrderID: r.FulfillmentOrderID, LabelID: r.LabelID, Status: labelOK}
		if f, ok := of[r.LabelID]; ok {
			all[i].Status, all[i].Reason = labelFailed, &reason{cmp.Or(f.Code, LabelCarrierSystemError), callback.Message(f.Message)}
		}
	}
	return multi(map[string]any{"labels": all}, len(of), err)
}

// multi returns an answer with a result for each label. The number of failed labels is failed.
func multi(all any, failed int, err error) labelOutcome {
	body, encodeErr := wire.Marshal(all)
	if encodeErr != nil {
		return labelOutcome{status: http.StatusServiceUnavailable, err: encodeErr}
	}
	return labelOutcome{status: http.StatusMultiStatus, body: body, failed: failed, err: err}
}
