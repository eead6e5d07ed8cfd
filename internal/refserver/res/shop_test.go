package res_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// shop is a store with an app in it that may do everything.
type shop struct {
	*testing.T
	*refserver.Server
	clock *clock.Virtual
	store world.Store
	token string
	// happened are the events that were committed, and told counts those that events gave.
	happened []world.Event
	told     int
	ops      []api.Op
}

type (
	object = map[string]any
	array  = []any
)

func open(t *testing.T) *shop {
	t.Helper()
	return openWith(t, refserver.Options{})
}

func openWith(t *testing.T, o refserver.Options) *shop {
	t.Helper()
	f := &shop{T: t, clock: clock.NewVirtual(clock.Start)}
	o.Clock, o.Bucket, o.Leak = f.clock, 1<<30, 1<<30
	f.Server = refserver.New(o)
	t.Cleanup(f.Close)
	f.ops = f.Ops()
	store, err := f.AddStore(world.Store{
		MainLanguage: "en",
		Languages:    []world.Language{{Code: "en", Currency: "USD", Active: true}, {Code: "es", Currency: "USD", Active: true}},
		Features:     []string{"inventory-levels"},
	})
	if err != nil {
		t.Fatal(err)
	}
	f.store = store
	f.token = f.install(world.AllScopes())
	f.World().OnCommit(func(events []world.Event) { f.happened = append(f.happened, events...) })
	return f
}

// install puts another app into the store and returns its token.
func (f *shop) install(scopes world.Scopes) string {
	f.Helper()
	app, err := f.AddApp(world.App{Name: "App"})
	if err != nil {
		f.Fatal(err)
	}
	in, err := f.Install(app.ID, f.store.ID, scopes)
	if err != nil {
		f.Fatal(err)
	}
	return in.Token
}

// events returns what was told since it was asked last, sorted.
func (f *shop) events() []string {
	var told []string
	for _, e := range f.happened[f.told:] {
		told = append(told, fmt.Sprint(e.Name, " ", e.Fields["id"]))
	}
	f.told = len(f.happened)
	slices.Sort(told)
	return told
}

// send plays a call such as "GET /store", or "unstable GET /store", with the token.
// Paths that begin with /apps/ are those of an app. The events that it causes have to
// be among those that the operation declares.
func (f *shop) send(token, call string, body any) *httptest.ResponseRecorder {
	f.Helper()
	before := len(f.happened)
	w := f.serve(token, call, body)
	f.declared(call, f.happened[before:])
	return w
}

// serve is send without a look at the events, for calls at the same time.
func (f *shop) serve(token, call string, body any) *httptest.ResponseRecorder {
	f.Helper()
	words := strings.SplitN(call, " ", 3)
	if len(words) == 2 {
		words = append([]string{"v1"}, words...)
	}
	var raw []byte
	media := "application/json"
	switch b := body.(type) {
	case nil:
	case form:
		var text string
		text, media = b.encode()
		raw = []byte(text)
	case broken:
		raw, media = []byte(b), "multipart/form-data; boundary=B"
	case string:
		raw = []byte(b)
	default:
		var err error
		if raw, err = json.Marshal(b); err != nil {
			f.Fatal(err)
		}
	}
	owner := fmt.Sprint("/", f.store.ID)
	if strings.HasPrefix(words[2], "/apps/") {
		owner = ""
	}
	r := httptest.NewRequest(words[1], "http://api.example/"+words[0]+owner+words[2], strings.NewReader(string(raw)))
	r.Header.Set("User-Agent", "Test (test@app.example)")
	r.Header.Set("Authorization", "Bearer "+token)
	if raw != nil {
		r.Header.Set("Content-Type", media)
	}
	w := httptest.NewRecorder()
	f.ServeHTTP(w, r)
	f.observe(r, raw, w)
	return w
}

// do plays a call that has to succeed and returns its answer.
func (f *shop) do(call string, body any) any {
	f.Helper()
	w := f.send(f.token, call, body)
	if w.Code < 200 || w.Code > 299 {
		f.Fatalf("%s %v: %d %s", call, body, w.Code, w.Body)
	}
	var out any
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
		f.Fatalf("%s: %v", call, err)
	}
	return out
}

// object is do for an answer that is one record.
func (f *shop) object(call string, body any) object {
	f.Helper()
	out, ok := f.do(call, body).(object)
	if !ok {
		f.Fatalf("%s: no object", call)
	}
	return out
}

// ids are those of a list; a list that is empty, and so not found, has none.
func (f *shop) ids(call string) []int64 {
	f.Helper()
	w := f.send(f.token, call, nil)
	if w.Code == http.StatusNotFound && strings.Contains(w.Body.String(), "Last page is 0") {
		return nil
	}
	var list []struct {
		ID int64 `json:"id"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &list); w.Code != http.StatusOK || err != nil {
		f.Fatalf("%s: %d %s", call, w.Code, w.Body)
	}
	var out []int64
	for _, r := range list {
		out = append(out, r.ID)
	}
	return out
}

func (f *shop) wantIDs(call string, want ...int64) {
	f.Helper()
	if got := f.ids(call); !slices.Equal(got, want) {
		f.Errorf("%s: got %v, want %v", call, got, want)
	}
}

// want compares members of a record; a path such as variants.0.stock leads to them.
func (f *shop) want(record any, want object) {
	f.Helper()
	for path, w := range want {
		if got := at(record, path); !reflect.DeepEqual(got, plain(w)) {
			f.Errorf("%s: got %#v, want %#v", path, got, w)
		}
	}
}

// wantAtOnce makes so many calls at the same time, and counts their answers by status.
func (f *shop) wantAtOnce(calls int, want map[int]int, call func(i int) (status int)) {
	f.Helper()
	statuses := make([]int, calls)
	var all sync.WaitGroup
	for i := range statuses {
		all.Go(func() { statuses[i] = call(i) })
	}
	all.Wait()
	got := map[int]int{}
	for _, status := range statuses {
		got[status]++
	}
	if !maps.Equal(got, want) {
		f.Errorf("%d calls at once: got %v (by status), want %v", calls, got, want)
	}
}

func (f *shop) wantEvents(want ...string) {
	f.Helper()
	slices.Sort(want)
	if got := f.events(); !slices.Equal(got, want) {
		f.Errorf("events: got %v, want %v", got, want)
	}
}

func at(record any, path string) any {
	for part := range strings.SplitSeq(path, ".") {
		switch r := record.(type) {
		case object:
			v, ok := r[part]
			if !ok {
				return "absent"
			}
			record = v
		case array:
			var i int
			if _, err := fmt.Sscan(part, &i); err != nil || i >= len(r) {
				return "absent"
			}
			record = r[i]
		default:
			return "absent"
		}
	}
	return record
}

// plain is a value as JSON reads it.
func plain(v any) any {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	var out any
	if err := json.Unmarshal(raw, &out); err != nil {
		panic(err)
	}
	return out
}

// id is that of a record or of what a path in it leads to.
func id(record any, path ...string) int64 {
	p := strings.Join(append(path, "id"), ".")
	n, _ := at(record, p).(float64)
	return int64(n)
}

// sized makes a product with an attribute Size and a variant for each size.
func (f *shop) sized(name string, sizes ...string) object {
	f.Helper()
	var variants []object
	for _, s := range sizes {
		variants = append(variants, object{"values": array{object{"en": s}}, "price": "10.00", "stock": 5})
	}
	return f.object("POST /products", object{"name": name, "attributes": array{object{"en": "Size"}}, "variants": variants})
}

// order gives a customer an order, which no operation makes here.
func (f *shop) order(customer int64, change func(*world.Order)) int64 {
	f.Helper()
	var made int64
	err := f.World().Update(0, f.store.ID, func(tx *world.Tx) error {
		o := world.Order{
			ID: tx.NewID(), Number: int64(100 + tx.Orders.Len()), CustomerID: customer,
			Status: "open", PaymentStatus: "paid", ShippingStatus: "unpacked",
			Sale: world.Sale{Total: decimal.NewFromInt(50), Storefront: "store", CreatedAt: tx.Now(), UpdatedAt: tx.Now()},
		}
		if change != nil {
			change(&o)
		}
		made = o.ID
		return tx.Orders.Put(o.ID, o)
	})
	if err != nil {
		f.Fatal(err)
	}
	return made
}
