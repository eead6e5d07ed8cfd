package webhook

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
)

const (
	aULID   = "01JB2Y6Q3T0M8R5V7W9X1Z2A3B"
	bULID   = "01JB2Y6Q3T0M8R5V7W9X1Z2A3C"
	fieldID = "6f1f8bd3-4a35-4d6b-9b60-2f2a7a2f4f11"
)

// wireCase is a body as the contract writes it and what a handler must see.
type wireCase struct {
	event Name
	body  string
	want  any
	send  func(t *testing.T, body string) any
}

// arrives registers e, posts the body and returns the payload.
func arrives[P any](e Event[P], body string, want P) wireCase {
	return wireCase{e.Name, body, want, func(t *testing.T, body string) any {
		var events Registry
		var got []P
		On(&events, e, func(_ context.Context, d Delivery[P]) error {
			if d.StoreID != 123 || d.Event != e.Name || string(d.Raw) != body || d.ReceivedAt.IsZero() {
				t.Errorf("got store %d, event %q, %d bytes at %v", d.StoreID, d.Event, len(d.Raw), d.ReceivedAt)
			}
			got = append(got, d.Payload)
			return nil
		})
		p := newProbe(t, func(h *Handler) { h.Registry = &events })
		if w := send(p, signed(body)); w.Code != http.StatusOK || len(got) != 1 || len(p.kept) != 0 {
			t.Fatalf("got status %d, %d calls, kept %v", w.Code, len(got), p.kept)
		}
		return got[0]
	}}
}

func wireCases() []wireCase {
	launch := client.At(time.Date(2025, 4, 8, 18, 19, 40, 0, time.FixedZone("", 0)))
	unix := client.At(time.Unix(1744136380, 0).UTC())
	a, b := ulid.MustParseStrict(aULID), ulid.MustParseStrict(bULID)
	field := CustomFieldEntity{ID: uuid.MustParse(fieldID)}
	customer := Customer{ID: 1, Email: "john@example.com", Phone: "+55 2222-2222", Identification: "111.111.111-11"}
	details := ChargeDetails{
		ID: "9b1f", ConceptCode: "app-cost", AmountValue: client.MustMoney("49.9"), AmountCurrency: "ARS",
		FromDate: client.At(time.Date(2025, 4, 1, 0, 0, 0, 0, time.UTC)),
		ToDate:   client.At(time.Date(2025, 5, 1, 0, 0, 0, 0, time.UTC)),
	}
	raw := func(s string) json.RawMessage { return json.RawMessage(s) }
	return []wireCase{
		arrives(AppUninstalled, `{"store_id":123,"event":"app/uninstalled","id":42}`, App{ID: 42}),
		arrives(AppSuspended, `{"store_id":123,"event":"app/suspended","id":42}`,
			AppAccess{client.Extra{"id": raw("42")}}),
		arrives(AppResumed, `{"store_id":123,"event":"app/resumed"}`, AppAccess{}),
		arrives(CategoryCreated, `{"store_id":123,"event":"category/created","id":5}`, Entity{ID: 5}),
		arrives(CategoryUpdated, `{"store_id":123,"event":"category/updated","id":5}`, Entity{ID: 5}),
		arrives(CategoryDeleted, `{"store_id":123,"event":"category/deleted","id":5}`, Entity{ID: 5}),
		arrives(OrderCreated, `{"store_id":123,"event":"order/created","id":9007199254740993}`,
			Entity{ID: 9007199254740993}),
		arrives(OrderUpdated, `{"store_id":123,"event":"order/updated","id":9223372036854775807}`,
			Entity{ID: 9223372036854775807}),
		arrives(OrderPaid, `{"store_id":123,"event":"order/paid","id":"871254203"}`, Entity{ID: 871254203}),
		arrives(OrderPacked, `{"store_id":123,"event":"order/packed","id":1}`, Entity{ID: 1}),
		arrives(OrderFulfilled, `{"store_id":123,"event":"order/fulfilled","id":1}`, Entity{ID: 1}),
		arrives(OrderCancelled, `{"store_id":123,"event":"order/cancelled","id":1}`, Entity{ID: 1}),
		arrives(OrderCustomFieldsUpdated, `{"store_id":123,"event":"order/custom_fields_updated","id":1}`,
			Entity{ID: 1}),
		arrives(OrderEdited, `{"store_id":123,"event":"order/edited","id":1}`, Entity{ID: 1}),
		arrives(OrderPending, `{"store_id":123,"event":"order/pending","id":1}`, Entity{ID: 1}),
		arrives(OrderVoided, `{"store_id":123,"event":"order/voided","id":1}`, Entity{ID: 1}),
		arrives(OrderInPreparation, `{"store_id":123,"event":"order/in_preparation","id":1}`, Entity{ID: 1}),
		arrives(OrderUnpacked, `{"store_id":123,"event":"order/unpacked","id":1}`, Entity{ID: 1}),
		arrives(ProductCreated, `{"store_id":123,"event":"product/created","id":1948209}`, Entity{ID: 1948209}),
		arrives(ProductUpdated, `{"store_id":123,"event":"product/updated","id":1,"retry":3,"STORE_ID":9}`,
			Entity{1, client.Extra{"retry": raw("3"), "STORE_ID": raw("9")}}),
		arrives(ProductDeleted, `{"store_id":123,"event":"product/deleted","id":1}`, Entity{ID: 1}),
		arrives(ProductVariantCustomFieldsUpdated,
			`{"store_id":123,"event":"product_variant/custom_fields_updated","id":77}`, Entity{ID: 77}),
		arrives(DomainUpdated, `{"store_id":123,"event":"domain/updated"}`, Domain{}),
		arrives(OrderCustomFieldCreated, `{"store_id":123,"event":"order_custom_field/created","id":"`+fieldID+`"}`,
			field),
		arrives(OrderCustomFieldUpdated, `{"store_id":123,"event":"order_custom_field/updated","id":"`+fieldID+`"}`,
			field),
		arrives(OrderCustomFieldDeleted, `{"store_id":123,"event":"order_custom_field/deleted","id":"`+fieldID+`"}`,
			field),
		arrives(ProductVariantCustomFieldCreated, `{"store_id":123,"event":"product_variant_custom_field/created",`+
			`"id":"`+fieldID+`"}`, field),
		arrives(ProductVariantCustomFieldUpdated, `{"store_id":123,"event":"product_variant_custom_field/updated",`+
			`"id":"`+fieldID+`"}`, field),
		arrives(ProductVariantCustomFieldDeleted, `{"store_id":123,"event":"product_variant_custom_field/deleted",`+
			`"id":"`+fieldID+`"}`, field),
		arrives(FulfillmentUpdated, `{"store_id":123,"event":"fulfillment/updated","id":8,"order_id":"9"}`,
			Fulfillment{client.Extra{"id": raw("8"), "order_id": raw(`"9"`)}}),
		arrives(FulfillmentOrderStatusUpdated,
			`{"store_id":"123","event":"fulfillment_order/status_updated","order_id":"871254203","fulfillment_id":"`+
				aULID+`","status":"PACKED"}`,
			FulfillmentOrderStatus{OrderID: 871254203, FulfillmentID: a, Status: "PACKED"}),
		arrives(FulfillmentOrderLabelStatusUpdated,
			`{"store_id":"123","event":"fulfillment_order/label_status_updated","order_id":"7","fulfillment_id":"`+
				aULID+`","label_id":"`+bULID+`",
			  "status":"FAILED","tracking_info":{"code":"BR1","url":"https://t.example/1"},
			  "reason":{"type":"OTHER_ERROR","message":"no paper"}}`,
			Label{
				OrderID: 7, FulfillmentID: a, LabelID: b, Status: "FAILED",
				TrackingInfo: &TrackingInfo{Code: "BR1", URL: "https://t.example/1"},
				Reason:       &LabelReason{Type: "OTHER_ERROR", Message: "no paper"},
			}),
		arrives(FulfillmentOrderTrackingEventCreated,
			`{"store_id":"123","event":"fulfillment_order/tracking_event_created","order_id":"7","fulfillment_id":"`+
				aULID+`","tracking_event_id":"`+bULID+`","status":"in_transit"}`,
			TrackingEvent{OrderID: 7, FulfillmentID: a, TrackingEventID: b, Status: "in_transit"}),
		arrives(FulfillmentOrderTrackingEventUpdated,
			`{"store_id":"123","event":"fulfillment_order/tracking_event_updated","order_id":"7","fulfillment_id":"`+
				aULID+`","tracking_event_id":"`+bULID+`","status":"delivered"}`,
			TrackingEvent{OrderID: 7, FulfillmentID: a, TrackingEventID: b, Status: "delivered"}),
		arrives(FulfillmentOrderTrackingEventDeleted,
			`{"store_id":"123","event":"fulfillment_order/tracking_event_deleted","order_id":7,"fulfillment_id":"`+
				aULID+`","tracking_event_id":"`+bULID+`","status":"custom_x"}`,
			TrackingEvent{OrderID: 7, FulfillmentID: a, TrackingEventID: b, Status: "custom_x"}),
		arrives(LocationCreated, `{"store_id":"123","event":"location/created","id":"`+aULID+`"}`,
			LocationEntity{ID: a}),
		arrives(LocationUpdated, `{"store_id":"123","event":"location/updated","id":"`+aULID+`"}`,
			LocationEntity{ID: a}),
		arrives(LocationDeleted, `{"store_id":"123","event":"location/deleted","id":"`+aULID+`"}`,
			LocationEntity{ID: a}),
		arrives(AppSubscriptionUpdated,
			`{"store_id":123,"event":"app_subscription/updated","id":42,"topic":"plan_changed","plan":{"id":"p-1",`+
				`"code":"gold","external_reference":"g1"}}`,
			AppSubscription{AppID: 42, Topic: TopicPlanChanged,
				Plan: &Plan{ID: "p-1", Code: "gold", ExternalReference: "g1"}}),
		arrives(AppSubscriptionUpdated, `{"store_id":123,"event":"app_subscription/updated","id":42,"topic":"churn"}`,
			AppSubscription{AppID: 42, Topic: TopicChurn}),
		arrives(ChargeCreated, `{"store_id":123,"event":"charge/created","id":"9b1f","app_id":42}`,
			Charge{ID: "9b1f", AppID: 42}),
		arrives(ChargeCreated, `{"store_id":123,"event":"charge/created","id":91}`, Charge{ID: "91"}),
		arrives(ChargePaid,
			`{"store_id":123,"event":"charge/paid","id":"9b1f","app_id":42,"charge":{"id":"9b1f",`+
				`"concept_code":"app-cost","from_date":"2025-04-01T00:00:00Z","to_date":"2025-05-01T00:00:00Z",`+
				`"amount_value":49.9,"amount_currency":"ARS"}}`,
			ChargeResult{ID: "9b1f", AppID: 42, Charge: details}),
		arrives(ChargeFailed,
			`{"store_id":123,"event":"charge/failed","id":"9b1f","charge":{"id":"9b1f","concept_code":"app-cost",`+
				`"from_date":"2025-04-01T00:00:00Z","to_date":"2025-05-01T00:00:00Z","amount_value":49.9,`+
				`"amount_currency":"ARS"}}`,
			ChargeResult{ID: "9b1f", Charge: details}),
		arrives(CustomerCreated, `{"store_id":123,"event":"customer/created","id":3,"event_launch_ts":1744136380}`,
			CustomerEntity{ID: 3, EventLaunchTS: unix}),
		arrives(CustomerUpdated, `{"store_id":123,"event":"customer/updated","id":3,`+
			`"event_launch_ts":"2025-04-08T18:19:40+00:00"}`, CustomerEntity{
			ID: 3, EventLaunchTS: launch}),
		arrives(CustomerDeleted, `{"store_id":123,"event":"customer/deleted","id":3,"event_launch_ts":1744136380000}`,
			CustomerEntity{ID: 3, EventLaunchTS: unix}),
		arrives(SubscriptionUpdated,
			`{"store_id":123,"event":"subscription/updated","concept_code":"app-cost","service_id":42,`+
				`"event_launch_ts":1744136380}`,
			Subscription{ConceptCode: "app-cost", ServiceID: 42, EventLaunchTS: unix}),
		arrives(StoreRedactRequested, `{"store_id":123,"event":"store/redact"}`, StoreRedact{}),
		arrives(CustomerRedactRequested,
			`{"store_id":123,"event":"customers/redact","customer":{"id":1,"email":"john@example.com","phone":"+55 `+
				`2222-2222","identification":"111.111.111-11"},"orders_to_redact":[213,415]}`,
			CustomerRedact{Customer: customer, OrdersToRedact: []client.ID{213, 415}}),
		arrives(CustomerDataRequested,
			`{"store_id":123,"event":"customers/data_request","customer":{"id":1,"email":"john@example.com",`+
				`"phone":"+55 2222-2222","identification":"111.111.111-11"},"orders_requested":[213],`+
				`"checkouts_requested":[214,215],"drafts_orders_requested":[],"data_request":{"id":456}}`,
			DataRequest{
				Customer: customer, OrdersRequested: []client.ID{213}, CheckoutsRequested: []client.ID{214, 215},
				DraftOrdersRequested: []client.ID{}, DataRequest: DataRequestRef{ID: 456},
			}),
	}
}

func TestPayloads(t *testing.T) {
	var seen []Name
	for _, c := range wireCases() {
		seen = append(seen, c.event)
		t.Run(string(c.event), func(t *testing.T) {
			got := c.send(t, c.body)
			if !equalPayload(got, c.want) {
				t.Errorf("got  %+v\nwant %+v", got, c.want)
			}
		})
	}
	for _, name := range Events() {
		if !slices.Contains(seen, name) {
			t.Errorf("no body for %s", name)
		}
	}
}

// TestLaunchTimeThatCannotBeRead: the handler has it as it came.
func TestLaunchTimeThatCannotBeRead(t *testing.T) {
	for _, c := range []wireCase{
		arrives(CustomerUpdated, `{"store_id":123,"event":"customer/updated","id":3,"event_launch_ts":"soon","x":1}`,
			CustomerEntity{ID: 3, Extra: client.Extra{"event_launch_ts": json.RawMessage(`"soon"`),
				"x": json.RawMessage("1")}}),
		arrives(SubscriptionUpdated, `{"store_id":123,"event":"subscription/updated","concept_code":"a",`+
			`"service_id":"7","event_launch_ts":"17441363"}`,
			Subscription{ConceptCode: "a", ServiceID: 7,
				Extra: client.Extra{"event_launch_ts": json.RawMessage(`"17441363"`)}}),
	} {
		if got := c.send(t, c.body); !reflect.DeepEqual(got, c.want) {
			t.Errorf("got  %+v\nwant %+v", got, c.want)
		}
	}
}

// equalPayload compares after a trip through JSON too, where instants lose the
// identity of their zone.
func equalPayload(got, want any) bool {
	a, err := json.Marshal(got)
	b, err2 := json.Marshal(want)
	return err == nil && err2 == nil && string(a) == string(b) && reflect.TypeOf(got) == reflect.TypeOf(want)
}

// TestKeys: which deliveries say the same.
func TestKeys(t *testing.T) {
	customer := func(ts string) string {
		return `{"store_id":1,"event":"customer/updated","id":3,"event_launch_ts":` + ts + `}`
	}
	label := func(status string) string {
		return `{"store_id":1,"event":"fulfillment_order/label_status_updated","order_id":7,"fulfillment_id":"` +
			aULID + `","label_id":"` + bULID + `","status":"` + status + `"}`
	}
	redact := func(orders string) string {
		return `{"store_id":1,"event":"customers/redact","customer":{"id":1},"orders_to_redact":` + orders + `}`
	}
	tests := []struct {
		name string
		a, b string
		same bool
	}{
		{"number and text", `{"store_id":1,"event":"order/paid","id":2}`,
			`{"id":"2","event":"order/paid","store_id":"1"}`, true},
		{"retry counter", `{"store_id":1,"event":"order/paid","id":2,"retry":1}`,
			`{"store_id":1,"event":"order/paid","id":2,"retry":2}`, true},
		{"entities", `{"store_id":1,"event":"order/paid","id":2}`, `{"store_id":1,"event":"order/paid","id":3}`, false},
		{"stores", `{"store_id":1,"event":"order/paid","id":2}`, `{"store_id":2,"event":"order/paid","id":2}`, false},
		{"events", `{"store_id":1,"event":"order/paid","id":2}`, `{"store_id":1,"event":"order/packed","id":2}`, false},
		{"launch times", customer("1744136380"), customer("1744136381"), false},
		{"spellings of a launch time", customer("1744136380"), customer(`"2025-04-08T15:19:40-0300"`), true},
		{"case of a ULID", `{"store_id":1,"event":"location/updated","id":"` + aULID + `"}`,
			`{"store_id":1,"event":"location/updated","id":"01jb2y6q3t0m8r5v7w9x1z2a3b"}`, true},
		{"statuses of a label", label("STARTED"), label("FAILED"), false},
		{
			"texts that run together", `{"store_id":1,"event":"app_subscription/updated","id":4,"topic":"a 1:b",` +
				`"plan":{"id":"c"}}`, `{"store_id":1,"event":"app_subscription/updated","id":4,"topic":"a",` +
				`"plan":{"id":"b 1:c"}}`, false},
		{"orders to redact", redact("[1,2]"), redact("[1,3]"), false},
		{"orders in another order", redact("[1,2]"), redact("[2,1]"), true},
		{"domains", `{"store_id":1,"event":"domain/updated","x":1}`, `{"store_id":1,"event":"domain/updated","x":2}`,
			true},
		{"unknown, same bytes", `{"store_id":1,"event":"kit/updated","id":2}`,
			`{"store_id":1,"event":"kit/updated","id":2}`, true},
		{"unknown, other bytes", `{"store_id":1,"event":"kit/updated","id":2}`,
			`{"store_id":1,"event":"kit/updated","id":2 }`, false},
		{"payload not shown", `{"store_id":1,"event":"fulfillment/updated","id":2}`,
			`{"store_id":1,"event":"fulfillment/updated","id":3}`, false},
		{"malformed, other bytes", `{`, `[`, false},
	}
	r := newReader("")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, b := r.read([]byte(tt.a), time.Time{}), r.read([]byte(tt.b), time.Time{})
			if got := a.key == b.key; got != tt.same {
				t.Errorf("same key: got %v, want %v (%v, %v)", got, tt.same, a.flaw, b.flaw)
			}
		})
	}
}
