package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jarcoal/httpmock"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v1"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// noRecords are answers of 2xx without a record.
var noRecords = map[string]string{
	"no content":           "HTTP/1.1 204 No Content\r\n\r\n",
	"an empty body":        answer("200 OK", "application/json", ""),
	"white space":          answer("200 OK", "application/json", " \r\n"),
	"an empty object":      answer("200 OK", "application/json", `{}`),
	"null":                 answer("201 Created", "application/json", `null`),
	"an empty list":        answer("200 OK", "application/json", `[]`),
	"a text":               answer("200 OK", "application/json", `"ok"`),
	"true":                 answer("200 OK", "application/json", `true`),
	"a record in another":  answer("201 Created", "application/json", `{"record":{"id":7,"name":"Mug"}}`),
	"the record in a list": answer("200 OK", "application/json", `[{"id":7}]`),
	"an error":             answer("200 OK", "application/json", `{"error":"invalid token"}`),
	"an error with a code": answer("200 OK", "application/json", `{"code":404,"message":"Not Found","description":"no such record"}`),
	"null for an id":       answer("200 OK", "application/json", `{"id":null,"status":"open"}`),
	"0 for an id":          answer("200 OK", "application/json", `{"id":0,"status":"open"}`),
	"no text for an id":    answer("200 OK", "application/json", `{"id":"","status":"open"}`),
	"ID for id":            answer("200 OK", "application/json", `{"ID":7,"status":"open"}`),
	"HTML":                 answer("200 OK", "text/html", `<html>Sign in</html>`),
}

// returnsID are the methods that return the id of what they made, without the rest of it.
var returnsID = []string{"Disputes.Create", "Promotions.Create", "PaymentProviders.Create"}

// withRecord reports whether a method returns a record with an id, or the id.
func withRecord(name string, m reflect.Type) bool {
	for _, other := range returnsID {
		if name == other {
			return true
		}
	}
	if m.NumOut() < 2 || m.Out(0).Kind() != reflect.Pointer || m.Out(0).Elem().Kind() != reflect.Struct {
		return false
	}
	id, ok := m.Out(0).Elem().FieldByName("ID")
	return ok && id.Tag.Get("json") == "id"
}

// looksFirst reports whether a method looks into a list before it writes.
func looksFirst(method string) bool {
	_, name, _ := strings.Cut(method, ".")
	return name == "CreateOrGet" || name == "Ensure" || method == "Metafields.Set"
}

// saying is a client whose every call is given one answer.
func saying(t *testing.T, status int, body string) (*client.Client, *[]string) {
	t.Helper()
	var seen []string
	c, err := client.New(client.Config{
		BaseURL: "https://api.example.com", StoreID: 1, Token: client.StaticToken("t"), UserAgent: "Test (test@app.example)",
		HTTPClient: &http.Client{Transport: hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
			seen = append(seen, r.Method)
			return httpmock.NewStringResponse(status, body), nil
		})},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c, &seen
}

// TestWhatAnErrorSaysOfNoRecord: the error names the members that came, and no value.
func TestWhatAnErrorSaysOfNoRecord(t *testing.T) {
	const at = "GET /products/{id}: 200: decode answer: no record: "
	for body, want := range map[string]string{
		`{}`:                                    at + "the object is empty",
		`{"product":{"id":7,"name":"secret"}}`:  at + "the object has no id, only product",
		`{"message":"m","code":1,"a\u202eb":1}`: at + "the object has no id, only ab, code, message",
		`{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"g":1,"h":1,"i":1}`: at + "the object has no id, only a, b, c, d, e, f, g, h, …",
	} {
		c, _ := saying(t, 200, body)
		if _, err := v202503.Products(c).Get(t.Context(), 7); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", body, err, want)
		}
	}
}

// TestChosenFieldsNeedNoID: a query that leaves the id out gives a record without one.
func TestChosenFieldsNeedNoID(t *testing.T) {
	for _, test := range []struct {
		body   string
		fields []string
		fails  bool
	}{
		{`{"handle":{"en":"mug"}}`, []string{"handle"}, false},
		{`{}`, []string{"handle"}, false},
		{`{"handle":{"en":"mug"}}`, []string{"handle", "id"}, true},
		{`{"handle":{"en":"mug"}}`, []string{"id,handle"}, true},
		{`{"handle":{"en":"mug"}}`, nil, true},
		{`null`, []string{"handle"}, true},
		{`[]`, []string{"handle"}, true},
	} {
		c, _ := saying(t, 200, test.body)
		if p, err := v202503.Products(c).Get(t.Context(), 7, test.fields...); (err != nil) != test.fails {
			t.Errorf("%s with fields %q: got %v, %v; want an error: %v", test.body, test.fields, p, err, test.fails)
		}
	}
}

// TestDoReadsWhatTheCallerAsksFor: records of this module need an id, the caller's own types do not.
func TestDoReadsWhatTheCallerAsksFor(t *testing.T) {
	type own struct {
		ID client.ID `json:"id"`
	}
	type like struct {
		ID    client.ID    `json:"id"`
		Extra client.Extra `json:",embed"`
	}
	type optional struct {
		ID    *client.ID   `json:"id"`
		Extra client.Extra `json:",embed"`
	}
	for _, test := range []struct {
		out   any
		fails bool
	}{
		{new(client.Product), true}, {new(like), true},
		{new(own), false}, {new(optional), false}, {new(map[string]any), false}, {new(any), false}, {new(json.RawMessage), false}, {nil, false},
		{new(struct{ *client.Product }), true}, {new(struct{ client.Product }), true},
		{new(struct {
			ID client.ID `json:"id"`
		}), false},
	} {
		for _, method := range []string{"GET", "POST"} {
			c, _ := saying(t, 200, `{"order":{"id":7}}`)
			err := c.Do(t.Context(), client.Request{Method: method, Path: "/newer", Body: map[string]int{}}, test.out)
			if (err != nil) != test.fails || test.fails && (method == "POST") != errors.Is(err, client.ErrOutcomeUnknown) {
				t.Errorf("%s %T: got %v, want an error: %v", method, test.out, err, test.fails)
			}
			c, _ = saying(t, 204, "")
			if err := c.Do(t.Context(), client.Request{Method: method, Path: "/newer", Body: map[string]int{}}, test.out); err != nil {
				t.Errorf("%s %T: 204: got %v, want out as it is", method, test.out, err)
			}
		}
	}
}

// TestResultOfRecordsWithoutAnID: what has no id by contract is read as it was; an answer of unknown members only is
// not it.
func TestResultOfRecordsWithoutAnID(t *testing.T) {
	view := func(status int, body string) *engine.Service {
		c, _ := saying(t, status, body)
		return client.AtVersion(c, client.Version202503)
	}
	get, post := engine.Request{Path: "/x"}, engine.Request{Method: "POST", Path: "/x"}
	kind := func(err error) string {
		switch {
		case err == nil:
			return ""
		case errors.Is(err, client.ErrOutcomeUnknown) && errors.As(err, new(*client.DecodeError)):
			return "unknown"
		case errors.As(err, new(*client.DecodeError)):
			return "unreadable"
		}
		return err.Error()
	}
	subscription := func(v *engine.Service, r engine.Request) error {
		_, err := engine.Result[client.AppSubscription](t.Context(), v, r)
		return err
	}
	list := func(v *engine.Service, r engine.Request) error {
		got, err := engine.Result[[]client.ValueChange](t.Context(), v, r)
		if err == nil && len(*got) > 1 {
			t.Errorf("got %v", *got)
		}
		return err
	}
	records := func(v *engine.Service, r engine.Request) error {
		_, err := engine.Result[[]client.Variant](t.Context(), v, r)
		return err
	}
	object := func(v *engine.Service, r engine.Request) error {
		_, err := engine.Result[client.Object](t.Context(), v, r)
		return err
	}
	for _, test := range []struct {
		name        string
		call        func(*engine.Service, engine.Request) error
		status      int
		body        string
		read, wrote string
	}{
		{"a subscription", subscription, 200, `{"amount_value":1}`, "", ""},
		{"a subscription of null", subscription, 200, `{"description":null}`, "", ""},
		{"an empty subscription", subscription, 200, `{}`, "unreadable", "unknown"},
		{"a message for a subscription", subscription, 200, `{"error":"down"}`, "unreadable", "unknown"},
		{"no content for a subscription", subscription, 204, ``, "unreadable", "unknown"},
		{"a list", list, 200, `[{"status":"x"}]`, "", ""},
		{"an empty list", list, 200, `[]`, "", ""},
		{"an empty object for a list", list, 200, ` {} `, "", "unknown"},
		{"no content for a list", list, 204, ``, "", "unknown"},
		{"null for a list", list, 200, `null`, "", "unknown"},
		{"an empty body for a list", list, 200, ``, "unreadable", "unknown"},
		{"a message for a list", list, 200, `{"error":"down"}`, "unreadable", "unknown"},
		{"records", records, 200, `[{"id":1}]`, "", ""},
		{"records without an id", records, 200, `[{"id":1},{"sku":"a"}]`, "unreadable", "unknown"},
		{"an object", object, 200, `{"a":1}`, "", ""},
		{"an empty list for an object", object, 200, `[]`, "", ""},
		{"no content for an object", object, 204, ``, "unreadable", "unknown"},
	} {
		if got := kind(test.call(view(test.status, test.body), get)); got != test.read {
			t.Errorf("%s, read: got %q, want %q", test.name, got, test.read)
		}
		if got := kind(test.call(view(test.status, test.body), post)); got != test.wrote {
			t.Errorf("%s, written: got %q, want %q", test.name, got, test.wrote)
		}
	}
}

// TestAbsoluteWriteWithoutARecord: a PUT whose answer is whole but no record is reported, and not read again: nothing
// says that the platform applied it. One whose answer broke off is read again, and if that gives no record, it is the
// write that is reported.
func TestAbsoluteWriteWithoutARecord(t *testing.T) {
	for _, test := range []struct {
		put, get string
		methods  string
		fails    bool
	}{
		{`{}`, `{"id":7}`, "[PUT]", true},
		{`{"error":"down"}`, `{"id":7}`, "[PUT]", true},
		{"", `{"id":7}`, "[PUT]", true},
		{`{"id":7}`, `{}`, "[PUT]", false},
		{`{"id":`, `{"id":7}`, "[PUT GET]", false},
		{`{"id":`, `{}`, "[PUT GET]", true},
		{`{"id":`, `{"error":"down"}`, "[PUT GET]", true},
		{`{"id":`, `<html>`, "[PUT GET]", true},
	} {
		var seen []string
		transport := hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
			seen = append(seen, r.Method)
			body := test.get
			if r.Method == "PUT" {
				body = test.put
			}
			resp := httpmock.NewStringResponse(200, body)
			if body == `{"id":` {
				resp.Body = &breaking{*strings.NewReader(body)}
			}
			return resp, nil
		})
		c, err := client.New(client.Config{BaseURL: "https://api.example.com", StoreID: 1, Token: client.StaticToken("t"), UserAgent: "Test (test@app.example)", HTTPClient: &http.Client{Transport: transport}})
		if err != nil {
			t.Fatal(err)
		}
		got, err := v1.Categories(c).Update(t.Context(), 7, client.CategoryInput{Visibility: client.VisibilityVisible})
		e, _ := errors.AsType[*client.Error](err)
		if fmt.Sprint(seen) != test.methods || (err != nil) != test.fails || test.fails && (got != nil || !errors.Is(err, client.ErrOutcomeUnknown) || e == nil || e.Method != "PUT") {
			t.Errorf("%s, then %s: got %v, %v after %v; want %s and an unknown outcome of the PUT: %v", test.put, test.get, got, err, seen, test.methods, test.fails)
		}
	}
}

// breaking is a body that breaks off.
type breaking struct{ strings.Reader }

func (b *breaking) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err != nil {
		err = errors.New("connection reset")
	}
	return n, err
}

func (*breaking) Close() error { return nil }

// TestCreateOrGetTakesNoAnswerForARecord: where the answer to a create holds no record, the one that was made is found,
// and it is the only one.
func TestCreateOrGetTakesNoAnswerForARecord(t *testing.T) {
	for op, call := range onces {
		for _, fault := range []clienttest.Fault{
			{Status: 200, Body: `{}`, After: true}, {Status: 201, Body: `{"record":{"id":9}}`, After: true}, {Status: 200, Body: `{"error":"down"}`, After: true},
			{Status: 201, Body: `null`, After: true}, {Status: 201, Body: `[]`, After: true}, {Status: 200, Body: `<html>`, After: true},
			{Status: 200, Body: `{"id":0}`, After: true}, {Status: 200, Body: `{}`},
		} {
			t.Run(fmt.Sprint(op, fault.Body, fault.After), func(t *testing.T) {
				onServer(t, func(t *testing.T, srv *clienttest.Server, c *client.Client, product client.ID) {
					fault.Operation, fault.Count = op, 1
					if err := srv.Fault(fault); err != nil {
						t.Fatal(err)
					}
					want := 1
					if !fault.After {
						want = 2
					}
					before := len(srv.Requests())
					first, made := one(t)(call(t.Context(), c, product))
					second, _ := one(t)(call(t.Context(), c, product))
					if made == fault.After {
						t.Errorf("made %v, want what the platform has answered", made)
					}
					if got := posts(srv, op, before); first == 0 || first != second || got != want {
						t.Errorf("got %d and %d after %d creates, want one record after %d", first, second, got, want)
					}
				})
			})
		}
	}
}

// TestOnceTakesNoAnswerForARecord: such an answer leaves the intent open until the record is found.
func TestOnceTakesNoAnswerForARecord(t *testing.T) {
	for name, returned := range map[string]func(*client.Category, error) (*client.Category, error){
		"as the client has it": func(c *client.Category, err error) (*client.Category, error) { return c, err },
		"no record":            func(*client.Category, error) (*client.Category, error) { return nil, nil },
		"a record without id":  func(*client.Category, error) (*client.Category, error) { return &client.Category{}, nil },
		"an error of its own": func(_ *client.Category, err error) (*client.Category, error) {
			if d, ok := errors.AsType[*client.DecodeError](err); ok {
				return nil, fmt.Errorf("create: %w", d)
			}
			return nil, err
		},
	} {
		for _, applied := range []bool{true, false} {
			t.Run(fmt.Sprint(name, applied), func(t *testing.T) {
				onServer(t, func(t *testing.T, srv *clienttest.Server, c *client.Client, _ client.ID) {
					if err := srv.Fault(clienttest.Fault{Operation: "POST /categories", Count: 1, Status: 201, Body: `{"category":{"id":7}}`, After: applied}); err != nil {
						t.Fatal(err)
					}
					b := newBook()
					once := categoriesOnce(c, b)
					made, err := once.Create(t.Context(), "Mugs", func(ctx context.Context) (*client.Category, error) {
						return returned(naming(c, "Mugs")(ctx))
					})
					if applied {
						ids := named(t, c, "Mugs")
						if err != nil || len(ids) != 1 || made.ID != ids[0] || b.made["Mugs"] != ids[0] || len(b.open) != 0 {
							t.Errorf("got %v, %v; there are %v, the journal has %v and %d open", made, err, ids, b.made, len(b.open))
						}
						return
					}
					if made != nil || !errors.Is(err, client.ErrOutcomeUnknown) || !errors.Is(err, client.ErrProbablyNotCreated) || len(b.made) != 0 {
						t.Errorf("got %v, %v; the journal has %v; want that the record is not there", made, err, b.made)
					}
					in := b.only(t)
					made, err = once.Resume(t.Context(), in, naming(c, "Mugs"))
					if ids := named(t, c, "Mugs"); err != nil || len(ids) != 1 || made.ID != ids[0] || b.made["Mugs"] != ids[0] {
						t.Errorf("resumed: got %v, %v; there are %v, the journal has %v", made, err, ids, b.made)
					}
				})
			})
		}
	}
}

// TestSearchFindsNoRecordWithoutAnID: an item of a list that matches and has no id ends neither a CreateOrGet nor an
// intent.
func TestSearchFindsNoRecordWithoutAnID(t *testing.T) {
	c, seen := saying(t, 200, `[{"url":"https://app.example/hooks","event":"order/paid","name":{"en":"Mugs"}}]`)
	if w, _, err := v1.Webhooks(c).CreateOrGet(t.Context(), client.WebhookInput{URL: "https://app.example/hooks", Event: "order/paid"}); w != nil || err == nil || len(*seen) != 1 {
		t.Errorf("got %v, %v after %v; want an error after one look", w, err, *seen)
	}
	synctest.Test(t, func(t *testing.T) {
		b := newBook()
		in := client.Intent{StoreID: 1, Path: "/categories", Key: "Mugs"}
		b.open[in.ID] = in
		if got, err := categoriesOnce(c, b).Resume(t.Context(), in, nil); got != nil || err == nil || len(b.open) != 1 {
			t.Errorf("got %v, %v with %d open; want the intent open", got, err, len(b.open))
		}
		chosen := client.Once[client.Category]{
			Journal: b,
			Among: func(since time.Time) client.List[client.Category] {
				return client.List[client.Category](engine.List(client.AtVersion(c, client.VersionV1), engine.ListSpec{Path: "/categories", Query: url.Values{"fields": {"name"}}, Whole: true}))
			},
			Match: func(c *client.Category, key string) bool { return c.Name.Get("en") == key },
		}
		if got, err := chosen.Resume(t.Context(), in, nil); got == nil || err != nil || len(b.open) != 0 {
			t.Errorf("with chosen fields: got %v, %v with %d open; want the intent ended", got, err, len(b.open))
		}
	})
}
