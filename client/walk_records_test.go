package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/hostile"
	"github.com/commerceplatform/commerce-go/internal/tier"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// TestProofRecords reads every record in all forms that a stranger may send, as an answer and as an item of a page, and
// asks all questions of each. In make test it tries some of the forms.
func TestProofRecords(t *testing.T) {
	w := &records{t: t, codec: codecOf(newTest(t, nil).core())}
	t.Run("spoiled", func(t *testing.T) {
		w.t = t
		hostile.RecordsBy(t, catalog, func(name string) []byte { return document(t, name) }, tier.Unwatched(false, true, true), w.spoiled)
		if w.items < 1000 {
			t.Errorf("%d items of pages, want 1000 at least", w.items)
		}
	})
	t.Run("bounded", w.bounded)
	t.Run("kept", w.kept)
}

// records walks the records of the catalog.
type records struct {
	t     *testing.T
	codec *codec
	items int // spoiled items of pages
}

// spoiled reads a document as an answer and, if it is JSON, as an item of a page, where it must not cost the others.
// It is readable as both or as neither.
func (w *records) spoiled(body []byte, record any) error {
	err := w.codec.Decode(w.t.Context(), &engine.Answer{Header: http.Header{}, Status: http.StatusOK, Body: body}, record)
	if err != nil {
		readable(w.t, err)
	}
	if len(body) > 100_000 || !wire.Valid(body) {
		return err
	}
	w.items++
	kind := reflect.TypeOf(record).Elem()
	page := slices.Concat([]byte(`[{},`), body, []byte(`,{}]`))
	items, failed := decodeItems(w.t.Context(), w.codec, page, reflect.SliceOf(kind), true)
	switch {
	case errors.Is(failed, wire.ErrTooMany), !items.IsValid() && strings.Contains(failed.Error(), "max depth"): // so is the page
	case !items.IsValid() || items.Len() != 3 && failed == nil || items.Len() < 2:
		w.t.Errorf("%s beside %.200q: read %v, %v; want the two others", kind, body, items, failed)
	case err == nil && failed != nil && !bytes.HasPrefix(bytes.TrimSpace(body), []byte("null")):
		w.t.Errorf("%s of %.200q: readable as an answer, and not in a page: %v", kind, body, failed)
	}
	return err
}

// readable reports whether there was no error. One must be of the client and short enough for a log.
func readable(t *testing.T, err error) bool {
	if err == nil {
		return true
	}
	e, platform := errors.AsType[*Error](err)
	d, decoding := errors.AsType[*DecodeError](err)
	if !platform && !decoding || platform && len(e.Body) > engine.MaxErrorBody || decoding && len(d.Raw) > engine.MaxErrorBody {
		t.Errorf("got an error of %T: %.200v", err, err)
	}
	if text := err.Error(); len(text) > 4000 || strings.ContainsAny(text, "\x00\x1b\r") {
		t.Errorf("said in %d bytes: %.200q", len(text), text)
	}
	return false
}

// bounded: a mebibyte of the shortest elements in any list below any record takes no gigabytes.
func (w *records) bounded(t *testing.T) {
	random, oneOf := rand.New(rand.NewPCG(Seed(t), 0)), tier.Unwatched(400, 1, 1)
	elements := []string{`{}`, `{"id":1234567,"position":1,"created_at":"2025-01-01T12:00:00+0000"}`, `null`, `1`, `{"a":1}`}[:tier.Unwatched(2, 5, 5)]
	refused, accepted, most := 0, 0, hostile.Spent{}
	for _, name := range slices.Sorted(maps.Keys(catalog)) {
		kind := reflect.TypeOf(catalog[name]).Elem()
		for _, member := range append(lists(kind), "unknown") {
			for _, element := range elements {
				if random.IntN(oneOf) > 0 {
					continue
				}
				body := fmt.Appendf(nil, `{"id":1,"%s":[%s%s]}`, member, strings.Repeat(element+",", 1<<20/(len(element)+1)), element)
				var err error
				spent := hostile.Cost(func() {
					err = w.codec.Decode(t.Context(), &engine.Answer{Header: http.Header{}, Status: http.StatusOK, Body: body}, reflect.New(kind).Interface())
				}).Max(hostile.Cost(func() {
					_, failed := decodeItems(t.Context(), w.codec, slices.Concat([]byte("["), body, []byte("]")), reflect.SliceOf(kind), true)
					if errors.Is(failed, wire.ErrTooMany) != errors.Is(err, wire.ErrTooMany) {
						t.Errorf("%s.%s of %s: got %v as an answer, and %v in a page", name, member, element, err, failed)
					}
				}))
				const bound = 64 << 20
				if most = most.Max(spent); spent.Bytes > bound {
					t.Errorf("%s.%s of %s: %v, want %d bytes at most (%v)", name, member, element, spent, bound, err)
				}
				switch {
				case err == nil:
					accepted++
				case errors.Is(err, wire.ErrTooMany):
					refused++
				}
			}
		}
	}
	t.Logf("%d refused and %d accepted, at most %v", refused, accepted, most)
	if least := tier.Unwatched(0, 5, 50); refused < least || accepted < least {
		t.Errorf("%d refused and %d accepted, want %d of both", refused, accepted, least)
	}
}

// lists are the members of a record that are lists or objects.
func lists(kind reflect.Type) (names []string) {
	for f := range kind.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		of := f.Type
		if of.Kind() == reflect.Pointer {
			of = of.Elem()
		}
		if name != "" && name != "-" && (of.Kind() == reflect.Slice || of.Kind() == reflect.Struct) {
			names = append(names, name)
		}
	}
	return names
}

// kept: a copy of one record of a page keeps that and small pieces of its neighbours, not the page.
func (w *records) kept(t *testing.T) {
	random, oneOf := rand.New(rand.NewPCG(Seed(t), 0)), tier.Unwatched(4, 1, 1)
	for _, name := range slices.Sorted(maps.Keys(catalog)) {
		one := bytes.TrimSpace(document(t, name))
		if len(one) < 1500 || random.IntN(oneOf) > 0 { // of a short one, what else the process allocates would be more
			continue
		}
		page := slices.Concat([]byte("["), bytes.Repeat(append(slices.Clone(one), ','), MaxPerPage-1), one, []byte("]"))
		keep := func() any {
			items, err := decodeItems(t.Context(), w.codec, page, reflect.SliceOf(reflect.TypeOf(catalog[name]).Elem()), true)
			if err != nil {
				t.Fatal(err)
			}
			return items.Index(100).Interface()
		}
		keep() // the facts about the types are cached permanently
		least, most := int64(1<<60), 5*int64(len(one))
		for range 5 { // other goroutines may end or begin
			before := inUse()
			kept := keep()
			least = min(least, inUse()-before)
			if runtime.KeepAlive(kept); least <= most {
				break
			}
		}
		if least > most {
			t.Errorf("%s: one record of %d bytes keeps %d bytes, want %d at most", name, len(one), least, most)
		}
		t.Logf("%s: one record of %d bytes keeps %d bytes", name, len(one), least)
	}
}

func inUse() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // empties pools
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestSpoiledLists reads spoiled pages by the lists of services. Of a page that is cut there is an error, and no answer
// costs much more than its size.
func TestSpoiledLists(t *testing.T) {
	var body []byte
	answers := hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
		return respond(r, bytes.NewReader(body), int64(len(body))), nil
	})
	const array = `[{"id":"1","created_at":"2024-05-08T10:00:00+0000"},{"id":2,"x":{"y":[1]}}]`
	ulids := strings.NewReplacer(`:"1"`, `:"01FHZXHK8PTP9FVK99Z66GXTTA"`, `:2`, `:"01FHZXHK8PTP9FVK99Z66GXTTB"`).Replace(array)
	var all hostile.Tally
	synctest.Test(t, func(t *testing.T) {
		v := view(t, Version202503, answers)
		for _, list := range []struct {
			name, page string
			read       func(context.Context) (int, error)
		}{
			{"products", array, onePage((*ProductService)(v).List(ProductFilter{}))},
			{"orders", array, onePage((*OrderService)(v).List(OrderFilter{}))},
			{"customers", array, onePage((*CustomerService)(v).List(CustomerFilter{}))},
			{"fulfillment orders", ulids, onePage((*FulfillmentOrderService)(v).List(7, FulfillmentOrderFilter{}))},
			{"inventory levels", `{"total":2,"page":1,"results":` + array + `}`, onePage((*LocationService)(v).Levels(ulid.ULID{1}, InventoryLevelFilter{}))},
			{"webhooks", array, onePage((*WebhookService)(v).List(WebhookFilter{}))},
		} {
			reader := hostile.Reader{Lax: true, Read: func(b []byte) bool {
				body = b
				_, err := list.read(t.Context())
				return readable(t, err)
			}}
			documents := hostile.Spoiled(hostile.OfHandler/5, []byte(list.page))
			if list.name == "orders" || list.name == "customers" { // the greatest in memory
				documents = hostile.Documents(hostile.OfHandler/5, []byte(list.page))
			}
			got := reader.Play(t, documents)
			t.Logf("%s: %v", list.name, got)
			all = all.Add(got)
			body = []byte(strings.Replace(list.page, "},{", `},"x",{`, 1))
			if n, err := list.read(t.Context()); n != 2 || err == nil {
				t.Errorf("%s: read %d of 2 beside one that is none, %v", list.name, n, err)
			}
		}
	})
	t.Logf("%v", all)
}

func onePage[T any](l List[T]) func(context.Context) (int, error) {
	return func(ctx context.Context) (int, error) {
		page, err := l.Page(ctx)
		if page == nil {
			return 0, err
		}
		return len(page.Items), err
	}
}
