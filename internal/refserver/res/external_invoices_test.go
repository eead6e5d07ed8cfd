package res_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// accessKey is the access key of an invoice with so many as its last digit.
func accessKey(last int) string {
	return fmt.Sprintf("%044d", last)
}

// imported is an order of an external marketplace that has an invoice, and the invoice's path.
func (f *shop) imported() (order, invoice string) {
	f.Helper()
	made := f.order(0, func(o *world.Order) { o.Storefront = "meli" })
	f.alter(func(tx *world.Tx) error {
		i := world.ExternalInvoice{Key: accessKey(900), OrderID: made, Status: "Authorized", Subtype: "sale"}
		return tx.ExternalInvoices.Put(i.Key, i)
	})
	order = fmt.Sprintf("/orders/%d/invoices/external", made)
	return order, order + "/" + accessKey(900)
}

func externalInvoiceRefusals(f *shop) (out []refusal) {
	here, there := f.parcel(world.Unpacked, nil), f.parcel(world.Unpacked, nil)
	imported, closed := f.imported()
	path := here.order + "/invoices/external"
	f.object("unstable POST "+path, object{"key": accessKey(801)})
	one := path + "/" + accessKey(801)
	const noOrder, none = "Order with such id does not exist", "External invoice with such key does not exist"
	const refused = "External invoices of an imported order cannot be changed"
	add := func(op string, status int, text, call string, bodies ...any) {
		for _, body := range bodies {
			r := refusal{op: "external_invoices." + op, status: status, text: text, call: "unstable " + call, body: body}
			out = append(out, r)
		}
	}
	good := object{"key": accessKey(802)}
	add("create", 404, noOrder, "POST /orders/1/invoices/external", good)
	add("list", 404, noOrder, "GET /orders/1/invoices/external", nil)
	add("create", 403, refused, "POST "+imported, good, object{"key": "1"})
	for op, method := range map[string]string{"get": "GET ", "update": "PUT ", "delete": "DELETE "} {
		add(op, 404, noOrder, method+"/orders/1/invoices/external/"+accessKey(801), object{})
		add(op, 404, none, method+path+"/"+accessKey(802), object{})
		add(op, 404, none, method+there.order+"/invoices/external/"+accessKey(801), object{})
		if op != "get" {
			add(op, 403, refused, method+closed, object{"status": "Cancelled"})
		}
	}
	add("create", 422, "key: The key field is required.", "POST "+path, object{}, object{"key": ""}, object{"key": nil})
	add("create", 422, "key: The key format is invalid.", "POST "+path,
		object{"key": accessKey(1)[1:]}, object{"key": accessKey(1) + "0"},
		object{"key": accessKey(1)[1:] + "A"}, object{"key": 35})
	for _, order := range []string{here.order, there.order} {
		add("create", 422, "key: has already been taken", "POST "+order+"/invoices/external", object{"key": accessKey(801)})
	}
	for op, call := range map[string]string{"create": "POST " + path, "update": "PUT " + one} {
		for text, faults := range map[string][]object{
			"series: The series may not be greater than 255 characters.": {{"series": strings.Repeat("é", 256)}},
			"number: The number may not be greater than 255 characters.": {{"number": strings.Repeat("1", 256)}},
			"status: The selected status is invalid.":                    {{"status": "authorized"}, {"status": ""}},
			"subtype: The selected subtype is invalid.":                  {{"subtype": "gift"}},
			"fulfillment_order_id: The selected fulfillment order id is invalid.": {
				{"fulfillment_order_id": there.id}, {"fulfillment_order_id": accessKey(1)}, {"fulfillment_order_id": ""},
			},
		} {
			for _, fault := range faults {
				fault["key"] = accessKey(802)
				add(op, 422, text, call, fault)
			}
		}
	}
	return out
}

func TestExternalInvoices(t *testing.T) {
	f := open(t)
	p := f.parcel(world.Unpacked, nil)
	path := p.order + "/invoices/external"
	if none, ok := f.do("unstable GET "+path, nil).(array); !ok || len(none) > 0 {
		t.Errorf("got %v, want no invoices", none)
	}
	made := f.object("unstable POST "+path, object{
		"key": accessKey(1), "series": "1", "number": "42", "fulfillment_order_id": p.id,
	})
	want := object{
		"key": accessKey(1), "series": "1", "number": "42", "status": "Authorized", "subtype": "sale",
		"store_id": fmt.Sprint(f.store.ID), "order_id": fmt.Sprint(p.orderID), "fulfillment_order_id": p.id,
	}
	f.want(made, want)
	f.want(f.object("unstable GET "+path+"/"+accessKey(1), nil), want)
	// What is null is left out, and the key of a change is ignored.
	changed := f.object("unstable PUT "+path+"/"+accessKey(1), object{
		"key": accessKey(7), "series": nil, "fulfillment_order_id": nil, "status": "Cancelled", "subtype": nil,
	})
	f.want(changed, object{
		"key": accessKey(1), "series": "absent", "number": "42", "status": "Cancelled", "subtype": "sale",
		"fulfillment_order_id": "absent",
	})
	f.wantStatus(http.StatusNotFound, "unstable GET "+path+"/"+accessKey(7), nil)
	f.wantEvents()

	for n := range 59 {
		f.object("unstable POST "+path, object{"key": accessKey(100 + n)})
	}
	for query, n := range map[string]int{"": 30, "?per_page=200": 50, "?per_page=50&page=2": 10, "?per_page=7": 7} {
		if got, _ := f.do("unstable GET "+path+query, nil).(array); len(got) != n {
			t.Errorf("%q: %d invoices, want %d", query, len(got), n)
		}
	}
	w := f.send(f.token, "unstable GET "+path, "")
	if got := w.Header().Get("X-Total-Count"); got != "60" || w.Header().Get("Link") == "" {
		t.Errorf("X-Total-Count %q, Link %q", got, w.Header().Get("Link"))
	}
	if got := w.Header().Get(api.ProvenanceHeader); got != "assumed" {
		t.Errorf("%s %q", api.ProvenanceHeader, got)
	}

	f.wantStatus(http.StatusNoContent, "unstable DELETE "+path+"/"+accessKey(1), nil)
	f.wantStatus(http.StatusNotFound, "unstable DELETE "+path+"/"+accessKey(1), nil)
	f.wantStatus(http.StatusCreated, "unstable POST "+path, object{"key": accessKey(1)})
	for _, version := range []string{"v1 ", "2025-03 "} {
		f.wantStatus(http.StatusNotFound, version+"GET "+path, nil)
		f.wantStatus(http.StatusNotFound, version+"POST "+path, object{"key": accessKey(2)})
	}
}

// The invoices of an imported order can be read.
func TestExternalInvoicesOfImportedOrders(t *testing.T) {
	f := open(t)
	path, one := f.imported()
	f.want(f.object("unstable GET "+one, nil), object{"key": accessKey(900)})
	f.wantStatus(http.StatusForbidden, "unstable DELETE "+one, nil)
	if got, _ := f.do("unstable GET "+path, nil).(array); len(got) != 1 {
		t.Errorf("got %v, want the invoice", got)
	}
}
