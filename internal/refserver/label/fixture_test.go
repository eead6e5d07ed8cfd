package label_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/label"
	"github.com/commerceplatform/commerce-go/internal/refserver/res"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

type (
	object = map[string]any
	array  = []any
)

// post is a store with a carrier that the test plays.
type post struct {
	*testing.T
	*refserver.Server
	desk  *label.Platform
	clock *clock.Virtual
	store world.Store
	app   world.App
	token string

	mu sync.Mutex
	// answer is what the carrier answers to the nth request to a path.
	answer func(n int, path string, body any) (status int, answer any)
	takes  time.Duration
	paths  []string
	bodies []any
	told   []world.Event
}

func open(t *testing.T) *post {
	t.Helper()
	p := &post{T: t, clock: clock.NewVirtual(clock.Start)}
	p.Server = refserver.New(refserver.Options{Clock: p.clock})
	t.Cleanup(p.Close)
	p.desk = p.Labels()
	var err error
	if p.store, err = p.AddStore(world.Store{ID: 1001, Features: []string{"fulfillment_order_label_api"}}); err != nil {
		t.Fatal(err)
	}
	if p.app, err = p.AddApp(world.App{Name: "Post"}); err != nil {
		t.Fatal(err)
	}
	in, err := p.Install(p.app.ID, p.store.ID, world.AllScopes())
	if err != nil {
		t.Fatal(err)
	}
	p.token = in.Token
	p.carrier(77, "https://post.example/labels")
	if err := p.Partner("https://post.example", p); err != nil {
		t.Fatal(err)
	}
	p.World().OnCommit(func(events []world.Event) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.told = append(p.told, events...)
	})
	return p
}

func (p *post) carrier(id int64, labels string) {
	p.update(func(tx *world.Tx) error {
		return tx.Carriers.Put(id, world.Carrier{ID: id, AppID: p.app.ID, Name: "Post", RatesURL: "https://post.example/r", LabelsURL: labels, Types: []string{"ship"}, Active: true})
	})
}

func (p *post) update(f func(tx *world.Tx) error) {
	p.Helper()
	if err := p.World().Update(0, p.store.ID, f); err != nil {
		p.Fatal(err)
	}
}

// parcels are fulfillment orders that the carrier brings.
func (p *post) parcels(carrier string, n int) []string {
	p.Helper()
	var out []string
	p.update(func(tx *world.Tx) error {
		for range n {
			o := world.Order{ID: tx.NewID(), Number: int64(100 + tx.Orders.Len()), Status: "open", PaymentStatus: "paid", ShippingStatus: "packed", Sale: world.Sale{
				Currency: "USD", ShippingPickupType: world.Ship, ContactName: "Ana", ContactEmail: "ana@mail.example", CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
				Lines: []world.Line{{ID: tx.NewID(), ProductID: 11, VariantID: 21, Price: decimal.NewFromInt(10), Quantity: 1}},
			}}
			if err := tx.Orders.Put(o.ID, o); err != nil {
				return err
			}
			if err := res.AddFulfillments(tx, o); err != nil {
				return err
			}
			for _, f := range tx.FulfillmentOrders.Where("order", fmt.Sprint(o.ID)) {
				f.Shipping.Carrier.ID = carrier
				f.Recipient.Email = "ana@mail.example"
				out = append(out, f.ID)
				if err := tx.FulfillmentOrders.Put(f.ID, f); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return out
}

func (p *post) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	var body any
	if err != nil || json.Unmarshal(raw, &body) != nil || r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" {
		p.Errorf("the carrier was sent %s %s %q, %v", r.Method, r.URL, raw, err)
	}
	p.mu.Lock()
	p.paths, p.bodies = append(p.paths, r.URL.Path), append(p.bodies, body)
	n, answer, takes := len(p.paths), p.answer, p.takes
	p.mu.Unlock()
	if takes > 0 && delivery.Spend(r.Context(), takes) != nil {
		return
	}
	if answer == nil {
		return
	}
	status, out := answer(n, r.URL.Path, body)
	w.WriteHeader(status)
	if out != nil {
		_ = json.NewEncoder(w).Encode(out)
	}
}

// always answers every request alike.
func always(status int, answer any) func(int, string, any) (int, any) {
	return func(int, string, any) (int, any) { return status, answer }
}

// asked is how often the carrier was.
func (p *post) asked() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.paths)
}

// request begins labels and returns the first call.
func (p *post) request(parcels ...string) label.Call {
	p.Helper()
	calls, err := p.desk.Request(p.Context(), p.store.ID, parcels...)
	if err != nil {
		p.Fatal(err)
	}
	return calls[0]
}

// send makes a call of the API by the carrier's app.
func (p *post) send(call string, body any, want int) {
	p.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		p.Fatal(err)
	}
	method, path, _ := strings.Cut(call, " ")
	r := httptest.NewRequest(method, fmt.Sprintf("http://api.example/unstable/%d%s", p.store.ID, path), strings.NewReader(string(raw)))
	r.Header.Set("User-Agent", "Test (test@app.example)")
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+p.token)
	w := httptest.NewRecorder()
	if p.ServeAPI(w, r); w.Code != want {
		p.Fatalf("%s: %d %s", call, w.Code, w.Body)
	}
}

// ServeAPI is the server's ServeHTTP, which that of the carrier hides.
func (p *post) ServeAPI(w http.ResponseWriter, r *http.Request) { p.Server.ServeHTTP(w, r) }

// status is that of a label now.
func (p *post) status(id string) world.LabelStatus {
	p.Helper()
	var out world.LabelStatus
	p.update(func(tx *world.Tx) error {
		l, _ := tx.Labels.Get(id)
		out = l.Status
		return nil
	})
	return out
}

func (p *post) want(id string, want world.LabelStatus) {
	p.Helper()
	if got := p.status(id); got != want {
		p.Errorf("the label is %s, want %s", got, want)
	}
}

// events are the statuses that were told of a label.
func (p *post) events(id string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []string
	for _, e := range p.told {
		if e.Name == "fulfillment_order/label_status_updated" && e.Fields["label_id"] == id {
			out = append(out, fmt.Sprint(e.Fields["status"]))
		}
	}
	return strings.Join(out, " ")
}
