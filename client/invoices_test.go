package client

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// shelf is a platform that keeps the metafields of one order.
type shelf struct {
	fields []Metafield
	writes []string
}

func (s *shelf) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodGet {
		if r.URL.Query().Get("page") == "2" {
			return s.answer(r, []Metafield{})
		}
		return s.answer(r, s.fields)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	s.writes = append(s.writes, r.Method+" "+r.URL.Path+" "+string(body))
	var in Metafield
	if err := wire.Unmarshal(body, &in); err != nil {
		return nil, err
	}
	i := slices.IndexFunc(s.fields, func(m Metafield) bool { return m.Key == "list" })
	if r.Method == http.MethodPost {
		in.ID, i = 9, len(s.fields)
		s.fields = append(s.fields, in)
	}
	s.fields[i].Value = in.Value
	return s.answer(r, s.fields[i])
}

func (s *shelf) answer(r *http.Request, v any) (*http.Response, error) {
	out, err := wire.Marshal(v)
	return respond(r, strings.NewReader(string(out)), int64(len(out))), err
}

func TestInvoicesAreOneMetafield(t *testing.T) {
	ctx, platform := t.Context(), &shelf{}
	s := (*InvoiceService)(view(t, VersionV1, platform))
	if none, err := s.Of(ctx, 7); err != nil || len(none) != 0 {
		t.Errorf("an order without invoices: got %v, %v", none, err)
	}
	first, second := Invoice{Key: "555", Link: "https://i.example/1"}, Invoice{Key: "556", Link: "https://i.example/2", FulfillmentOrderID: north}
	for _, in := range []Invoice{first, first, second, {Key: "555", Link: "https://i.example/3"}} {
		if _, err := s.Put(ctx, 7, in); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{
		`POST /v1/123/metafields {"namespace":"nfe","key":"list","value":"[{\"key\":\"555\",\"link\":\"https://i.example/1\"}]","owner_resource":"Order","owner_id":7}`,
		`PUT /v1/123/metafields/9 {"value":"[{\"key\":\"555\",\"link\":\"https://i.example/1\"},{\"key\":\"556\",\"link\":\"https://i.example/2\",\"fulfillment_order_id\":\"01GQ2ZHK064BQRHGDB7CCV0Y6N\"}]"}`,
		`PUT /v1/123/metafields/9 {"value":"[{\"key\":\"555\",\"link\":\"https://i.example/3\"},{\"key\":\"556\",\"link\":\"https://i.example/2\",\"fulfillment_order_id\":\"01GQ2ZHK064BQRHGDB7CCV0Y6N\"}]"}`,
	}
	if !slices.Equal(platform.writes, want) {
		t.Errorf("wrote\n%s\nwant\n%s", strings.Join(platform.writes, "\n"), strings.Join(want, "\n"))
	}
	all, err := s.Of(ctx, 7)
	if err != nil || len(all) != 2 || all[0].Link != "https://i.example/3" || all[1].FulfillmentOrderID != north {
		t.Errorf("got %+v, %v", all, err)
	}
	if _, err := s.Put(ctx, 7, Invoice{Link: "https://i.example/1"}); !errors.Is(err, ErrValidation) {
		t.Errorf("an invoice without key: got %v, want ErrValidation", err)
	}
}

// One entry of another app in a form of its own made all invoices of the order unreadable, and kept others from being
// added.
func TestInvoicesOfOtherApps(t *testing.T) {
	ctx := t.Context()
	for entry, want := range map[string]struct {
		order ulid.ULID
		kept  string
	}{
		`{"key":"555","link":"https://i.example/1","fulfillment_order_id":""}`:      {kept: `{"key":"555","link":"https://i.example/1"}`},
		`{"key":555,"link":"https://i.example/1","fulfillment_order_id":null}`:      {kept: `{"key":"555","link":"https://i.example/1"}`},
		`{"key":"555","link":null,"fulfillment_order_id":"` + north.String() + `"}`: {north, `{"key":"555","link":"","fulfillment_order_id":"01GQ2ZHK064BQRHGDB7CCV0Y6N"}`},
		`{"key":"555","link":"","fulfillment_order_id":7,"series":"A"}`:             {kept: `{"key":"555","link":"","fulfillment_order_id":7,"series":"A"}`},
	} {
		platform := &shelf{fields: []Metafield{{ID: 9, Namespace: "nfe", Key: "list", Value: "[" + entry + ",null]"}}}
		s := (*InvoiceService)(view(t, VersionV1, platform))
		all, err := s.Of(ctx, 7)
		if err != nil || len(all) != 1 || all[0].Key != "555" || all[0].FulfillmentOrderID != want.order {
			t.Errorf("%s: got %+v, %v", entry, all, err)
		}
		if _, err := s.Put(ctx, 7, Invoice{Key: "556", Link: "https://i.example/2"}); err != nil {
			t.Errorf("%s: put: %v", entry, err)
		}
		if value, now := "["+want.kept+`,{"key":"556","link":"https://i.example/2"}]`, platform.fields[0].Value; now != value {
			t.Errorf("%s: the list is now\n%s\nwant\n%s", entry, now, value)
		}
	}
}

func TestInvoiceOfTheFormerForm(t *testing.T) {
	ctx, platform := t.Context(), &shelf{fields: []Metafield{{ID: 1, Namespace: "nfe", Key: "key", Value: "555"}, {ID: 2, Namespace: "nfe", Key: "link", Value: "https://i.example/1"}}}
	s := (*InvoiceService)(view(t, VersionV1, platform))
	if got, err := s.Of(ctx, 7); err != nil || len(got) != 1 || got[0].Key != "555" || got[0].Link != "https://i.example/1" {
		t.Errorf("got %+v, %v", got, err)
	}
	if got, err := s.Put(ctx, 7, Invoice{Key: "556", Link: "https://i.example/2"}); err != nil || len(got) != 2 || got[0].Key != "555" {
		t.Errorf("got %+v, %v, want both", got, err)
	}
}

func TestInvoicesThatCannotBeReadAreNotOverwritten(t *testing.T) {
	platform := &shelf{fields: []Metafield{{ID: 9, Namespace: "nfe", Key: "list", Value: `{"key":"555"}`}}}
	_, err := (*InvoiceService)(view(t, VersionV1, platform)).Put(t.Context(), 7, Invoice{Key: "556"})
	if err == nil || !strings.HasPrefix(err.Error(), "metafield 9: invoices: ") || len(platform.writes) > 0 {
		t.Errorf("got %v and wrote %v, want an error and nothing", err, platform.writes)
	}
}
