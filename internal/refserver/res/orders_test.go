package res_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// whole is the body of an order with every member.
func whole(variant int64) object {
	address := func(street string) object {
		return object{"first_name": "Ana", "last_name": "Paz", "address": street, "number": 12, "floor": "3", "locality": "Centro",
			"city": "Rosario", "province": "Santa Fe", "zipcode": "2000", "country": "AR", "phone": "555"}
	}
	return object{
		"currency": "ARS", "language": "es", "gateway": "offline", "payment_status": "authorized", "status": "closed", "fulfillment": "unpacked", "note": "Ring twice",
		"products":        array{object{"variant_id": variant, "quantity": "2", "price": 0.1}, object{"variant_id": variant, "quantity": 3, "price": "7.255", "properties": object{"Size": "XL"}}},
		"customer":        object{"name": "Ana Paz", "email": "ANA@mail.example", "phone": "5550100", "document": 281},
		"billing_address": address("Calle Uno"), "shipping_address": with(address("Calle Dos"), object{"customs": object{"reference": "Blue door", "floors": 2}}),
		"shipping_pickup_type": "ship", "shipping": "table", "shipping_option": "Courier", "shipping_tracking_number": "TRK", "shipping_cost_customer": 5.5, "shipping_cost_owner": "7",
		"shipping_min_days": 2, "shipping_max_days": "5", "send_confirmation_email": true, "send_fulfillment_email": false, "inventory_behaviour": "bypass",
	}
}

func TestOrderAsSent(t *testing.T) {
	f := open(t)
	p := f.sized("Shirt", "S")
	f.events()
	o := f.object("POST /orders", whole(id(p, "variants.0")))
	f.wantEvents(fmt.Sprint("order/created ", id(o)), fmt.Sprint("customer/created ", id(o, "customer")))
	f.want(o, object{
		"store_id": f.store.ID, "number": 100, "currency": "ARS", "language": "es", "gateway": "offline", "gateway_name": "", "payment_status": "authorized", "status": "closed",
		"closed_at": now(f), "paid_at": nil, "storefront": "api", "landing_url": nil, "note": "Ring twice", "owner_note": nil, "next_action": "noop",
		// 2 × 0.10 + 3 × 7.26, a price being rounded to the cent.
		"subtotal": "21.98", "discount": "0.00", "total": "27.48", "total_usd": "0.03", "total_paid": "0.00", "weight": "0.000",
		"contact_name": "Ana Paz", "contact_email": "ANA@mail.example", "contact_phone": "5550100", "contact_identification": "281", "customer.email": "ANA@mail.example",
		"billing_name": "Ana Paz", "billing_address": "Calle Uno", "billing_number": "12", "billing_floor": "3", "billing_zipcode": "2000", "billing_country": "AR", "billing_fiscal_regime": nil,
		"shipping_address.address": "Calle Dos", "shipping_address.name": "Ana Paz", "shipping_address.id": 0, "shipping_address.customs": object{"reference": "Blue door", "floors": 2},
		"shipping": "table", "shipping_option": "Courier", "shipping_pickup_type": "ship", "shipping_tracking_number": "TRK", "shipping_cost_customer": "5.50", "shipping_cost_owner": "7.00",
		"shipping_min_days": 2, "shipping_max_days": 5, "shipping_suboption": array{}, "products.0.price": "0.10", "products.0.quantity": "2", "products.0.properties": array{},
		"products.1.price": "7.26", "products.1.properties": object{"Size": "XL"}, "products.0.image.id": 0, "products.0.image.store_media_uuid": "absent", "products.0.variant_values": array{"S"}, "products.0.issues.unclaimed_stock": 0,
		"products.0.name": "Shirt", "products.2": "absent", "coupon": array{}, "extra": object{}, "attributes": array{}, "is_subscription": false,
		"completed_at": object{"date": "2025-01-01 12:00:00.000000", "timezone_type": 3, "timezone": "UTC"}, "created_at": now(f),
	})
	f.want(f.object(fmt.Sprintf("GET /orders/%d?fields=store_id,number", id(o)), nil), object{"store_id": fmt.Sprint(f.store.ID), "number": "100", "id": "absent"})
	f.want(f.object("POST /orders", with(whole(id(p, "variants.0")), object{"customer": object{"email": "ana@MAIL.example"}, "total": "99.9", "status": "open"})),
		object{"number": 101, "customer.id": id(o, "customer"), "total": "99.90", "subtotal": "21.98", "next_action": "waiting_packing"})
	f.want(f.object(fmt.Sprintf("GET /products/%d/variants/%d", id(p), id(p, "variants.0")), nil), object{"stock": 5})
}

// TestOrderCompleted leaves out everything that may be.
func TestOrderCompleted(t *testing.T) {
	f := open(t)
	body := object{"products": array{object{"variant_id": id(f.sized("P", "S"), "variants.0"), "quantity": 1}}}
	o := f.object("POST /orders", body)
	f.want(o, object{
		"currency": "USD", "language": "en", "gateway": "not-provided", "payment_status": "pending", "status": "open", "shipping_status": "unpacked", "total": "10.00", "total_usd": "10.00",
		"billing_name": "Not informed", "billing_address": "Not informed", "billing_number": "Not informed", "billing_city": "Not informed", "billing_province": "Not informed",
		"billing_zipcode": "0000", "billing_country": "US", "billing_floor": nil, "shipping_address.zipcode": "0000", "shipping_address.country": "US", "shipping_address.city": "Not informed",
		"shipping_pickup_type": "pickup", "shipping_suboption": object{"id": f.firstLocation()}, "shipping": "not-provided", "shipping_option": nil, "shipping_carrier_name": nil, "shipping_cost_customer": "0.00", "shipping_min_days": nil, "customer": "absent",
		"contact_name": nil, "next_action": "waiting_manual_confirmation",
	})
	for language, want := range map[string]string{"es": "No informado", "pt": "Não informado"} {
		f.want(f.object("POST /orders", with(body, object{"language": language, "billing_address": object{"city": "Rosario"}})),
			object{"billing_city": "Rosario", "billing_address": want})
	}
	f.want(f.object("POST /orders", with(body, object{"payment_status": "paid", "fulfillment_status": "shipped"})),
		object{"paid_at": now(f), "total_paid": "10.00", "shipping_status": "fulfilled", "shipped_at": now(f), "next_action": "waiting_client_pickup"})
	f.want(f.object("POST /orders", with(body, object{"gateway": "internal"})), object{"gateway": "not-provided"})
	// 0 days are not null.
	f.want(f.object("POST /orders", with(body, object{"shipping_min_days": 0, "shipping_max_days": "999"})), object{"shipping_min_days": 0, "shipping_max_days": 999})
	st := f.store
	st.Country = "MX"
	f.alter(func(tx *world.Tx) error { tx.SetStore(st); return nil })
	f.want(f.object(fmt.Sprintf("GET /orders/%d", id(o)), nil), object{"billing_fiscal_regime": "601", "billing_invoice_use": "G01"})
}

// TestCustomerOfOrder shows the customer to those who may read customers.
func TestCustomerOfOrder(t *testing.T) {
	f := open(t)
	token := f.install(world.Scopes{"write_orders"})
	o := f.as(token, "POST /orders", whole(id(f.sized("P", "S"), "variants.0")))
	f.want(o, object{"customer": "absent", "contact_name": "Ana Paz"})
	f.want(f.object(fmt.Sprintf("GET /orders/%d", id(o)), nil), object{"customer.name": "Ana Paz", "app_id": o["app_id"]})
}

// TestClaim takes stock from the locations by priority and gives it back.
func TestClaim(t *testing.T) {
	f := open(t)
	first, second := f.second()
	p := f.object("POST /products", object{"name": "P", "variants": array{object{"price": "10.00",
		"inventory_levels": array{object{"location_id": second, "stock": 4}, object{"location_id": first, "stock": 3}}}}})
	v := id(p, "variants.0")
	stock := func(want ...int) {
		t.Helper()
		var got []int64
		f.alter(func(tx *world.Tx) error {
			for _, at := range []string{first, second} {
				l, _ := tx.InventoryLevels.Find("place", world.Place(v, at))
				got = append(got, l.Stock)
			}
			return nil
		})
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("stock %v, want %v", got, want)
		}
	}
	claim := func(quantity int, location any) (string, object) {
		return "2025-03 POST /orders", object{"inventory_behaviour": "claim", "location_id": location, "products": array{object{"variant_id": v, "quantity": quantity}}}
	}
	f.events()
	o := f.object(claim(5, nil))
	f.wantEvents(fmt.Sprint("order/created ", id(o)), fmt.Sprint("product/updated ", id(p)))
	stock(0, 2)
	full := f.object(fmt.Sprintf("2025-03 GET /orders/%d?aggregates=fulfillment_orders", id(o)), nil)
	f.want(full, object{
		"fulfillment_orders.0.assigned_location.location_id": first, "fulfillment_orders.0.line_items.0.quantity": 3,
		"fulfillment_orders.1.assigned_location.location_id": second, "fulfillment_orders.1.line_items.0.quantity": 2, "fulfillment_orders.2": "absent", "fulfillments": full["fulfillment_orders"],
	})
	call, body := claim(3, nil)
	f.wantStatus(http.StatusUnprocessableEntity, call, body)
	call, body = claim(1, first)
	f.wantStatus(http.StatusUnprocessableEntity, call, body)
	stock(0, 2)
	there := f.object(claim(2, second))
	stock(0, 0)
	f.want(f.object(fmt.Sprintf("2025-03 GET /orders/%d?aggregates=fulfillment_orders", id(there)), nil), object{"fulfillment_orders.0.assigned_location.location_id": second, "fulfillment_orders.1": "absent"})
	f.events()
	cancelled := f.object(fmt.Sprintf("POST /orders/%d/cancel", id(o)), nil)
	f.want(cancelled, object{"status": "cancelled", "cancel_reason": "other", "cancelled_at": now(f), "payment_status": "pending", "next_action": "noop"})
	f.wantEvents(fmt.Sprint("order/cancelled ", id(o)), fmt.Sprint("order/updated ", id(o)), fmt.Sprint("product/updated ", id(p)))
	stock(3, 2)
	f.want(f.object(fmt.Sprintf("POST /orders/%d/cancel", id(there)), object{"restock": false, "email": false, "reason": "fraud"}), object{"cancel_reason": "fraud"})
	stock(3, 2)
	unlimited := f.object("POST /products", object{"name": "U", "variants": array{object{"price": "1"}}})
	f.bought(id(unlimited, "variants.0"), 1000, object{"inventory_behaviour": "claim"})
	f.want(f.bought(v, 100, nil), object{"total": "1000.00"})
	stock(3, 2)
}

// TestOrderOfKit: a kit is sold as its components, whose lines name it and whose stock it takes.
func TestOrderOfKit(t *testing.T) {
	f := open(t)
	a, b := f.sized("A", "S"), f.sized("B", "S")
	k := f.kit("12.5", map[int64]int64{id(a): 2, id(b): 1}, id(a), id(b))
	kit := id(f.object(fmt.Sprintf("GET /products/%d", k), nil), "variants.0")
	o := f.bought(kit, 2, object{"inventory_behaviour": "claim"})
	left := func(p object, want int) {
		t.Helper()
		f.want(f.object(fmt.Sprintf("GET /products/%d", id(p)), nil), object{"variants.0.stock": want})
	}
	left(a, 1)
	left(b, 3)
	// A kit costs 30.00 less 12.5 %, 26.25; its components 8.75 each.
	sold := object{
		"subtotal": "52.50", "products.2": "absent",
		"products.0.product_id": id(a), "products.0.variant_id": fmt.Sprint(id(a, "variants.0")), "products.0.quantity": "4", "products.0.price": "8.75", "products.0.name": "A",
		"products.0.catalog_kit_id": k, "products.0.kit.id": k, "products.0.kit.variant_id": kit, "products.0.kit.name": "Kit", "products.0.kit.price": "26.25", "products.0.kit.image.id": 0,
		"products.1.product_id": id(b), "products.1.quantity": "2", "products.1.catalog_kit_id": k, "products.1.order_kit_id": at(o, "products.0.order_kit_id"),
	}
	f.want(o, sold)
	path := fmt.Sprintf("/orders/%d", id(o))
	f.want(f.object("2025-03 GET "+path, nil), sold)
	f.want(f.object("v1 GET "+path, nil), object{"products.0.kit": "absent", "products.0.catalog_kit_id": "absent", "products.0.product_id": id(a)})
	sale, _ := at(o, "products.0.order_kit_id").(float64)
	f.want(f.object("2025-03 GET "+path+"?aggregates=fulfillment_orders", nil), object{
		"fulfillment_orders.0.line_items.0.kit": object{"catalog_kit_id": fmt.Sprint(k), "order_kit_id": fmt.Sprint(int64(sale))},
	})
	again := f.bought(kit, 1, nil)
	if at(again, "products.0.order_kit_id") == at(o, "products.0.order_kit_id") {
		t.Error("two sales of a kit have one id")
	}
	f.want(f.object("unstable POST /orders", object{"products": array{object{"variant_id": kit, "quantity": 1, "price": "21.00"}}}), object{"products.0.price": "7.00", "products.1.price": "7.00", "subtotal": "21.00", "products.0.kit.price": "26.25"})
	f.wantStatus(http.StatusUnprocessableEntity, "POST /orders", object{"inventory_behaviour": "claim", "products": array{object{"variant_id": kit, "quantity": 1}}})
	f.do("POST "+path+"/cancel", nil)
	left(a, 5)
	left(b, 5)

	single := f.bought(id(b, "variants.0"), 1, nil)
	f.want(single, object{"products.0.kit": nil, "products.0.catalog_kit_id": nil, "products.0.order_kit_id": nil})
	edited := f.object(fmt.Sprintf("unstable POST /orders/%d/edit", id(single)), object{"products": array{object{"product_id": k, "variant_id": kit, "quantity": 2, "modify_stock": true}}})
	f.want(edited, object{"products.1.quantity": "4", "products.1.kit.id": k, "products.2.quantity": "2", "products.3": "absent", "subtotal": "62.50"})
	left(a, 1)
	f.do(fmt.Sprintf("DELETE /products/%d", id(b)), nil)
	f.wantStatus(http.StatusUnprocessableEntity, "POST /orders", object{"products": array{object{"variant_id": kit, "quantity": 1}}})
}

func TestUpdateOrder(t *testing.T) {
	f := open(t)
	o := f.bought(id(f.sized("P", "S"), "variants.0"), 1, nil)
	call, updated := fmt.Sprintf("PUT /orders/%d", id(o)), fmt.Sprint("order/updated ", id(o))
	f.events()
	f.want(f.object(call, object{"owner_note": "gift wrap", "status": "closed", "note": "no", "total": "1.00"}), object{"owner_note": "gift wrap", "status": "closed", "note": nil, "total": "10.00"})
	f.wantEvents(updated)
	f.do(call, object{"owner_note": "gift wrap", "status": "closed"})
	f.wantEvents()
	f.want(f.object(call, object{"owner_note": nil, "status": "paid"}), object{"owner_note": nil, "status": "closed", "payment_status": "paid", "gateway": "internal"})
	f.wantEvents(fmt.Sprint("order/paid ", id(o)), updated)
	f.want(f.object(call, object{"status": "cancelled"}), object{"cancel_reason": "other", "payment_status": "paid"})
	f.wantEvents(fmt.Sprint("order/cancelled ", id(o)), updated)
	p := f.sized("Q", "S")
	claimed := f.bought(id(p, "variants.0"), 2, object{"inventory_behaviour": "claim"})
	f.events()
	f.do(fmt.Sprintf("PUT /orders/%d", id(claimed)), object{"status": "cancelled"})
	f.wantEvents(fmt.Sprint("order/cancelled ", id(claimed)), fmt.Sprint("order/updated ", id(claimed)), fmt.Sprint("product/updated ", id(p)))
	f.want(f.object(call, object{"owner_note": "still"}), object{"owner_note": "still", "status": "cancelled"})
	values, _ := f.do(fmt.Sprintf("2025-03 GET /orders/%d/history/values", id(o)), nil).(array)
	f.want(object{"v": values}, object{
		"v.0.status": "PENDING", "v.0.total_delta": 10, "v.0.total_paid_diff": 0, "v.0.closed_at": "2025-01-01T12:00:00+0000", "v.0.happened_at": "2025-01-01T12:00:00+00:00",
		"v.1.status": "PAID", "v.1.total_delta": 0, "v.1.total_paid_diff": 10, "v.1.gateway_method": nil, "v.2.status": "CANCELLED", "v.2.closed_at": nil, "v.3": "absent",
	})
}

// TestOrdersByWords uses both vocabularies of the shipping status, and the statuses
// of a payment.
func TestOrdersByWords(t *testing.T) {
	f := open(t)
	made := map[string]int64{}
	for _, status := range []string{"unpacked", "packed", "partially_packed", "partially_fulfilled", "fulfilled", "delivered", "in_preparation"} {
		made[status] = f.order(0, func(o *world.Order) { o.ShippingStatus, o.PaymentStatus = status, "refunded" })
	}
	for word, want := range map[string][]string{
		"unpacked": {"partially_packed", "unpacked"}, "unfulfilled": {"partially_fulfilled", "packed"}, "fulfilled": {"delivered", "fulfilled"}, "packed": {"packed"},
		"delivered": {"delivered"}, "partially_packed": {"partially_packed"}, "in_preparation": {"in_preparation"}, "lost": nil,
	} {
		var ids []int64
		for _, s := range want {
			ids = append(ids, made[s])
		}
		f.wantIDs("GET /orders?shipping_status="+word, ids...)
	}
	f.wantIDs("GET /orders?payment_status=paid")
	f.wantIDs("GET /orders?payment_status=refunded&shipping_status=packed", made["packed"])
	f.wantIDs("GET /orders?per_page=2&page=2", made["fulfilled"], made["partially_fulfilled"])
}

// TestNumbers counts from 100 and passes over numbers that are taken.
func TestNumbers(t *testing.T) {
	f := open(t)
	v := id(f.sized("P", "S"), "variants.0")
	f.order(0, func(o *world.Order) { o.Number = 101 })
	for _, want := range []int{100, 102, 103} {
		f.want(f.bought(v, 1, nil), object{"number": want})
	}
}

func TestCustomFieldsOfOrder(t *testing.T) {
	f := open(t)
	o, other := f.order(0, nil), f.order(0, nil)
	field := world.CustomField{ID: provider, Owner: "order", Name: "Gift Wrap", ValueType: "text", ReadOnly: true}
	f.alter(func(tx *world.Tx) error {
		v := world.CustomFieldValue{Field: field.ID, Owner: "order", OwnerID: o, Value: "red"}
		if err := tx.CustomFieldValues.Put(v.Key(), v); err != nil {
			return err
		}
		return tx.CustomFields.Put(field.ID, field)
	})
	want := object{"custom_fields": array{object{"id": provider, "owner_resource": "order", "source": "admin", "value_type": "text", "key": "gift-wrap",
		"name": "Gift Wrap", "description": nil, "read_only": true, "value": "red"}}}
	f.want(f.object(fmt.Sprintf("GET /orders/%d?aggregates=fulfillment_orders,custom_fields", o), nil), want)
	f.want(f.object(fmt.Sprintf("GET /orders/%d?aggregates=custom_fields", other), nil), object{"custom_fields": array{}})
	f.want(f.object(fmt.Sprintf("GET /orders/%d", o), nil), object{"custom_fields": "absent"})
}

func TestSubscriptionsOfOrder(t *testing.T) {
	f := open(t)
	o := f.order(0, func(o *world.Order) {
		o.IsSubscription, o.IsFirst = true, true
		o.Subscriptions = []world.Subscription{{ID: "sub_1", PlanName: "Monthly", Status: "active", InitialDate: o.CreatedAt, Unit: "months", Every: 1,
			Discount: decimal.NewFromInt(15), Lines: []world.Line{{ProductID: 1, VariantID: 2, Quantity: 3}}}}
	})
	f.want(f.object(fmt.Sprintf("2025-03 GET /orders/%d/subscriptions", o), nil), object{
		"items.0.id": "sub_1", "items.0.store_id": f.store.ID, "items.0.products": array{object{"product_id": 1, "variant_id": 2, "quantity": 3}},
		"items.0.subscription_option": object{"id": "", "frequency_type": "months", "frequency_param": 1, "discount_percentage": 15}, "items.1": "absent",
	})
	f.want(f.object(fmt.Sprintf("GET /orders/%d", o), nil), object{"is_subscription": true, "is_subscription_initial": true})
	f.wantStatus(http.StatusNotFound, fmt.Sprintf("GET /orders/%d/subscriptions", o), nil)
}
