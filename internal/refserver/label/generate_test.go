package label_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/label"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func TestGenerate(t *testing.T) {
	p := open(t)
	p.answer = always(202, nil)
	parcel := p.parcels("77", 1)[0]
	c := p.request(parcel)
	r := c.Results[0]
	if c.N != 1 || c.Kind != label.Generate || c.URL != "https://post.example/labels/generate" || c.Carrier != 77 || c.App != p.app.ID || c.Try != 1 || c.Status != 202 || !c.Next.IsZero() || c.Reason != "" {
		t.Errorf("call %+v", c)
	}
	if r.Fulfillment != parcel || !r.OK || r.Status != world.LabelStarted {
		t.Errorf("result %+v", r)
	}
	if p.paths[0] != "/labels/generate" {
		t.Errorf("path %s", p.paths[0])
	}
	body, _ := p.bodies[0].(array)
	one, _ := body[0].(object)
	info, _ := one["fulfillment_order_info"].(object)
	who, _ := info["recipient"].(object)
	by, _ := one["requested_by"].(object)
	if len(body) != 1 || len(one) != 6 || one["id"] != r.Label || one["status"] != "STARTED" || len(one["documents"].(array)) != 0 || one["created_at"] != "2025-01-01T12:00:00+00:00" {
		t.Errorf("label %v", one)
	}
	if id, ok := by["app_id"]; !ok || id != nil || len(by) != 2 {
		t.Errorf("requested_by %v", by)
	}
	if info["id"] != parcel || who["email"] != "ana@mail.example" || who["name"] != "Ana" || info["shipping"].(object)["carrier"].(object)["carrier_id"] != "77" || len(info["line_items"].(array)) != 1 {
		t.Errorf("fulfillment order %v", info)
	}

	// The app does the work later, and reports it.
	path := "PATCH /fulfillment-orders/" + parcel + "/labels/" + r.Label
	p.send(path, object{"status": "IN_PROGRESS"}, 200)
	p.send(path, object{"status": "READY_TO_DOWNLOAD", "documents": array{object{"type": "LABEL", "format": "PDF", "size": 1, "download_url_from_app": "https://post.example/l"}}}, 200)
	p.want(r.Label, world.LabelReadyToUse)
	p.clock.Advance(2 * time.Hour)
	p.want(r.Label, world.LabelReadyToUse)
	if got := p.events(r.Label); got != "IN_PROGRESS READY_TO_USE" || p.asked() != 1 {
		t.Errorf("events %s, %d requests", got, p.asked())
	}
}

// TestByTheAPI asks the carrier for what an app has begun.
func TestByTheAPI(t *testing.T) {
	p := open(t)
	parcel := p.parcels("77", 1)[0]
	p.send("POST /fulfillment-orders/labels", array{object{"id": parcel}}, 202)
	if err := p.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(p.bodies) != 1 {
		t.Fatalf("%d requests", len(p.bodies))
	}
	if by := p.bodies[0].(array)[0].(object)["requested_by"].(object); by["app_id"] != float64(p.app.ID) {
		t.Errorf("requested_by %v", by)
	}
	p.send("POST /fulfillment-orders/labels", array{object{"id": p.parcels("none", 1)[0]}}, 202)
	p.send("POST /fulfillment-orders/labels", array{}, 400)
	if err := p.Settle(t.Context()); err != nil || p.asked() != 1 {
		t.Errorf("%d requests, %v", p.asked(), err)
	}
}

// TestSettleOfARound waits for what a webhook begins, and for what comes of that.
func TestSettleOfARound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := open(t)
		parcel := p.parcels("77", 1)[0]
		p.answer = func(int, string, any) (int, any) { time.Sleep(time.Second); return 200, nil }
		_ = p.Partner("https://shop.example", http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			time.Sleep(time.Second)
			p.send("POST /fulfillment-orders/labels", array{object{"id": parcel}}, 202)
		}))
		p.Server = p.Fork() // webhooks are sent by it: the events of the first go to told
		p.desk = p.Labels()
		p.update(func(tx *world.Tx) error {
			if err := tx.Webhooks.Put(5, world.Webhook{ID: 5, App: p.app.ID, Event: "order/packed", URL: "https://shop.example/w"}); err != nil {
				return err
			}
			tx.Emit("order/packed", nil)
			return nil
		})
		if err := p.Settle(t.Context()); err != nil || len(p.desk.Calls()) != 1 {
			t.Errorf("%d calls on record, %v", len(p.desk.Calls()), err)
		}
		p.Close()
	})
}

// TestFifty sends no more labels at once, and one call for each carrier.
func TestFifty(t *testing.T) {
	p := open(t)
	p.carrier(78, "https://post.example/other")
	ids := append(p.parcels("77", 101), p.parcels("78", 50)...)
	calls, err := p.desk.Request(t.Context(), p.store.ID, ids...)
	if err != nil {
		t.Fatal(err)
	}
	var sizes []int
	for _, c := range calls {
		sizes = append(sizes, len(c.Results))
	}
	if len(sizes) != 4 || sizes[0] != 50 || sizes[1] != 50 || sizes[2] != 1 || sizes[3] != 50 || calls[3].Carrier != 78 {
		t.Errorf("calls of %v labels", sizes)
	}
	for i, n := range sizes {
		if len(p.bodies[i].(array)) != n {
			t.Errorf("request %d has %d labels", i, len(p.bodies[i].(array)))
		}
	}
}

// TestAnswers has what each answer to generate means.
func TestAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		status  int
		answer  func(id string) any
		handler http.HandlerFunc
		ok      bool
		code    string
		message string
		reason  string
	}{
		"200":             {status: 200, ok: true},
		"202":             {status: 202, ok: true},
		"204":             {status: 204, ok: true},
		"207 OK":          {status: 207, answer: func(id string) any { return array{object{"id": id, "status": "OK"}} }, ok: true},
		"207 FAILED":      {status: 207, answer: func(id string) any { return array{object{"id": id, "status": "FAILED"}} }, code: "OTHER_ERROR"},
		"207 with a text": {status: 207, answer: func(id string) any { return array{object{"id": id, "status": "FAILED", "reason": "no address"}} }, code: "OTHER_ERROR", message: "no address"},
		"207 with a reason": {status: 207, answer: func(id string) any {
			return array{object{"id": id, "status": "FAILED", "reason": object{"type": "BAD", "message": "m"}}}
		}, code: "BAD", message: "m"},
		"207 with a code": {status: 207, answer: func(id string) any {
			return array{object{"id": id, "status": "FAILED", "reason": object{"code": "BAD"}}}
		}, code: "BAD"},
		"207 of another":   {status: 207, answer: func(string) any { return array{object{"id": "X", "status": "FAILED"}} }, ok: true, reason: `label "X": it is not in the request`},
		"207 of no status": {status: 207, answer: func(id string) any { return array{object{"id": id, "status": "DONE"}} }, ok: true, reason: "must be OK or FAILED"},
		"207 unreadable":   {status: 207, answer: func(string) any { return object{} }, ok: true, reason: "must be an array of {id, status, reason}"},
		"207 empty":        {status: 207, answer: func(string) any { return array{} }, ok: true},
		"302":              {status: 302, code: "OTHER_ERROR", message: "status 302: must be 2xx", reason: "status 302"},
		"400":              {status: 400, code: "OTHER_ERROR", message: "status 400: must be 2xx", reason: "status 400"},
		"503":              {status: 503, code: "OTHER_ERROR", message: "status 503: must be 2xx", reason: "status 503"},
		"none":             {handler: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, code: "OTHER_ERROR", reason: "the handler panicked"},
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t)
			p.answer = func(_ int, _ string, body any) (int, any) {
				if c.answer == nil {
					return c.status, nil
				}
				return c.status, c.answer(body.(array)[0].(object)["id"].(string))
			}
			if c.handler != nil {
				_ = p.Partner("https://post.example", c.handler)
			}
			call := p.request(p.parcels("77", 1)[0])
			r := call.Results[0]
			if r.OK != c.ok || r.Code != c.code || c.handler == nil && r.Message != c.message || !strings.Contains(call.Reason, c.reason) || c.reason == "" && call.Reason != "" || !call.Next.IsZero() {
				t.Errorf("call %+v", call)
			}
			status, told := world.LabelStarted, ""
			if !c.ok {
				status, told = world.LabelFailed, "FAILED"
			}
			if p.want(r.Label, status); r.Status != status || p.events(r.Label) != told {
				t.Errorf("result %+v, events %s", r, p.events(r.Label))
			}
			if p.clock.Advance(time.Minute); len(p.desk.Calls()) != 1 {
				t.Errorf("%d calls", len(p.desk.Calls()))
			}
		})
	}
}

// TestParts fails only the labels that the carrier refuses, and none that has gone on
// in the meantime.
func TestParts(t *testing.T) {
	p := open(t)
	ids := p.parcels("77", 3)
	p.answer = func(_ int, _ string, body any) (int, any) {
		of := func(i int) string { return body.(array)[i].(object)["id"].(string) }
		p.send("PATCH /fulfillment-orders/"+ids[2]+"/labels/"+of(2), object{"status": "IN_PROGRESS"}, 200)
		return 207, array{object{"id": of(1), "status": "FAILED", "reason": object{"type": "T", "message": "m"}}, object{"id": of(2), "status": "FAILED"}}
	}
	c := p.request(ids...)
	if !c.Results[0].OK || c.Results[1].OK || c.Results[2].OK {
		t.Errorf("results %+v", c.Results)
	}
	p.want(c.Results[0].Label, world.LabelStarted)
	p.want(c.Results[1].Label, world.LabelFailed)
	p.want(c.Results[2].Label, world.LabelInProgress)
}

// TestLate repeats three times what is late, two seconds apart, and then gives up.
func TestLate(t *testing.T) {
	p := open(t)
	p.takes = 5 * time.Second
	id := p.request(p.parcels("77", 1)[0]).Results[0].Label
	for n := 1; n <= 4; n++ {
		calls := p.desk.Calls()
		c := calls[len(calls)-1]
		if len(calls) != n || c.Try != n || !c.Late || c.Reason != "no answer within 5s" || c.Next.IsZero() != (n == 4) || string(c.Request) != string(calls[0].Request) {
			t.Fatalf("call %d: %+v", n, c)
		}
		if n == 4 {
			break
		}
		p.want(id, world.LabelStarted)
		if !c.Next.Equal(p.clock.Now().Add(2 * time.Second)) {
			t.Errorf("call %d: the next is at %s", n, c.Next)
		}
		p.clock.Advance(2*time.Second - 1)
		if p.asked() != n {
			t.Errorf("call %d came too early", n+1)
		}
		p.clock.Advance(1)
	}
	p.want(id, world.LabelFailed)
	if p.clock.Advance(time.Hour); p.asked() != 4 || p.events(id) != "FAILED" {
		t.Errorf("%d requests, events %s", p.asked(), p.events(id))
	}

	p = open(t)
	p.takes = 5 * time.Second
	id = p.request(p.parcels("77", 1)[0]).Results[0].Label
	p.takes = 5*time.Second - 1
	p.clock.Advance(10 * time.Second)
	p.want(id, world.LabelStarted)
	if c := p.desk.Calls(); len(c) != 2 || c[1].Late || !c[1].Results[0].OK {
		t.Errorf("calls %+v", c)
	}
}

// TestExpiry is "STARTED/IN_PROGRESS older than 30 min become FAILED" and "label must
// follow within 1 h", by the clock.
func TestExpiry(t *testing.T) {
	const half = 30 * time.Minute
	start := func(t *testing.T) (*post, string, string) {
		p := open(t)
		parcel := p.parcels("77", 1)[0]
		id := p.request(parcel).Results[0].Label
		return p, id, "PATCH /fulfillment-orders/" + parcel + "/labels/" + id
	}
	t.Run("STARTED", func(t *testing.T) {
		p, id, _ := start(t)
		p.clock.Advance(half)
		p.want(id, world.LabelStarted)
		p.clock.Advance(time.Second)
		p.want(id, world.LabelFailed)
		if got := p.events(id); got != "FAILED" {
			t.Errorf("events %s", got)
		}
	})
	t.Run("IN_PROGRESS", func(t *testing.T) {
		p, id, path := start(t)
		p.clock.Advance(20 * time.Minute)
		p.send(path, object{"status": "IN_PROGRESS"}, 200)
		p.clock.Advance(half)
		p.want(id, world.LabelInProgress)
		p.clock.Advance(time.Second)
		p.want(id, world.LabelFailed)
		p.send(path, object{"status": "CANCELED"}, 400)
	})
	t.Run("an hour", func(t *testing.T) {
		p, id, path := start(t)
		l := p.World().Limits()
		l.LabelDeadline = 40 * time.Minute
		p.World().SetLimits(l)
		p.clock.Advance(20 * time.Minute)
		p.send(path, object{"status": "IN_PROGRESS"}, 200)
		p.clock.Advance(20 * time.Minute)
		p.want(id, world.LabelInProgress)
		p.clock.Advance(time.Second)
		p.send(path, object{"status": "CANCELED"}, 400)
		p.want(id, world.LabelFailed)
	})
	// The alarm is not part of the world that a fork begins with or a snapshot brings back.
	t.Run("a fork", func(t *testing.T) {
		p, id, _ := start(t)
		p.Server = p.Fork()
		t.Cleanup(p.Server.Close)
		p.clock.Advance(half + time.Second)
		p.want(id, world.LabelFailed)
	})
	t.Run("restored", func(t *testing.T) {
		p, id, _ := start(t)
		snap := p.Snapshot()
		p.clock.Advance(half + time.Second)
		p.Restore(snap)
		p.want(id, world.LabelFailed)
	})
	if l := world.Contract(); l.LabelPatience != half || l.LabelDeadline != time.Hour || l.LabelRequest != 50 || l.LabelRepeats != 3 || l.LabelWait != 2*time.Second || l.LabelTimeout != 5*time.Second {
		t.Errorf("limits %+v", l)
	}
}

func TestImpossibleRequests(t *testing.T) {
	p := open(t)
	for want, ids := range map[string][]string{
		"label: fulfillment_orders: must have at least": nil,
		`fulfillment order "none" does not exist`:       {"none"},
		": its carrier takes no calls about labels":     {p.parcels("custom", 1)[0]},
		": its carrier takes no calls about labels ":    {p.parcels("78", 1)[0]},
		": its carrier takes no calls about labels (2)": {p.parcels("77", 1)[0], p.parcels("", 1)[0]},
	} {
		want, _, _ = strings.Cut(strings.TrimSpace(want), " (")
		if _, err := p.desk.Request(t.Context(), p.store.ID, ids...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	p.carrier(77, "")
	if _, err := p.desk.Request(t.Context(), p.store.ID, p.parcels("77", 1)[0]); err == nil {
		t.Error("a carrier without callback_labels_url was asked")
	}
	p.update(func(tx *world.Tx) error {
		if n := tx.Labels.Len(); n != 0 {
			t.Errorf("%d labels were begun", n)
		}
		return nil
	})
	ctx, cancel := context.WithCancel(t.Context())
	p.carrier(77, "https://slow.example/l")
	_ = p.Partner("https://slow.example", http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		_ = delivery.Spend(r.Context(), time.Second)
		panic(http.ErrAbortHandler)
	}))
	if _, err := p.desk.Request(ctx, p.store.ID, p.parcels("77", 1)[0]); !errors.Is(err, context.Canceled) || len(p.desk.Calls()) != 0 {
		t.Errorf("got %v, %v", err, p.desk.Calls())
	}
}

// TestInterrupted asks again for what the carriers were not asked for, or nobody heard of.
func TestInterrupted(t *testing.T) {
	p := open(t)
	p.carrier(78, "https://post.example/other")
	p.carrier(77, "https://slow.example/l")
	ctx, cancel := context.WithCancel(t.Context())
	_ = p.Partner("https://slow.example", http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		cancel()
		panic(http.ErrAbortHandler)
	}))
	if calls, err := p.desk.Request(ctx, p.store.ID, p.parcels("77", 1)[0], p.parcels("78", 1)[0]); !errors.Is(err, context.Canceled) || len(calls) != 0 {
		t.Fatalf("got %v, %+v", err, calls)
	}
	p.carrier(77, "https://post.example/labels")
	calls, err := p.desk.Request(t.Context(), p.store.ID, p.parcels("77", 1)[0])
	if err != nil {
		t.Fatal(err)
	}
	if len(calls) != 2 || len(calls[0].Results) != 2 || calls[1].Carrier != 78 {
		t.Errorf("%d calls, want one about both labels of carrier 77 and one of carrier 78", len(calls))
	}
}

// TestClosed asks nobody any more.
func TestClosed(t *testing.T) {
	p := open(t)
	p.takes = 5 * time.Second
	p.request(p.parcels("77", 1)[0])
	p.Close()
	p.desk.Wake(p.store.ID)
	if p.clock.Advance(time.Hour); p.asked() != 1 {
		t.Errorf("%d requests", p.asked())
	}
}
