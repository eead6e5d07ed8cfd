package inboxopstest

import (
	"encoding/json"
	"html"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxops"
)

// desk is a page of an inbox and somebody who uses it.
type desk struct {
	*testing.T
	inbox  webhook.Inbox
	server *httptest.Server
	seen   strings.Builder // every answer
}

func open(t *testing.T, in webhook.Inbox) *desk {
	t.Helper()
	ops := &inboxops.Handler{Inbox: in, Every: time.Millisecond, Logger: slog.New(slog.DiscardHandler)}
	if err := ops.Check(); err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/deep/ops/", http.StripPrefix("/deep/ops", ops))
	d := &desk{T: t, inbox: in, server: httptest.NewServer(mux)}
	t.Cleanup(d.server.Close)
	t.Cleanup(func() { d.settle() })
	return d
}

// settle waits until the sample in progress is taken.
func (d *desk) settle() {
	for range 2 {
		d.get("api/overview")
	}
}

// do sends a request and returns the answer, its address and its status. Redirects are followed.
func (d *desk) do(r *http.Request) (body string, at *url.URL, status int) {
	d.Helper()
	w, err := d.server.Client().Do(r)
	if err != nil {
		d.Fatal(err)
	}
	defer func() { _ = w.Body.Close() }()
	raw, err := io.ReadAll(w.Body)
	if err != nil {
		d.Fatal(err)
	}
	d.seen.Write(raw)
	return string(raw), w.Request.URL, w.StatusCode
}

func (d *desk) request(method, address, kind, body string) *http.Request {
	d.Helper()
	r, err := http.NewRequest(method, d.server.URL+"/deep/ops/"+address, strings.NewReader(body))
	if err != nil {
		d.Fatal(err)
	}
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	return r
}

// get returns a page, which must be served.
func (d *desk) get(address string) string {
	d.Helper()
	body, _, status := d.do(d.request("GET", address, "", ""))
	if status != http.StatusOK {
		d.Fatalf("GET %s: status %d: %s", address, status, body)
	}
	return body
}

// read decodes the JSON of an address.
func (d *desk) read(address string, to any) {
	d.Helper()
	if err := json.Unmarshal([]byte(d.get(address)), to); err != nil {
		d.Fatalf("GET %s: %v", address, err)
	}
}

var (
	hidden = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)">`)
	form   = regexp.MustCompile(`(?s)<form action="act" method="post".*?</form>`)
)

// submit presses the button of the form on a page that asks for confirmation.
func (d *desk) submit(page string) (body string, at *url.URL, status int) {
	d.Helper()
	values := url.Values{}
	for _, field := range hidden.FindAllStringSubmatch(form.FindString(page), -1) {
		values.Set(html.UnescapeString(field[1]), html.UnescapeString(field[2]))
	}
	if len(values) == 0 {
		d.Fatalf("no form on the page: %s", page)
	}
	return d.do(d.request("POST", "act", "application/x-www-form-urlencoded", values.Encode()))
}

// contains checks that a page has texts.
func (d *desk) contains(page string, wants ...string) {
	d.Helper()
	for _, want := range wants {
		if !strings.Contains(page, want) {
			d.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
}

func (d *desk) stats() webhook.Stats {
	d.Helper()
	s, err := d.inbox.Stats(d.Context())
	if err != nil {
		d.Fatal(err)
	}
	return s
}

// accept fills in n entries made by one.
func (d *desk) accept(n int, one func(n int) webhook.Entry) {
	d.Helper()
	const group = 500
	for from := 0; from < n; from += group {
		var some []webhook.Entry
		for i := from; i < min(from+group, n); i++ {
			some = append(some, one(i))
		}
		if _, err := d.inbox.Accept(d.Context(), some...); err != nil {
			d.Fatal(err)
		}
	}
}

// entry is an entry whose key names its store.
func entry(store client.ID, name webhook.Name, id string) webhook.Entry {
	key := webhook.Prefix("", store) + string(name) + ":" + id
	return webhook.Entry{Key: key, Lane: key, Kind: webhook.KindSignal, Event: name, StoreID: store,
		Body: []byte(`{"id":"` + id + `"}`)}
}

// dead is an entry that arrives dead.
func dead(store client.ID, name webhook.Name, id, cause string) webhook.Entry {
	e := entry(store, name, id)
	e.Unhandled = cause
	return e
}
