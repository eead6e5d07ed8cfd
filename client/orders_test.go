package client

import (
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

var someULID = ulid.MustParseStrict("01FHZXHK8PTP9FVK99Z66GXASS")

func someOrder() OrderInput {
	return OrderInput{Customer: OrderCustomerInput{Name: "Ana", Email: "ana@shop.example"}, Products: []OrderProductInput{{VariantID: 7, Quantity: 2}}}
}

func TestOrderServiceRequests(t *testing.T) {
	ctx := t.Context()
	const sold = `"products":[{"variant_id":7,"quantity":2}],"customer":{"name":"Ana","email":"ana@shop.example"}`
	full := someOrder()
	full.Gateway, full.PaymentStatus, full.Fulfillment, full.Total = "offline", PaymentPaid, ShippingStatusUnpacked, Set(Cents(1050))
	full.InventoryBehaviour, full.ShippingCostCustomer, full.LocationID = InventoryBehaviourClaim, Set(Cents(0)), someULID
	full.ShippingAddress = OrderAddressInput{FirstName: "Ana", Customs: map[string]string{"reference": "gate"}}
	full.Products[0].Price, full.ShippingMinDays, full.SendConfirmationEmail = Set(Cents(99)), Set(0), true
	for _, test := range []struct {
		want    string
		version Version
		call    func(*DatedOrderService) error
	}{
		{"GET /v1/123/orders/42 aggregates=fulfillment_orders%2Ccustom_fields&fields=id%2Cnumber", VersionV1, func(s *DatedOrderService) error {
			_, err := s.GetWith(ctx, 42, OrderOptions{Fields: []string{"id", "number"}, Aggregates: []Aggregate{AggregateFulfillmentOrders, AggregateCustomFields}})
			return err
		}},
		{`POST /2025-03/123/orders {"gateway":"offline","payment_status":"paid","fulfillment":"unpacked","products":[{"variant_id":7,"quantity":2,"price":"0.99"}],"total":"10.50",` +
			`"inventory_behaviour":"claim","customer":{"name":"Ana","email":"ana@shop.example"},"shipping_address":{"first_name":"Ana","customs":{"reference":"gate"}},` +
			`"shipping_cost_customer":"0.00","shipping_min_days":0,"send_confirmation_email":true,"location_id":"01FHZXHK8PTP9FVK99Z66GXASS"}`, Version202503,
			func(s *DatedOrderService) error { _, err := s.Create(ctx, full); return err }},
		{`POST /v1/123/orders {` + sold + `,"fulfillment_status":"fulfilled"}`, VersionV1, func(s *DatedOrderService) error {
			in := someOrder()
			in.Fulfillment = ShippingStatusFulfilled
			_, err := s.Create(ctx, in)
			return err
		}},
		{`PUT /v1/123/orders/42 {"owner_note":null}`, VersionV1, func(s *DatedOrderService) error {
			_, err := s.Update(ctx, 42, OrderUpdate{OwnerNote: Null[string]()})
			return err
		}},
		{`POST /v1/123/orders/42/close {}`, VersionV1, func(s *DatedOrderService) error { _, err := s.Close(ctx, 42); return err }},
		{`POST /v1/123/orders/42/open {}`, VersionV1, func(s *DatedOrderService) error { _, err := s.Open(ctx, 42); return err }},
		{`POST /v1/123/orders/42/cancel {}`, VersionV1, func(s *DatedOrderService) error { _, err := s.Cancel(ctx, 42, OrderCancel{}); return err }},
		{`POST /v1/123/orders/42/cancel {"reason":"fraud","email":false,"restock":false}`, VersionV1, func(s *DatedOrderService) error {
			_, err := s.Cancel(ctx, 42, OrderCancel{Reason: CancelReasonFraud, Email: Set(false), Restock: Set(false)})
			return err
		}},
	} {
		v, seen := answering(t, test.version, `{"id":42}`)
		if err := test.call(&DatedOrderService{OrderService: (*OrderService)(v)}); err != nil {
			t.Errorf("%s: %v", test.want, err)
		}
		if len(*seen) != 1 || (*seen)[0].String() != test.want {
			t.Errorf("asked %v\n want %s", *seen, test.want)
		}
	}
}

func TestOrderFilterBecomesParameters(t *testing.T) {
	for _, test := range []struct {
		f    OrderFilter
		want string
	}{
		{OrderFilter{}, ""},
		{OrderFilter{Status: OrderOpen, Channels: []Storefront{StorefrontStore, StorefrontPOS}, PaymentStatus: PaymentPaid, ShippingStatus: ShippingStatusUnpacked}, "channels=store%2Cpos&payment_status=paid&shipping_status=unpacked&status=open"},
		{OrderFilter{ShippingStatus: ShippingStatusShipped}, "shipping_status=fulfilled"},
		// The contract's own word for no filter was refused of two of the three.
		{OrderFilter{Status: "any", PaymentStatus: "any", ShippingStatus: "any"}, "payment_status=any&shipping_status=any&status=any"},
		{OrderFilter{TotalMin: Set(Cents(0)), TotalMax: Set(Cents(1050)), CustomerIDs: []ID{1, 2}, Query: "ana b"}, "customer_ids=1%2C2&q=ana+b&total_max=10.50&total_min=0.00"},
		{OrderFilter{SinceID: 5, AppID: 6, PaymentMethods: []string{"pix", "cash"}, PaymentProvider: "p", Aggregates: []Aggregate{AggregateCustomFields}},
			"aggregates=custom_fields&app_id=6&payment_methods=pix%2Ccash&payment_provider=p&since_id=5"},
		{OrderFilter{Window: Window{UpdatedMin: time.Date(2024, 5, 8, 10, 0, 0, 0, time.UTC)}}, "updated_at_min=2024-05-08T10%3A00%3A00Z"},
	} {
		if q := test.f.query(); q.err != nil || q.values.Encode() != test.want {
			t.Errorf("got %s, %v, want %s", q.values.Encode(), q.err, test.want)
		}
	}
	refusal(t, OrderFilter{ShippingStatus: ShippingStatusInPreparation}.query().err, `shipping_status: "in_preparation": must be unpacked, unfulfilled or fulfilled`)
	refusal(t, OrderFilter{PaymentStatus: PaymentPartiallyPaid}.query().err, `payment_status: "partially_paid"`)
}

func TestOrderInputsAreChecked(t *testing.T) {
	change := func(f func(*OrderInput)) error { in := someOrder(); f(&in); return in.check() }
	refusal(t, change(func(*OrderInput) {}), "")
	refusal(t, change(func(in *OrderInput) { in.Customer.Name = "" }), `customer.name: "": must be the customer's name`)
	refusal(t, change(func(in *OrderInput) { in.Customer.Email = "" }), `customer.email: "": must be the customer's email`) // it told the name once
	refusal(t, change(func(in *OrderInput) { in.Products = nil }), `products: "0": must be at least one`)
	refusal(t, change(func(in *OrderInput) { in.Products[0].Quantity = 0 }), `products[0].quantity: "0": must be 1 or more`)
	refusal(t, change(func(in *OrderInput) { in.Products[0].VariantID = 0 }), `products[0].variant_id: "0"`)
	refusal(t, change(func(in *OrderInput) { in.Products[0].Price = Set(Cents(-1)) }), `products[0].price: "-0.01"`)
	refusal(t, change(func(in *OrderInput) { in.Total = Set(Cents(0)) }), `total: "0.00": must be more than 0`)
	refusal(t, change(func(in *OrderInput) { in.InventoryBehaviour = "steal" }), `inventory_behaviour: "steal"`)
	refusal(t, change(func(in *OrderInput) { in.ShippingPickupType = PickupTypeNonShippable }), `shipping_pickup_type: "non-shippable"`)
	refusal(t, OrderUpdate{}.check(VersionV1), `owner_note: "": must be a note or a status`)
	refusal(t, OrderUpdate{Status: "done"}.check(VersionV1), `status: "done"`)
	if err := (OrderUpdate{Status: OrderPaid}).check(Version202503); !errors.Is(err, ErrNotInVersion) {
		t.Errorf("status paid in 2025-03: %v", err)
	}
	v, seen := answering(t, VersionV1, `{}`)
	_, err := (*OrderService)(v).Cancel(t.Context(), 1, OrderCancel{Reason: "boredom"})
	refusal(t, err, `reason: "boredom"`)
	if len(*seen) != 0 {
		t.Errorf("sent %v", *seen)
	}
	edit := func(p ...OrderEditProduct) error { return OrderEdit{Products: p}.Check() }
	refusal(t, edit(OrderEditProduct{LineItemID: 1}, OrderEditProduct{ProductID: 1, VariantID: 2, Quantity: 1}), "")
	refusal(t, edit(), `products: "0"`)
	refusal(t, edit(OrderEditProduct{Quantity: 1}), `products[0].line_item_id: "0"`)
	refusal(t, edit(OrderEditProduct{LineItemID: 1, Quantity: -1}), `products[0].quantity: "-1"`)
	refusal(t, edit(OrderEditProduct{LineItemID: 1, ProductID: 2}), `products[0].product_id: "2"`)
	refusal(t, edit(OrderEditProduct{ProductID: 1, VariantID: 2}), `products[0].quantity: "0"`)
}

func datedOrders(s *engine.Service) *DatedOrderService { return &DatedOrderService{(*OrderService)(s)} }

func TestOrderHistory(t *testing.T) {
	v, _ := answering(t, Version202503, `[{"status":"CANCELLED","total_delta":3750,"total_paid_diff":0,"gateway_method":null,"gateway_name":null,
		"closed_at":"2025-04-08T18:19:40+00:00","happened_at":"2025-04-08T18:19:15+0000"}]`)
	values, err := datedOrders(v).ValueHistory(t.Context(), 1)
	if err != nil || len(values) != 1 || values[0].TotalDelta.String() != "3750.00" || values[0].Status != ValueCancelled || values[0].ClosedAt.Sub(values[0].HappenedAt.Time) != 25*time.Second {
		t.Errorf("values: %+v, %v", values, err)
	}
	v, _ = answering(t, Version202503, `[{"product_changes":[{"type":"ADD","modified_stock":true,"previous_quantity":0,"new_quantity":1,"product_name":"X"}],
		"shipping_costs":[{"fulfillment_number":1,"previous_merchant_cost":200,"new_merchant_cost":500,"previous_consumer_cost":200,"new_consumer_cost":500}],
		"transaction_information":{"status":"PAID","total_delta":3750,"gateway_method":"cash"},"reason":null,"happened_at":"2025-04-08T18:19:40+00:00"}]`)
	editions, err := datedOrders(v).EditionHistory(t.Context(), 1)
	if err != nil || len(editions) != 1 || editions[0].ProductChanges[0].Type != ProductChangeAdded || editions[0].ShippingCosts[0].FulfillmentNumber != "1" ||
		editions[0].TransactionInformation.GatewayMethod != GatewayMethodCash || editions[0].Reason != nil {
		t.Errorf("editions: %+v, %v", editions, err)
	}
	v, _ = answering(t, Version202503, `{"items":[{"id":"sub_abc","store_id":817495,"initial_order_id":871254203,"products":[{"product_id":1,"variant_id":2,"quantity":1}],
		"subscription_option":{"id":"opt_1","frequency_type":"months","frequency_param":1,"discount_percentage":15}}]}`)
	subscriptions, err := datedOrders(v).Subscriptions(t.Context(), 1)
	if err != nil || len(subscriptions) != 1 || subscriptions[0].SubscriptionOption.DiscountPercentage != "15" || subscriptions[0].InitialOrderID != 871254203 {
		t.Errorf("subscriptions: %+v, %v", subscriptions, err)
	}
	failing := &DatedOrderService{OrderService: (*OrderService)(view(t, Version202503, hostile.RoundTripper(func(r *http.Request) (*http.Response, error) { return hostile.Refuses(404)(r) })))}
	if _, err := failing.ValueHistory(t.Context(), 1); !errors.Is(err, ErrNotFound) {
		t.Errorf("values of no order: %v", err)
	}
	if _, err := failing.Subscriptions(t.Context(), 1); !errors.Is(err, ErrNotFound) {
		t.Errorf("subscriptions of no order: %v", err)
	}
}
