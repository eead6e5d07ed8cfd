package client

import (
	"reflect"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Members that only typed clients and examples of the platform name are read and written in each form that they may
// have: false and 0 are no absence, null is not dropped, and objects of SEO texts stay objects.
func TestUndocumentedMembersAreNotLost(t *testing.T) {
	for _, test := range []struct {
		record any
		data   string
	}{
		{&Product{}, `{"id":1,"canonical_url":"https://shop.example/products/mug/","has_stock":false,"deleted_at":null}`},
		{&Product{}, `{"id":1,"canonical_url":null,"deleted_at":"2026-01-01T00:00:00Z"}`},
		{&Product{}, `{"id":1,"seo_title":{"en":"Mug","es":"Taza"},"seo_description":{"en":"","es":"Una taza"}}`},
		{&Product{}, `{"id":1,"seo_title":"Mug","seo_description":""}`},
		{&Store{}, `{"id":1,"url_with_protocol":null,"has_stock":false,"is_trial":false,"is_last_payment_rejected":false,
			"admin_blocked":false,"admin_disabled":false,"product_count":0}`},
		{&Store{}, `{"id":1,"updated_at":null,"first_payment_date":null,"paid_until":null,"business_zipcode":null,
			"custom_dimension":null,"customer_type":null,"user_type":null,"source":null,"plan":null,"tags":null}`},
		{&Store{}, `{"id":1,"business_zipcode":"","custom_dimension":"","customer_type":"","user_type":"","source":"",
			"plan":["a",{"b":1}],"tags":{"c":[null]}}`},
		{&Order{}, `{"id":1,"price":"0.00","price_usd":"0.00","name":"#1","landing_site":null,"billing_default":false,"location_id":null}`},
		{&Order{}, `{"id":1,"landing_site":"","location_id":"01FHZXHK8PTP9FVK99Z66GXASS","risk_management":{"a":false,"b":null,"c":"x"}}`},
		{&DraftOrder{}, `{"id":1,"checkout_url":"https://a.example","abandoned_checkout_url":"https://b.example","risk_management":{"a":false,"b":null,"c":"x"}}`},
		{&Checkout{}, `{"id":1,"note":null,"checkout_url":"https://a.example"}`},
		{&Checkout{}, `{"id":1,"note":""}`},
	} {
		if err := wire.Unmarshal([]byte(test.data), test.record); err != nil {
			t.Errorf("%s: %v", test.data, err)
			continue
		}
		back, err := wire.Marshal(test.record)
		if err != nil {
			t.Fatal(err)
		}
		sent, written := generic(t, []byte(test.data)), generic(t, back)
		for name, value := range sent {
			if got, ok := written[name]; !ok || !reflect.DeepEqual(got, value) {
				t.Errorf("%T: %s is written as %v (%t), want %v", test.record, name, got, ok, value)
			}
		}
	}
}

// What a response does not have is nil, which is not false.
func TestUndocumentedMembersMayBeMissing(t *testing.T) {
	var p Product
	var s Store
	for _, record := range []any{&p, &s} {
		if err := wire.Unmarshal([]byte(`{"id":1}`), record); err != nil {
			t.Fatal(err)
		}
	}
	if p.HasStock != nil || p.CanonicalURL != nil || !p.DeletedAt.IsZero() {
		t.Errorf("product: %v, %v, %v; want nil and a zero time", p.HasStock, p.CanonicalURL, p.DeletedAt)
	}
	if !reflect.DeepEqual(s.StoreAccount, StoreAccount{}) || s.URLWithProtocol != nil {
		t.Errorf("store: %+v", s)
	}
}
