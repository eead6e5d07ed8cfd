package control_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/carrier"
	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/control"
	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/seed"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// An answer that comes after its limit is a change, so a page shows how late it was. It was none, except of a webhook.
func TestLateAnswersAreChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := refserver.New(refserver.Options{Clock: clock.Real{}, Delivery: delivery.Options{ReadLate: 30 * time.Second}})
		defer s.Close()
		shop, err := seed.Demo(s, nil)
		if err != nil {
			t.Fatal(err)
		}
		err = errors.Join(s.Partner("https://app.example", http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			time.Sleep(5600 * time.Millisecond)
		})), s.World().Update(0, shop.Store.ID, func(tx *world.Tx) error {
			return tx.Carriers.Put(7, world.Carrier{
				ID: 7, AppID: shop.App.ID, RatesURL: "https://app.example/rates", Types: []string{"ship"}, Active: true,
			})
		}))
		if err != nil {
			t.Fatal(err)
		}
		a := control.New(control.Options{Server: s, Shop: shop})
		defer a.Close()
		count := func() (changes struct{ N int64 }) {
			r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1"+control.Prefix+"changes", nil)
			r.RemoteAddr = "127.0.0.1:1"
			w := httptest.NewRecorder()
			a.ServeHTTP(w, r)
			if err := json.Unmarshal(w.Body.Bytes(), &changes); err != nil {
				t.Fatalf("%v: %s", err, w.Body)
			}
			return changes
		}
		parcel := carrier.Parcel{To: carrier.Address{Country: "AR"}, Items: []carrier.Item{{ID: 1, Name: "Pot", Quantity: 1}}}
		if _, err := s.Carriers().Quote(t.Context(), shop.Store.ID, parcel); err != nil {
			t.Fatal(err)
		}
		atLimit := count()
		time.Sleep(time.Second)
		if late := count(); late.N <= atLimit.N {
			t.Errorf("%d changes at the limit and %d after the answer", atLimit.N, late.N)
		}
	})
}
