package refserver

import (
	"errors"
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
			hook := world.Webhook{ID: 1, App: f.app.ID, Event: "domain/updated", URL: "https://app.example/"}
			option := world.CarrierOption{ID: 1, CarrierID: 7, Code: "post", Active: true}
			post := world.Carrier{
				ID: 7, AppID: f.app.ID, RatesURL: "https://app.example/rates", Types: []string{"ship"}, Active: true,
			}
			return errors.Join(tx.Webhooks.Put(1, hook), tx.CarrierOptions.Put(1, option), tx.Carriers.Put(7, post))
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Emit(0, f.store.ID, "domain/updated", nil); err != nil {
			t.Fatal(err)
		}
		pot := carrier.Item{ID: 1, Name: "Pot", Quantity: 1}
		parcel := carrier.Parcel{To: carrier.Address{Country: "AR"}, Items: []carrier.Item{pot}}
		if _, err := f.Carriers().Quote(t.Context(), f.store.ID, parcel); err != nil {
			t.Fatal(err)
		}
		early := f.entries(traffic.KindRate)
		want := "no answer within 5s; the answer is still read"
		if len(early) != 1 || early[0].State != traffic.StateLate || early[0].Line != want {
			t.Fatalf("at the limit: got %+v", early)
		}
		time.Sleep(time.Second)
		rate, webhook := f.entries(traffic.KindRate)[0], f.entries(traffic.KindWebhook)[0]
		want = "answered 202 after 5.6 s, 0.6 s too late"
		if rate.Word != "answered late" || rate.Status != 202 || rate.Line != want {
			t.Errorf("got %+v", rate)
		}
		if !strings.HasPrefix(webhook.Word, "failing") || webhook.State != traffic.StateFailing {
			t.Errorf("got %+v", webhook)
		}
	})
}
