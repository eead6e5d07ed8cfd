package refserver

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/carrier"
	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// entries are the entries of the journal of a kind.
func (f *fixture) entries(kind traffic.Kind) (out []traffic.Entry) {
	for _, e := range f.Journal().Since(0, 1000) {
		if e.Kind == kind {
			out = append(out, e)
		}
	}
	return out
}

// An answer after the limit is in the journal, with the time by which it is too late, and does not change the state.
func TestJournalOfLateAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := setup(t, Options{Clock: clock.Real{}, Delivery: delivery.Options{ReadLate: 30 * time.Second}})
		defer f.Server.Close()
		err := f.Partner("https://app.example", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-time.After(5600 * time.Millisecond):
				w.WriteHeader(http.StatusAccepted)
			case <-r.Context().Done():
			}
		}))
		if err != nil {
			t.Fatal(err)
		}
		err = f.World().Update(0, f.store.ID, func(tx *world.Tx) error {
			if err := tx.Webhooks.Put(1, world.Webhook{ID: 1, App: f.app.ID, Event: "domain/updated", URL: "https://app.example/"}); err != nil {
				return err
			}
			if err := tx.CarrierOptions.Put(1, world.CarrierOption{ID: 1, CarrierID: 7, Code: "post", Active: true}); err != nil {
				return err
			}
			return tx.Carriers.Put(7, world.Carrier{
				ID: 7, AppID: f.app.ID, RatesURL: "https://app.example/rates", Types: []string{"ship"}, Active: true,
			})
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Emit(0, f.store.ID, "domain/updated", nil); err != nil {
			t.Fatal(err)
		}
		parcel := carrier.Parcel{To: carrier.Address{Country: "AR"}, Items: []carrier.Item{{ID: 1, Name: "Pot", Quantity: 1}}}
		if _, err := f.Carriers().Quote(t.Context(), f.store.ID, parcel); err != nil {
			t.Fatal(err)
		}
		early := f.entries(traffic.KindRate)
		if len(early) != 1 || early[0].State != traffic.StateLate || early[0].Line != "no answer within 5s; the answer is still read" {
			t.Fatalf("at the limit: got %+v", early)
		}
		time.Sleep(time.Second)
		rate, webhook := f.entries(traffic.KindRate)[0], f.entries(traffic.KindWebhook)[0]
		if rate.State != traffic.StateLate || rate.Status != 202 || rate.Line != "answered 202 after 5.6 s, 0.6 s too late" {
			t.Errorf("got %+v", rate)
		}
		if !strings.HasPrefix(webhook.Word, "failing") || webhook.State != traffic.StateFailing {
			t.Errorf("got %+v", webhook)
		}
	})
}
