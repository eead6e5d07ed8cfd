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

// labelJob is the work of a request about labels.
type labelJob struct {
	labels []LabelRef
	do     func(ctx context.Context) (labelOutcome, error)
	calls  bool // do calls a function
}

// labelOutcome is the result of a labelJob. Its Err is a failure although there is an answer.
type labelOutcome struct {
	callback.Reply
	failed int // labels that were not processed
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
		return labelAnswer(refs, failed, false), nil
	}, true}, nil
}

func (h *LabelHandler) generate(body []byte) (j labelJob, err error) {
	labels, unread, ignored, malformed := readLabels(body)
	if malformed != nil && len(labels)+len(unread) == 0 {
		return j, malformed
	}
	for _, l := range labels {
		j.labels = append(j.labels, LabelRef{FulfillmentOrderID: l.FulfillmentOrder.ID, LabelID: l.ID})
	}
	for _, f := range unread {
		j.labels = append(j.labels, LabelRef{LabelID: f.LabelID})
	}
	refs := j.labels
	j.calls = len(labels) > 0
	j.do = func(ctx context.Context) (o labelOutcome, _ error) {
		var failed []LabelFailure
		if len(labels) > 0 {
			var err error
			if failed, err = h.Generate(ctx, labels); err != nil {
				return o, fmt.Errorf("labels: %w", err)
			}
		}
		o = labelAnswer(refs, append(failed, unread...), true)
		o.Err = errors.Join(malformed, o.Err)
		return o, nil
	}
	return j, callback.Ignored(ignored)
}

// labelResult is what became of a label. The members of labels to be made are named differently.
type labelResult struct {
	ID                 *ulid.ULID   `json:"id,omitzero"`
	FulfillmentOrderID *ulid.ULID   `json:"fulfillment_order_id,omitzero"`
	LabelID            *ulid.ULID   `json:"label_id,omitzero"`
	Status             string       `json:"status"`
	Reason             *labelReason `json:"reason,omitzero"`
}

type labelReason struct {
	Type    LabelCode `json:"type,omitzero"` // of a label to be made
	Code    LabelCode `json:"code,omitzero"` // of another one
	Message string    `json:"message"`
}

// labelAnswer returns the answer about labels to be made, or about labels to be cancelled, suspended or reactivated. It
// reports failures of labels that were not in the request.
func labelAnswer(refs []LabelRef, failed []LabelFailure, made bool) (o labelOutcome) {
	all, at := make([]labelResult, len(refs)), map[ulid.ULID][]int{}
	for i := range refs {
		all[i] = labelResult{FulfillmentOrderID: &refs[i].FulfillmentOrderID, LabelID: &refs[i].LabelID, Status: "OK"}
		if made {
			all[i] = labelResult{ID: &refs[i].LabelID, Status: "OK"}
		}
		at[refs[i].LabelID] = append(at[refs[i].LabelID], i)
	}
	of := map[ulid.ULID]bool{}
	for _, f := range failed {
		if len(at[f.LabelID]) == 0 {
			o.Err = errors.Join(o.Err, fmt.Errorf("%w: label %s was not in the request", ErrInvalid, f.LabelID))
			continue
		}
		of[f.LabelID] = true
		reason := &labelReason{Code: cmp.Or(f.Code, LabelCarrierSystemError), Message: callback.Message(f.Message)}
		if made {
			reason.Type, reason.Code = cmp.Or(f.Code, LabelOtherError), ""
		}
		for _, i := range at[f.LabelID] {
			all[i].Status, all[i].Reason = "FAILED", reason
		}
	}
	o.failed, o.Status = len(of), http.StatusMultiStatus
	var err error
	switch {
	case len(of) == 0 && made:
		o.Status = http.StatusAccepted
	case len(of) == 0:
		o.Status = http.StatusNoContent
	case made:
		o.Body, err = wire.Marshal(all)
	default:
		o.Body, err = wire.Marshal(map[string]any{"labels": all})
	}
	if err != nil {
		return labelOutcome{Reply: callback.Reply{Status: http.StatusServiceUnavailable, Err: err}}
	}
	return o
}
