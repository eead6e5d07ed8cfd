package res_test

import (
	"fmt"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func TestCustomer(t *testing.T) {
	f := open(t)
	c := f.object("POST /customers", object{"name": "Ana", "email": "ana@mail.example", "phone": "1", "send_email_invite": true,
		"addresses": array{object{"address": "A", "number": 7, "zipcode": "2000"}, object{"address": "B"}}})
	f.want(c, object{
		"identification": nil, "note": nil, "extra": object{}, "total_spent": "0.00", "total_spent_currency": "USD", "last_order_id": nil,
		"active": false, "accepts_marketing": false, "default_address.address": "A", "default_address.number": "7",
		"addresses.0.default": true, "addresses.1.default": false, "addresses.2": "absent", "billing_city": nil,
	})
	path := fmt.Sprintf("PUT /customers/%d", id(c))
	f.want(f.object(path, object{"addresses": array{object{"id": id(c, "addresses.1"), "city": "X", "default": true}, object{"address": "C"}}}), object{
		"default_address.id": id(c, "addresses.1"), "default_address.address": "B", "default_address.city": "X", "addresses.1.address": "C", "addresses.2": "absent",
	})
	// The default stays until another address is said to be it, or it is said not to be.
	kept := func(more object) object { return with(object{"id": id(c, "addresses.1"), "city": "X"}, more) }
	for _, tc := range []struct {
		list array
		city string
	}{
		{array{object{"city": "Y"}, kept(nil)}, "X"},
		{array{object{"city": "Y", "default": true}, kept(nil)}, "Y"},
		{array{object{"city": "Y", "default": false}, kept(object{"default": true})}, "X"},
		{array{object{"city": "Y"}, kept(object{"default": false}), object{"city": "Z"}}, "Y"},
		{array{object{"city": "Z", "default": true}, object{"city": "Y", "default": true}, kept(object{"default": true})}, "X"},
	} {
		f.want(f.object(path, object{"addresses": tc.list}), object{"default_address.city": tc.city})
	}
	f.want(f.object(path, object{"addresses": array{}}), object{"addresses": array{}, "default_address": nil})
	f.want(f.object(path, object{"extra": object{"size": "M"}, "billing_city": "X", "billing_name": "A", "billing_number": 742, "billing_zipcode": "2000", "identification": 28111222, "password": "ignored", "total_spent": "9", "accepts_marketing": true}),
		object{"extra": object{"size": "M"}, "billing_city": "X", "billing_name": "A", "billing_number": "742", "billing_zipcode": "2000", "identification": "28111222", "total_spent": "0.00", "accepts_marketing": false, "phone": "1"})
	f.want(f.object(path, object{"extra": array{}, "phone": nil}), object{"extra": object{}, "phone": nil, "billing_city": "X"})
	f.order(id(c), nil)
	last := f.order(id(c), func(o *world.Order) { o.PaymentStatus, o.Total = "pending", decimal.NewFromInt(7) })
	f.want(f.object(fmt.Sprintf("GET /customers/%d", id(c)), nil), object{"total_spent": "50.00", "last_order_id": last})
	f.want(f.object("POST /customers", object{"email": "only@mail.example", "password": "secret"}), object{"active": true, "name": nil, "password": "absent"})
}

// The customer of an order is for apps that may read customers; v1 has members
// that later versions do not have.
func TestOrderOnWire(t *testing.T) {
	f := open(t)
	c := id(f.object("POST /customers", object{"name": "Ana"}))
	o := f.order(c, func(o *world.Order) { o.TotalPaid = decimal.NewFromInt(50) })
	call := fmt.Sprintf("GET /orders/%d", o)
	f.want(f.object(call, nil), object{"customer.id": c, "number": 100, "total_paid": "50.00", "total_paid_by_customer": "absent",
		"shipping_suboption": array{}, "shipped_at": nil, "completed_at.timezone": "UTC", "closed_at": nil})
	f.want(f.object("2025-03 "+call, nil), object{"total_paid": "absent", "total_paid_by_customer_including_fees": "50.00", "shipping": "absent", "shipped_at": "absent"})
	f.token = f.install(world.Scopes{"read_orders"})
	f.want(f.object(call, nil), object{"customer": "absent", "store_id": fmt.Sprint(f.store.ID)})
}
