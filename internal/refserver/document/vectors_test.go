package document

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/carrier"
	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/label"
	"github.com/commerceplatform/commerce-go/internal/refserver/payment"
	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// The key of the vectors is the one by which the server reuses answers of a carrier.
func TestCacheKeyIsTheServers(t *testing.T) {
	s := refserver.New(refserver.Options{Clock: clock.NewVirtual(clock.Start)})
	t.Cleanup(s.Close)
	store, err := s.AddStore(world.Store{})
	if err != nil {
		t.Fatal(err)
	}
	app, err := s.AddApp(world.App{Name: "Post"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Install(app.ID, store.ID, nil); err != nil {
		t.Fatal(err)
	}
	var body []byte
	_ = s.Partner("https://post.example", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(422) }))
	err = s.World().Update(0, store.ID, func(tx *world.Tx) error {
		place := world.Location{ID: "01GQ2ZHK064BQRHGDB7CCV0Y6N", Address: world.LocationAddress{Street: "Maipú", Zipcode: "1602"}}
		if err := tx.Locations.Put(place.ID, place); err != nil {
			return err
		}
		return tx.Carriers.Put(77, world.Carrier{ID: 77, AppID: app.ID, RatesURL: "https://post.example/rates", Active: true})
	})
	if err != nil {
		t.Fatal(err)
	}
	half := decimal.RequireFromString("10.50")
	q, err := s.Carriers().Quote(t.Context(), store.ID, carrier.Parcel{
		To: carrier.Address{Country: "AR", PostalCode: "2000"},
		Items: []carrier.Item{
			{ID: 7, Quantity: 2, Grams: 350, Width: decimal.NewFromInt(12), Depth: half},
			{ID: 8, Quantity: 1, Grams: 1},
		},
	})
	if err != nil || len(q.Calls) != 1 {
		t.Fatalf("%+v, %v", q, err)
	}
	body = q.Calls[0].Request
	got, err := cacheKey(body)
	if err != nil || got.Key != q.Calls[0].Key || !strings.HasPrefix(got.Items[0], "7:2:350:12.0:0.0:10.5") {
		t.Errorf("got %+v, %v, want %s for %s", got, err, q.Calls[0].Key, body)
	}
}

// The server accepts the answers that the documents show.
func TestJudgesAcceptTheExamples(t *testing.T) {
	files, err := Files(root)
	if err != nil {
		t.Fatal(err)
	}
	judged := 0
	for _, c := range calls() {
		for _, a := range c.answers {
			if a.example == "" {
				continue
			}
			var status int
			if err := json.Unmarshal([]byte(strings.ReplaceAll(a.status, "XX", "00")), &status); err != nil {
				t.Fatal(err)
			}
			request, answer := files["examples/"+c.name+".json"], []byte(a.example)
			kind, act, _ := strings.Cut(c.name, "_")
			switch kind {
			case "cart":
				err = shop.Judge(request, status, answer)
			case "rates":
				err = carrier.Judge(request, status, answer)
			case "labels":
				err = label.Judge(label.Kind(act), request, status, answer)
			case "payments":
				err = payment.Judge(payment.Kind(act), status, answer)
			default:
				continue
			}
			if judged++; err != nil {
				t.Errorf("%s %s: %v", c.name, a.status, err)
			}
		}
	}
	if judged < 9 {
		t.Errorf("%d examples were judged", judged)
	}
}
