package label_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/label"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// made are labels of new fulfillment orders in a status.
func (p *post) made(n int, status world.LabelStatus) []string {
	p.Helper()
	c := p.request(p.parcels("77", n)...)
	var out []string
	p.update(func(tx *world.Tx) error {
		for _, r := range c.Results {
			l, _ := tx.Labels.Get(r.Label)
			l.Status = status
			out = append(out, l.ID)
			if err := tx.Labels.Put(l.ID, l); err != nil {
				return err
			}
		}
		return nil
	})
	return out
}

func (p *post) undo(kind label.Kind, ids ...string) label.Call {
	p.Helper()
	calls, err := p.desk.Undo(p.Context(), p.store.ID, kind, ids...)
	if err != nil {
		p.Fatal(err)
	}
	return calls[0]
}

func TestCancel(t *testing.T) {
	for _, from := range []world.LabelStatus{world.LabelStarted, world.LabelInProgress, world.LabelReadyToUse, world.LabelDownloaded} {
		for _, status := range []int{200, 204} {
			p := open(t)
			ids := p.made(2, from)
			p.answer = always(status, nil)
			c := p.undo(label.Cancel, ids...)
			if c.URL != "https://post.example/labels/cancel" || c.Reason != "" || c.Kind != label.Cancel {
				t.Errorf("call %+v", c)
			}
			list, _ := p.bodies[1].(object)["labels"].(array)
			one, _ := list[0].(object)
			if len(list) != 2 || len(one) != 2 || one["label_id"] != ids[0] || one["fulfillment_order_id"] != c.Results[0].Fulfillment || p.paths[1] != "/labels/cancel" {
				t.Errorf("request %v", p.bodies[1])
			}
			for i, id := range ids {
				if p.want(id, world.LabelCanceled); p.events(id) != "CANCELED" || !c.Results[i].OK || c.Results[i].Status != world.LabelCanceled {
					t.Errorf("%s: events %s, %+v", from, p.events(id), c.Results[i])
				}
			}
		}
	}
}

// TestCancelInParts cancels what the carrier agrees to.
func TestCancelInParts(t *testing.T) {
	p := open(t)
	ids := p.made(4, world.LabelReadyToUse)
	part := func(id, status string, reason any) object {
		return object{"fulfillment_order_id": "F", "label_id": id, "status": status, "reason": reason}
	}
	p.answer = always(207, object{"labels": array{
		part(ids[0], "OK", nil),
		part(ids[1], "FAILED", object{"code": "LABEL_IN_TRANSIT", "message": "It is on its way"}),
		part(ids[2], "FAILED", object{"code": "NO_IDEA", "message": "m"}),
	}})
	c := p.undo(label.Cancel, ids...)
	p.want(ids[0], world.LabelCanceled)
	for _, id := range ids[1:] {
		p.want(id, world.LabelReadyToUse)
	}
	r := c.Results[1]
	if r.OK || r.Code != "LABEL_IN_TRANSIT" || r.Message != "It is on its way" || r.Status != world.LabelReadyToUse || c.Results[3].OK {
		t.Errorf("results %+v", c.Results)
	}
	if !strings.Contains(c.Reason, `code "NO_IDEA": must be one of LABEL_IN_TRANSIT, LABEL_DELIVERED`) {
		t.Errorf("reason %q", c.Reason)
	}
	for _, code := range strings.Fields("LABEL_IN_TRANSIT LABEL_DELIVERED CANCELLATION_WINDOW_EXPIRED CARRIER_SYSTEM_ERROR CARRIER_POLICY_VIOLATION INSUFFICIENT_PERMISSIONS CARRIER_CANCELLATION_REJECTED") {
		p.answer = always(207, object{"labels": array{part(ids[1], "FAILED", object{"code": code})}})
		if c := p.undo(label.Cancel, ids[1]); c.Reason != "" || c.Results[0].Code != code {
			t.Errorf("%s: %+v", code, c)
		}
	}
}

// TestUnread names the members of answers that nothing reads, each once.
func TestUnread(t *testing.T) {
	p := open(t)
	ids := p.made(2, world.LabelReadyToUse)
	part := func(id string) object {
		return object{
			"label_id": id, "fulfillment_order_id": "F", "status": "FAILED", "Status": "OK",
			"reason": object{"code": "LABEL_IN_TRANSIT", "text": "m"},
		}
	}
	p.answer = always(207, object{"labels": array{part(ids[0]), part(ids[1])}, "id": 1})
	want := []string{"id", "labels.Status", "labels.reason.text"}
	if c := p.undo(label.Cancel, ids...); !slices.Equal(c.Unread, want) || c.Reason != "" {
		t.Errorf("unread %v, want %v: %s", c.Unread, want, c.Reason)
	}
	p.answer = func(_ int, _ string, body any) (int, any) {
		id := body.(array)[0].(object)["id"]
		return 207, array{object{"id": id, "label_id": id, "status": "FAILED", "reason": object{"message": "m", "odd": 1}}}
	}
	want = []string{"label_id", "reason.odd"}
	if c := p.request(p.parcels("77", 1)[0]); !slices.Equal(c.Unread, want) {
		t.Errorf("unread %v, want %v", c.Unread, want)
	}
}

// TestNotCancelled leaves the labels as they are, and repeats nothing.
func TestNotCancelled(t *testing.T) {
	p := open(t)
	id := p.made(1, world.LabelReadyToUse)[0]
	for reason, answer := range map[string]func(int, string, any) (int, any){
		"status 409: must be 2xx":                  always(409, nil),
		"status 500: must be 2xx":                  always(500, nil),
		"the answer 207: must be {labels: [{fulfi": always(207, array{}),
		`label "X": it is not in the request`:      always(207, object{"labels": array{object{"label_id": "X", "status": "OK"}}}),
		"status: must be OK or FAILED":             always(207, object{"labels": array{object{"label_id": id, "status": "MAYBE"}}}),
	} {
		p.answer = answer
		if c := p.undo(label.Cancel, id); c.Results[0].OK || !strings.Contains(c.Reason, reason) {
			t.Errorf("want %q, got %+v", reason, c)
		}
		p.want(id, world.LabelReadyToUse)
	}
	asked := p.asked()
	p.takes = 5 * time.Second
	if c := p.undo(label.Cancel, id); !c.Late || !c.Next.IsZero() || c.Results[0].OK {
		t.Errorf("late: %+v", c)
	}
	if p.clock.Advance(time.Minute); p.asked() != asked+1 {
		t.Errorf("%d requests, want 1", p.asked()-asked)
	}
}

// TestSuspension changes no status.
func TestSuspension(t *testing.T) {
	for kind, path := range map[label.Kind]string{label.Suspend: "/labels/suspension", label.Reactivate: "/labels/reactivate"} {
		p := open(t)
		ids := p.made(2, world.LabelReadyToUse)
		p.answer = always(207, object{"labels": array{object{"label_id": ids[0], "status": "OK"}, object{"label_id": ids[1], "status": "FAILED", "reason": object{"code": "CARRIER_SYSTEM_ERROR"}}}})
		c := p.undo(kind, ids...)
		if p.paths[1] != path || !c.Results[0].OK || c.Results[1].OK || c.Results[1].Code != "CARRIER_SYSTEM_ERROR" {
			t.Errorf("%s: %s %+v", kind, p.paths[1], c)
		}
		p.answer = always(404, nil)
		if c := p.undo(kind, ids[0]); c.Results[0].OK {
			t.Errorf("%s: %+v", kind, c)
		}
		for _, id := range ids {
			if p.want(id, world.LabelReadyToUse); p.events(id) != "" {
				t.Errorf("events %s", p.events(id))
			}
		}
	}
}

func TestImpossibleUndo(t *testing.T) {
	p := open(t)
	failed, canceled := p.made(1, world.LabelFailed)[0], p.made(1, world.LabelCanceled)[0]
	ready := p.made(1, world.LabelReadyToUse)[0]
	asked := p.asked()
	for want, ids := range map[string][]string{
		"label: cancel: labels: must have at least one": nil,
		`label "none" does not exist in store 1001`:     {ready, "none"},
		"it is FAILED and cannot be cancelled":          {ready, failed},
		"it is CANCELED and cannot be cancelled":        {canceled},
		`": must be named once`:                         {ready, ready},
	} {
		if _, err := p.desk.Undo(t.Context(), p.store.ID, label.Cancel, ids...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if _, err := p.desk.Undo(t.Context(), p.store.ID, label.Generate, ready); err == nil || err.Error() != `label: kind "generate": must be one of ["cancel" "suspension" "reactivate"]` {
		t.Errorf("got %v", err)
	}
	p.carrier(77, "")
	if _, err := p.desk.Undo(t.Context(), p.store.ID, label.Suspend, ready); err == nil || !strings.Contains(err.Error(), "takes no calls about labels") {
		t.Errorf("got %v", err)
	}
	if p.asked() != asked {
		t.Errorf("%d requests", p.asked()-asked)
	}
}
