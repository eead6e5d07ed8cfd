package client

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// spoiled is a platform that gives the same answer to everything.
type spoiled struct {
	view   *engine.Service
	status int
	body   []byte
}

func newSpoiled(t *testing.T, status int) *spoiled {
	s := &spoiled{status: status}
	s.view = view(t, Version202503, hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
		resp := respond(r, bytes.NewReader(s.body), int64(len(s.body)))
		resp.StatusCode = s.status
		return resp, nil
	}))
	return s
}

func TestSpoiledRecords(t *testing.T) {
	hostile.Records(t, catalog, func(name string) []byte { return document(t, name) })
}

// TestSpoiledAnswers: of an answer that is cut there is an error and never a half of a record, and no answer costs much
// more than its size.
func TestSpoiledAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newSpoiled(t, http.StatusOK)
		for _, name := range []string{"order_2025_03", "product", "customer"} {
			reader := hostile.Reader{Lax: true, Read: func(body []byte) bool {
				p.body = body
				out := reflect.New(reflect.TypeOf(catalog[name]).Elem()).Interface()
				return readable(t, engine.Do(t.Context(), p.view, engine.Request{Path: "/records/7"}, out))
			}}
			t.Logf("%s: %v", name, reader.Play(t, hostile.Spoiled(hostile.OfHandler/3, document(t, name))))
		}
	})
}

// TestSpoiledLists: the same of a page. An item that cannot be read does not cost the others.
func TestSpoiledLists(t *testing.T) {
	var all hostile.Tally
	synctest.Test(t, func(t *testing.T) {
		p := newSpoiled(t, http.StatusOK)
		for name, page := range map[string]func(context.Context) (int, error){
			"product":           onePage((*ProductService)(p.view).List(ProductFilter{})),
			"order_v1":          onePage((*OrderService)(p.view).List(OrderFilter{})),
			"customer":          onePage((*CustomerService)(p.view).List(CustomerFilter{})),
			"fulfillment_order": onePage((*FulfillmentOrderService)(p.view).List(7, FulfillmentOrderFilter{})),
			"inventory_level":   onePage((*LocationService)(p.view).Levels(ulid.ULID{1}, InventoryLevelFilter{})),
			"webhook":           onePage((*WebhookService)(p.view).List(WebhookFilter{})),
		} {
			one := bytes.TrimSpace(document(t, name))
			good := slices.Concat([]byte("["), one, []byte(","), one, []byte("]"))
			reader := hostile.Reader{Lax: true, Read: func(body []byte) bool {
				p.body = body
				_, err := page(t.Context())
				return readable(t, err)
			}}
			if p.body = good; !reader.Read(good) {
				t.Errorf("%s: refused as it is", good)
			}
			documents := hostile.Spoiled(hostile.OfHandler/5, good)
			if name == "order_v1" || name == "customer" { // the greatest in memory
				documents = hostile.Documents(hostile.OfHandler/5, good)
			}
			got := reader.Play(t, documents)
			t.Logf("%s: %v", name, got)
			all = all.Add(got)
			p.body = slices.Concat([]byte("["), one, []byte(`,"x",`), one, []byte("]"))
			if n, err := page(t.Context()); n != 2 || err == nil {
				t.Errorf("%s: read %d of 2 beside one that is none, %v", name, n, err)
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

// TestSpoiledErrors: whatever stands in the body of a refusal, it is the refusal that is returned.
func TestSpoiledErrors(t *testing.T) {
	good := [][]byte{
		[]byte(`{"code":404,"message":"Not Found","description":"Product with such id does not exist","id":["is invalid","is gone"]}`),
		[]byte(`{"src":["can't be blank"],"name":["is too long (maximum is 255 characters)"]}`),
		[]byte(`{"error":"Problems parsing JSON"}`),
		[]byte(`{"error":{"status":403,"code":"ForbiddenException","detail":["one","two"]}}`),
		[]byte(`{"description":"Not valid","message":"Invalid","messages":{"/shipping/carrier":["is unknown"]}}`),
	}
	synctest.Test(t, func(t *testing.T) {
		for _, status := range []int{400, 404, 422} {
			p := newSpoiled(t, status)
			reader := hostile.Reader{Lax: true, Bytes: 8 << 20, Read: func(body []byte) bool {
				p.body = body
				err := engine.Do(t.Context(), p.view, engine.Request{Path: "/products/7"}, new(Product))
				if e, ok := errors.AsType[*Error](err); !ok || e.Status != status || readable(t, err) {
					t.Errorf("%d %.100q: got %v", status, body, err)
				}
				return false
			}}
			t.Logf("%d: %v", status, reader.Play(t, hostile.Documents(hostile.OfHandler/5, good...)))
		}
	})
}
