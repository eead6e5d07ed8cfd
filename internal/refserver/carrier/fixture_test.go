package carrier_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/carrier"
	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

type (
	object = map[string]any
	array  = []any
)

const origin = "https://rates.example"

// post is a store, one of whose apps is a carrier that the test plays.
type post struct {
	*testing.T
	*refserver.Server
	desk    *carrier.Platform
	clock   *clock.Virtual
	store   world.Store
	app     world.App
	carrier world.Carrier
	// standard and branch are its options, home its first origin.
	standard, branch world.CarrierOption
	home             world.Location

	mu     sync.Mutex
	status int
	rates  any
	raw    string
	takes  time.Duration
	bodies []string
}

// open has an active carrier that answers one rate for 14.15.
func open(t *testing.T) *post {
	t.Helper()
	p := &post{T: t, clock: clock.NewVirtual(clock.Start), status: 200, rates: array{ship(nil)}}
	p.Server = refserver.New(refserver.Options{Clock: p.clock})
	t.Cleanup(p.Close)
	p.desk = p.Carriers()
	var err error
	if p.store, err = p.AddStore(world.Store{ID: 1001, MainCurrency: "ARS", MainLanguage: "es", Country: "AR"}); err != nil {
		t.Fatal(err)
	}
	if p.app, err = p.AddApp(world.App{Name: "Post"}); err != nil {
		t.Fatal(err)
	}
	if _, err = p.Install(p.app.ID, p.store.ID, nil); err != nil {
		t.Fatal(err)
	}
	p.update(func(tx *world.Tx) error {
		p.home = tx.FirstLocation()
		p.carrier = world.Carrier{ID: 77, AppID: p.app.ID, Name: "Post", RatesURL: origin + "/rates", Types: []string{"ship", "pickup"}, Active: true}
		p.standard = world.CarrierOption{ID: 1, CarrierID: 77, Code: "standard", Name: "Standard", Active: true}
		p.branch = world.CarrierOption{ID: 2, CarrierID: 77, Code: "branch", Name: "Branch", Active: true}
		_ = tx.Carriers.Put(77, p.carrier)
		_ = tx.CarrierOptions.Put(1, p.standard)
		return tx.CarrierOptions.Put(2, p.branch)
	})
	if err := p.Partner(origin, p); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *post) update(f func(tx *world.Tx) error) {
	p.Helper()
	if err := p.World().Update(0, p.store.ID, f); err != nil {
		p.Fatal(err)
	}
}

func (p *post) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	if err != nil || !bytes.HasPrefix(raw, []byte("{")) || !json.Valid(raw) || r.Method != http.MethodPost || r.URL.Path != "/rates" || r.Header.Get("Content-Type") != "application/json" {
		p.Errorf("the carrier was sent %s %s %q, %v", r.Method, r.URL, raw, err)
	}
	p.mu.Lock()
	p.bodies = append(p.bodies, string(raw))
	status, rates, text, takes := p.status, p.rates, p.raw, p.takes
	p.mu.Unlock()
	if takes > 0 && delivery.Spend(r.Context(), takes) != nil {
		return
	}
	w.WriteHeader(status)
	if text != "" {
		_, _ = io.WriteString(w, text)
		return
	}
	_ = json.NewEncoder(w).Encode(object{"rates": rates})
}

// ship is a rate that is good, with changes; what is "absent" is left out.
func ship(more object) object {
	return with(object{"name": "Standard", "code": "standard", "price": 14.15, "currency": "ARS", "type": "ship", "reference": "ref123"}, more)
}

func pickup(more object) object {
	return with(object{"name": "Branch", "code": "branch", "price": 9, "currency": "ARS", "type": "pickup", "reference": "r",
		"address": object{"address": "A", "number": "3", "floor": nil, "country": "AR", "latitude": "12", "longitude": "-12"},
		"hours":   array{object{"day": 1, "start": "0900", "end": "1800"}}}, more)
}

func with(o, more object) object {
	for k, v := range more {
		if o[k] = v; v == "absent" {
			delete(o, k)
		}
	}
	return o
}

func parcel() carrier.Parcel {
	return carrier.Parcel{
		CartID: 1234567890,
		To:     carrier.Address{Address: "B", Number: "2", Locality: "N", City: "C", Province: "P", Country: "AR", PostalCode: "1602"},
		Items: []carrier.Item{{ID: 1, ProductID: 2, Name: "Mug", Quantity: 2, Grams: 1000, Price: amount("20"),
			Width: amount("12"), Height: amount("10.50"), Depth: amount("10.0")}},
	}
}

func amount(s string) decimal.Decimal { return decimal.RequireFromString(s) }

func (p *post) quote(c carrier.Parcel) carrier.Quote {
	p.Helper()
	q, err := p.desk.Quote(p.Context(), p.store.ID, c)
	if err != nil {
		p.Fatal(err)
	}
	return q
}

// asked is how often the carrier was.
func (p *post) asked() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.bodies)
}

func (p *post) answers(status int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status = status
}

// contingency sets up the merchant's option.
func (p *post) contingency() {
	p.update(func(tx *world.Tx) error {
		st := tx.Store()
		st.Contingencies = []world.Contingency{{Name: "Flat", Price: amount("5.00"), MaxDays: 3}}
		tx.SetStore(st)
		return nil
	})
}
