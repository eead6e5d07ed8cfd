package seed

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
)

var lists = []string{"products", "categories", "customers", "coupons", "locations", "orders", "checkouts", "scripts", "products/custom-fields", "customers/custom-fields", "metafields/products", "metafields/pages"}

// read returns what the lists of a demo shop answer.
func read(t *testing.T) map[string]string {
	t.Helper()
	s := refserver.New(refserver.Options{Clock: clock.NewVirtual(clock.Start)})
	t.Cleanup(s.Close)
	shop, err := Demo(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, list := range lists {
		r := httptest.NewRequest(http.MethodGet, fmt.Sprintf("http://api.example/v1/%d/%s", shop.Store.ID, list), nil)
		r.Header.Set("User-Agent", "Test (test@app.example)")
		r.Header.Set("Authorization", "Bearer "+shop.Install.Token)
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		if w.Code != http.StatusOK {
			t.Errorf("%s: %d %s", list, w.Code, w.Body)
		}
		out[list] = w.Body.String()
	}
	return out
}

// The shop is the same each time.
func TestDemoIsDeterministic(t *testing.T) {
	if first, again := read(t), read(t); !maps.Equal(first, again) {
		t.Error("two demo shops differ")
	}
}

// The shop has something of each kind to look at.
func TestDemoHas(t *testing.T) {
	got := read(t)
	for list, patterns := range map[string][]string{
		"categories":              {`"visibility":"hidden"`, `"visibility":"soft-hidden"`, `"Remeras"`},
		"products":                {`"promotional_price":"12600.00"`, `"stock":0,`, `"stock":null`, `"published":false`, `"Camiseta lisa"`, `"price":null`},
		"customers":               {`"total_spent":"0.00"`, `"default_address":\{`, `"last_order_id":\d`},
		"coupons":                 {`"type":"percentage"`, `"type":"absolute"`, `"type":"shipping"`},
		"locations":               {`"priority":0`, `"priority":1`},
		"orders":                  {`"payment_status":"pending"`, `"payment_status":"paid"`, `"shipping_status":"fulfilled"`, `"status":"closed"`, `"status":"cancelled"`, `"compare_at_price":"18000.00"`, `"has_promotional_price":true`},
		"checkouts":               {`"abandoned_checkout_url":"https://`, `"gateway":null`},
		"scripts":                 {`"is_auto_install":true`, `"total":1`},
		"products/custom-fields":  {`"values":\["By hand"`},
		"customers/custom-fields": {`"value_type":"date"`},
		"metafields/products":     {`"namespace":"demo"`}, "metafields/pages": {`"layout"`},
	} {
		for _, p := range patterns {
			if !regexp.MustCompile(p).MatchString(got[list]) {
				t.Errorf("%s has no %s", list, p)
			}
		}
	}
}
