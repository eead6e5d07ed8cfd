package webhook

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// contractEvents is the contract's list, written down once more.
const contractEvents = `
app/uninstalled app/suspended app/resumed category/created category/updated category/deleted
order/created order/updated order/paid order/packed order/fulfilled order/cancelled order/custom_fields_updated
order/edited order/pending order/voided order/in_preparation order/unpacked
product/created product/updated product/deleted product_variant/custom_fields_updated domain/updated
order_custom_field/created order_custom_field/updated order_custom_field/deleted
product_variant_custom_field/created product_variant_custom_field/updated product_variant_custom_field/deleted
fulfillment/updated fulfillment_order/status_updated fulfillment_order/label_status_updated
fulfillment_order/tracking_event_created fulfillment_order/tracking_event_updated
fulfillment_order/tracking_event_deleted
location/created location/updated location/deleted app_subscription/updated charge/created charge/paid charge/failed
customer/created customer/updated customer/deleted subscription/updated store/redact
customers/redact customers/data_request`

func TestEvents(t *testing.T) {
	var got []string
	for _, name := range Events() {
		got = append(got, string(name))
	}
	if want := strings.Fields(contractEvents); !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func nop[P any](context.Context, Delivery[P]) error { return nil }

func TestComplete(t *testing.T) {
	var r Registry
	On(&r, OrderPaid, nop)
	On(&r, Event[Entity]{Name: "kit/updated"}, nop)
	all := slices.DeleteFunc(Events(), func(n Name) bool {
		return n == OrderPaid.Name || n == ChargePaid.Name || n == StoreRedactRequested.Name
	})
	r.Ignore(all...)
	r.Ignore("theme/updated")
	err := r.Complete()
	if want := "events neither handled nor ignored: charge/paid, store/redact"; err == nil || err.Error() != want {
		t.Fatalf("got %v, want %s", err, want)
	}
	On(&r, StoreRedactRequested, nop)
	r.Ignore(ChargePaid.Name)
	if err := r.Complete(); err != nil {
		t.Errorf("all handled or ignored: got %v", err)
	}
}

func TestRegistryMistakes(t *testing.T) {
	tests := []struct {
		name string
		fill func(*Registry)
		want string
	}{
		{"handled twice", func(r *Registry) { On(r, OrderPaid, nop) }, `event "order/paid": handled twice`},
		{"handled, then ignored", func(r *Registry) { r.Ignore("order/paid") },
			`event "order/paid": both handled and ignored`},
		{"ignored, then handled", func(r *Registry) { r.Ignore("order/packed"); On(r, OrderPacked, nop) },
			`event "order/packed": both handled and ignored`},
		{"nil handler", func(r *Registry) { On(r, OrderPacked, nil) }, `event "order/packed": the handler is nil`},
		{"handled without a name", func(r *Registry) { On(r, Event[Entity]{}, nop) },
			"an event without a name is handled"},
		{"ignored without a name", func(r *Registry) { r.Ignore("") }, "an event without a name is ignored"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var r Registry
			On(&r, OrderPaid, nop)
			tt.fill(&r)
			h := &Handler{Secrets: secrets(1), Registry: &r}
			for what, err := range map[string]error{"Check": h.Check(), "Complete": r.Complete()} {
				if err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("%s: got %v, want %s", what, err, tt.want)
				}
			}
		})
	}
}

// TestOwnEvents: events that the package does not know, and types of one's own.
func TestOwnEvents(t *testing.T) {
	type kit struct {
		ID    int64  `json:"id"`
		Shape string `json:"shape"`
	}
	type order struct {
		ID string `json:"id"`
	}
	var r Registry
	var kits []kit
	var orders []order
	On(&r, Event[kit]{Name: "kit/updated"}, func(_ context.Context, d Delivery[kit]) error {
		kits = append(kits, d.Payload)
		return nil
	})
	On(&r, Event[order](OrderPaid), func(_ context.Context, d Delivery[order]) error {
		orders = append(orders, d.Payload)
		return nil
	})
	p := newProbe(t, func(h *Handler) { h.Registry = &r })
	for _, body := range []string{
		`{"store_id":1,"event":"kit/updated","id":5,"shape":"round"}`,
		`{"store_id":1,"event":"kit/updated","id":"no number"}`,
		`{"store_id":1,"event":"order/paid","id":"7"}`,
		`{"store_id":1,"event":"order/paid","id":7}`,
	} {
		if w := send(p, signed(body)); w.Code != http.StatusOK {
			t.Errorf("%s: got %d, want 200", body, w.Code)
		}
	}
	if want := []kit{{5, "round"}}; !slices.Equal(kits, want) {
		t.Errorf("got %v, want %v", kits, want)
	}
	if want := []order{{"7"}}; !slices.Equal(orders, want) {
		t.Errorf("got %v, want %v", orders, want)
	}
	if len(p.kept) != 2 {
		t.Errorf("got %d kept, want the two that do not fit", len(p.kept))
	}
}

// fussy is a payload of an app that cannot read itself.
type fussy struct{}

func (*fussy) UnmarshalJSON([]byte) error { panic("not expected") }

// TestPayloadThatPanics: it is malformed, as if it had returned an error. A worker was taken along by it, with its
// process.
func TestPayloadThatPanics(t *testing.T) {
	call := func(context.Context, Delivery[fussy]) error { t.Error("the handler was called"); return nil }
	const want = "malformed body: *webhook.fussy panicked while it was decoded"
	p := newProbe(t, func(h *Handler) {
		h.Registry = &Registry{}
		On(h.Registry, Event[fussy]{Name: "order/paid"}, call)
	})
	if w := send(p, signed(paidBody)); w.Code != http.StatusOK || len(p.kept) != 1 ||
		p.kept[0].Payload.Reason.Error() != want {
		t.Errorf("got status %d, kept %v; want 200 and %q", w.Code, p.kept, want)
	}
	e := p.Registry.Entry("", "", []byte(paidBody))
	if err := p.Registry.Handle(t.Context(), e); !errors.Is(err, ErrMalformed) {
		t.Errorf("Handle: got %v, want ErrMalformed", err)
	}
}
