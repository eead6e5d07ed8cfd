package client

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

func TestFulfillmentRequests(t *testing.T) {
	ctx, id := t.Context(), someULID
	const fo = "/v1/123/orders/1/fulfillment-orders/01FHZXHK8PTP9FVK99Z66GXASS"
	const label = "/v1/123/fulfillment-orders/01FHZXHK8PTP9FVK99Z66GXASS/labels/01FHZXHK8PTP9FVK99Z66GXASS"
	at := At(time.Date(2022, 11, 24, 10, 20, 19, 0, time.UTC))
	for want, call := range map[string]func(*engine.Service) error{
		`PATCH /v1/123/fulfillment-orders/labels/status []`: func(v *engine.Service) error { return (*LabelService)(v).UpdateStatuses(ctx, []int{}) },
		"PATCH " + fo + ` {"shipping":{"merchant_cost":{"value":10.50,"currency":"BRL"}},"recipient":{"name":"Ana"},"assigned_location":{"location_id":"01FHZXHK8PTP9FVK99Z66GXASS"}}`: func(v *engine.Service) error {
			_, err := (*FulfillmentOrderService)(v).Update(ctx, 1, id, FulfillmentOrderInput{Recipient: Set(RecipientInput{Name: "Ana"}),
				AssignedLocation: Set(AssignedLocationInput{id}), Shipping: Set(FulfillmentShippingInput{MerchantCost: Set(AmountInput{Cents(1050), "BRL"})})})
			return err
		},
		"PATCH " + fo + ` {"shipping":{"type":"pickup","option":{"allow_free_shipping":false},"pickup_details":{"location_id":"01FHZXHK8PTP9FVK99Z66GXASS","name":"Sur","address":{"street":"Rua A"},"pickup_hours":[{"day":"MONDAY","start":"0800","end":"1800"}]},"extras":{"accepts_cod":true,"show_time":false}}}`: func(v *engine.Service) error {
			_, err := (*FulfillmentOrderService)(v).Update(ctx, 1, id, FulfillmentOrderInput{Shipping: Set(FulfillmentShippingInput{Type: PickupTypePickup,
				Option: Set(FulfillmentOptionInput{AllowFreeShipping: Set(false)}),
				PickupDetails: Set(FulfillmentPickupInput{LocationID: Set(id), Name: "Sur", Address: Set(FulfillmentAddressInput{Street: "Rua A"}),
					PickupHours: Set([]PickupHoursInput{{WeekdayMonday, "0800", "1800"}})}),
				Extras: Set(ShippingExtrasInput{AcceptsCOD: Set(true), ShowTime: Set(false)})})})
			return err
		},
		"POST " + fo + `/tracking-events {"status":"in_transit","geolocation":{"longitude":73.85,"latitude":40.84},"happened_at":"2022-11-24T10:20:19Z","estimated_delivery_at":null}`: func(v *engine.Service) error {
			_, err := (*TrackingEventService)(v).Create(ctx, 1, id, TrackingEventInput{Status: TrackingInTransit, Geolocation: Set(Geolocation{"73.85", "40.84"}), HappenedAt: at, EstimatedDeliveryAt: Null[Time]()})
			return err
		},
		"PUT " + fo + `/tracking-events/01FHZXHK8PTP9FVK99Z66GXASS {"status":"custom_drone"}`: func(v *engine.Service) error {
			_, err := (*TrackingEventService)(v).Update(ctx, 1, id, id, TrackingEventInput{Status: "custom_drone"})
			return err
		},
		// Fractions of a second were sent, which are not among the forms of time that the contract has for this
		// endpoint.
		`POST /v1/123/orders/1/fulfillments {"status":"delivered","happened_at":"2022-11-24T10:20:19Z","estimated_delivery_at":"2022-11-24T10:20:20Z"}`: func(v *engine.Service) error {
			_, err := (*FulfillmentService)(v).Create(ctx, 1, FulfillmentInput{Status: TrackingDelivered, HappenedAt: At(at.Add(123456789)), EstimatedDeliveryAt: At(at.Add(1999999999))})
			return err
		},
		`POST /v1/123/fulfillment-orders/labels [{"id":"01FHZXHK8PTP9FVK99Z66GXASS"}]`: func(v *engine.Service) error { return (*LabelService)(v).Request(ctx, id) },
		"PATCH " + label + ` {"status":"READY_TO_DOWNLOAD","documents":[{"type":"LABEL","format":"PDF","size":123,"download_url_from_app":"https://a.example/1"}],"tracking_info":{"code":"BR1"}}`: func(v *engine.Service) error {
			return (*LabelService)(v).Update(ctx, id, id, LabelInput{Status: LabelReadyToDownload, Documents: []LabelDocumentInput{{"LABEL", "PDF", 123, "https://a.example/1"}}, TrackingInfo: Set(LabelTrackingInput{Code: "BR1"})})
		},
	} {
		body := `{"id":"01FHZXHK8PTP9FVK99Z66GXASS"}`
		if strings.Contains(want, "/fulfillments") {
			body = `{"id":2}`
		}
		if strings.HasSuffix(want, "events") || strings.HasSuffix(want, "fulfillments") {
			body = `[]`
		}
		v, seen := answering(t, VersionV1, body)
		if err := call(v); err != nil {
			t.Errorf("%s: %v", want, err)
		}
		if len(*seen) != 1 || (*seen)[0].String() != want {
			t.Errorf("asked %v\n want %s", *seen, want)
		}
	}
}

func TestFulfillmentOrdersComeAsArrayOrEnvelope(t *testing.T) {
	const one = `{"id":"01FHZXHK8PTP9FVK99Z66GXASS"}`
	for body, want := range map[string]int{
		`[` + one + `,` + one + `]`:                                  2,
		`{"total":1,"page":1,"per_page":30,"results":[` + one + `]}`: 1,
		`{"total":0,"results":[]}`:                                   0,
		`[]`:                                                         0,
		`[` + strings.Repeat(one+`,`, MaxPerPage-1) + one + `]`: MaxPerPage, // full, and yet the only page
	} {
		v, seen := answering(t, VersionV1, body)
		all, err := (*FulfillmentOrderService)(v).List(7, FulfillmentOrderFilter{CustomFields: true}).Collect(t.Context())
		if err != nil || len(all) != want || len(*seen) != 1 {
			t.Errorf("%.40s: %d records, %v, in %d requests", body, len(all), err, len(*seen))
		}
		if got := (*seen)[0].String(); got != "GET /v1/123/orders/7/fulfillment-orders aggregates=custom_fields" {
			t.Errorf("asked %s", got)
		}
	}
	pages := hostile.Answers(hostile.Status(200, `[`+one+`,`+one+`]`, "X-Total-Count", "3"), hostile.Status(200, `[`+one+`]`, "X-Total-Count", "3"))
	if all, err := (*FulfillmentOrderService)(atVersion(newTest(t, pages), VersionV1)).List(7, FulfillmentOrderFilter{}).Collect(t.Context()); err != nil || len(all) != 3 {
		t.Errorf("a total above the answer: %d records, %v", len(all), err)
	}
}

func TestFulfillmentInputsAreChecked(t *testing.T) {
	refusal(t, FulfillmentOrderInput{}.check(), `status: "": must be set, unless another member is`)
	refusal(t, FulfillmentOrderInput{Status: FulfillmentPending}.check(), `status: "PENDING"`)
	refusal(t, FulfillmentOrderInput{Status: FulfillmentPacked}.check(), "")
	refusal(t, FulfillmentOrderInput{AssignedLocation: Set(AssignedLocationInput{})}.check(), `assigned_location.location_id`)
	hours := FulfillmentPickupInput{PickupHours: Set([]PickupHoursInput{{Day: WeekdayMonday}, {Day: "monday"}})}
	refusal(t, FulfillmentOrderInput{Shipping: Set(FulfillmentShippingInput{PickupDetails: Set(hours)})}.check(), `shipping.pickup_details.pickup_hours[1].day: "monday"`)
	refusal(t, TrackingEventInput{}.check(), `status: "": must be a status`)
	refusal(t, TrackingEventInput{Status: "custom_"}.check(), `status: "custom_"`)
	v, seen := answering(t, VersionUnstable, `{}`)
	_, err := (*FulfillmentService)(v).Create(t.Context(), 1, FulfillmentInput{Status: "custom_x"})
	refusal(t, err, `status: "custom_x"`)
	_, err = (*TrackingEventService)(v).Create(t.Context(), 1, someULID, TrackingEventInput{})
	refusal(t, err, `status: ""`)
	_, err = (*TrackingEventService)(v).Update(t.Context(), 1, someULID, someULID, TrackingEventInput{})
	refusal(t, err, `status: ""`)
	_, err = (*FulfillmentOrderService)(v).Update(t.Context(), 1, ulid.ULID{}, FulfillmentOrderInput{})
	refusal(t, err, `status: ""`)
	refusal(t, (*LabelService)(v).Request(t.Context()), `id: "0"`)
	refusal(t, (*LabelService)(v).Update(t.Context(), someULID, someULID, LabelInput{}), `status: ""`)
	refusal(t, LabelInput{Status: LabelReadyToDownload}.check(), `documents: "0"`)
	refusal(t, LabelInput{Status: LabelFailed}.check(), `reason.type: ""`)
	refusal(t, LabelInput{Status: LabelInProgress, Documents: []LabelDocumentInput{{Format: "PNG"}}}.check(), `documents[0].format: "PNG"`)
	refusal(t, LabelInput{Status: LabelInProgress, Documents: []LabelDocumentInput{{Format: "ZPL", DownloadURLFromApp: "http://x"}}}.check(), `documents[0].download_url_from_app`)
	if len(*seen) != 0 {
		t.Errorf("sent %v", *seen)
	}
}

func TestDraftsAndCheckouts(t *testing.T) {
	ctx := t.Context()
	draft := DraftOrderInput{ContactName: "Ana", ContactLastname: "B", ContactEmail: "ana@shop.example", PaymentStatus: PaymentUnpaid, Products: []DraftProductInput{{VariantID: 7, Quantity: 1}}}
	for want, call := range map[string]func(*engine.Service) error{
		"GET /v1/123/draft_orders":   func(v *engine.Service) error { _, err := (*DraftOrderService)(v).List().Collect(ctx); return err },
		"GET /v1/123/draft_orders/5": func(v *engine.Service) error { _, err := (*DraftOrderService)(v).Get(ctx, 5); return err },
		`POST /v1/123/draft_orders {"contact_name":"Ana","contact_lastname":"B","contact_email":"ana@shop.example","payment_status":"unpaid","products":[{"variant_id":7,"quantity":1}],` +
			`"discount":"10.00","discount_type":"absolute","shipping":{"cost":"5.00","shipping_address":{"city":"Santos"}}}`: func(v *engine.Service) error {
			in := draft
			in.Discount, in.DiscountType = Set(Cents(1000)), DraftDiscountAbsolute
			in.Shipping = Set(DraftShippingInput{Cost: Set(Cents(500)), ShippingAddress: DraftAddressInput{City: "Santos"}})
			_, err := (*DraftOrderService)(v).Create(ctx, in)
			return err
		},
		`POST /v1/123/draft_orders/5/confirm {}`:          func(v *engine.Service) error { _, err := (*DraftOrderService)(v).Confirm(ctx, 5); return err },
		"DELETE /v1/123/draft_orders/5":                   func(v *engine.Service) error { return (*DraftOrderService)(v).Delete(ctx, 5) },
		"GET /v1/123/checkouts/5":                         func(v *engine.Service) error { _, err := (*CheckoutService)(v).Get(ctx, 5); return err },
		`POST /v1/123/checkouts/5/coupon {"coupon_id":9}`: func(v *engine.Service) error { _, err := (*CheckoutService)(v).AttachCoupon(ctx, 5, 9); return err },
		"GET /v1/123/checkouts created_at_max=2024-05-08T10%3A00%3A00Z&page=2&since_id=3&updated_at_max=2024-05-08T10%3A00%3A00Z": func(v *engine.Service) error {
			at := time.Date(2024, 5, 8, 10, 0, 0, 0, time.UTC)
			_, err := (*CheckoutService)(v).List(CheckoutFilter{Paging: Paging{Page: 2}, SinceID: 3, CreatedMax: at, UpdatedMax: at}).Page(ctx)
			return err
		},
	} {
		body := `{"id":5}`
		if strings.HasSuffix(want, "/draft_orders") && strings.HasPrefix(want, "GET") || strings.Contains(want, "checkouts created") {
			body = `[]`
		}
		v, seen := answering(t, VersionV1, body)
		if err := call(v); err != nil {
			t.Errorf("%s: %v", want, err)
		}
		if len(*seen) != 1 || (*seen)[0].String() != want {
			t.Errorf("asked %v\n want %s", *seen, want)
		}
	}
	change := func(f func(*DraftOrderInput)) error {
		in := draft
		in.Products = []DraftProductInput{{VariantID: 7, Quantity: 1}}
		f(&in)
		return in.check()
	}
	refusal(t, change(func(*DraftOrderInput) {}), "")
	refusal(t, change(func(in *DraftOrderInput) { in.ContactName = "" }), `contact_name: ""`)
	refusal(t, change(func(in *DraftOrderInput) { in.ContactLastname = "" }), `contact_lastname: ""`)
	refusal(t, change(func(in *DraftOrderInput) { in.ContactEmail = "" }), `contact_email: ""`)
	refusal(t, change(func(in *DraftOrderInput) { in.PaymentStatus = PaymentPending }), `payment_status: "pending"`)
	refusal(t, change(func(in *DraftOrderInput) { in.Products = nil }), `products: "0"`)
	refusal(t, change(func(in *DraftOrderInput) { in.Products[0].Quantity = 0 }), `products[0].quantity: "0"`)
	refusal(t, change(func(in *DraftOrderInput) { in.DiscountType = "gift" }), `discount_type: "gift"`)
	refusal(t, change(func(in *DraftOrderInput) { in.Discount = Set(Cents(-1)) }), `discount: "-0.01"`)
	refusal(t, change(func(in *DraftOrderInput) { in.Shipping = Set(DraftShippingInput{Cost: Set(Cents(-1))}) }), `shipping.cost: "-0.01"`)
}

func TestCheckoutListIsEmptyAt404(t *testing.T) {
	none := view(t, Version202503, hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
		return hostile.Status(404, `{"code":404,"message":"Not Found","description":"No result with the parameters entered"}`)(r)
	}))
	if all, err := (*CheckoutService)(none).List(CheckoutFilter{}).Collect(t.Context()); err != nil || len(all) != 0 {
		t.Errorf("checkouts: %v, %v; want none", all, err)
	}
	if _, err := (*CheckoutService)(none).Get(t.Context(), 5); !errors.Is(err, ErrNotFound) {
		t.Errorf("one checkout: %v, want ErrNotFound", err)
	}
	if _, err := (*OrderService)(none).List(OrderFilter{}).Collect(t.Context()); !errors.Is(err, ErrNotFound) {
		t.Errorf("orders: %v, want ErrNotFound for a description that is not of the last page", err)
	}
	v, seen := answering(t, VersionV1, `{}`)
	_, err := (*CheckoutService)(v).AttachCoupon(t.Context(), 5, 0)
	if refusal(t, err, `coupon_id: "0"`); len(*seen) != 0 {
		t.Errorf("sent %v", *seen)
	}
}
