package label

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/commerceplatform/commerce-go/internal/refserver/res"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// undoJSON is what a carrier is sent of labels that it has been asked for.
type undoJSON struct {
	Labels []labelJSON `json:"labels"`
}

type labelJSON struct {
	Fulfillment string `json:"fulfillment_order_id"`
	Label       string `json:"label_id"`
}

// Undo asks the carriers to cancel, suspend or reactivate labels, with one call for each. It fails for another kind, or
// if ctx ends. It also fails if a label does not exist, is named twice, can no longer be cancelled, or has no carrier
// that takes calls. The answer of a carrier is not a failure.
func (p *Platform) Undo(ctx context.Context, store int64, kind Kind, labels ...string) ([]Call, error) {
	if kinds := []Kind{Cancel, Suspend, Reactivate}; !slices.Contains(kinds, kind) {
		return nil, fmt.Errorf("label: kind %q: must be one of %q", kind, kinds)
	}
	var calls []Call
	err := p.world.View(0, store, func(tx *world.Tx) error {
		if len(labels) == 0 {
			return errors.New("labels: must have at least one")
		}
		var found []world.Label
		for i, id := range labels {
			if slices.Contains(labels[:i], id) {
				return fmt.Errorf("label %q: must be named once", id)
			}
			l, ok := tx.Labels.Get(id)
			if !ok {
				return fmt.Errorf("label %q does not exist in store %d", id, store)
			}
			if _, ok := res.LabelCarrier(tx, l.FulfillmentOrderID); !ok {
				return fmt.Errorf("label %s: its carrier takes no calls about labels", id)
			}
			if kind == Cancel && !res.Cancelable(l) {
				return fmt.Errorf("label %s: it is %s and cannot be cancelled", id, l.Status)
			}
			found = append(found, l)
		}
		var err error
		calls, err = batches(tx, kind, found, func(_ *world.Tx, l []world.Label) any {
			out := undoJSON{}
			for _, one := range l {
				out.Labels = append(out.Labels, labelJSON{one.FulfillmentOrderID, one.ID})
			}
			return out
		})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("label: %s: %w", kind, err)
	}
	for i := range calls {
		if calls[i], err = p.undo(ctx, calls[i]); err != nil {
			return calls[:i], err
		}
	}
	return calls, nil
}

func (p *Platform) undo(ctx context.Context, c Call) (Call, error) {
	c, err := p.send(ctx, c)
	if err != nil {
		return c, err
	}
	c.hearUndo()
	err = p.settle(&c, func(tx *world.Tx, r Result) error {
		if c.Kind != Cancel || !r.OK {
			return nil
		}
		return res.CancelLabel(tx, r.Label)
	})
	if err != nil {
		return c, err
	}
	return p.record(c), nil
}
