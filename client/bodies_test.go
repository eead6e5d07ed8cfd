package client_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/internal/bench"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// inTurn answers with one body after another.
type inTurn []string

func (bodies *inTurn) RoundTrip(req *http.Request) (*http.Response, error) {
	next := (*bodies)[0]
	*bodies = (*bodies)[1:]
	return bench.Canned(next).RoundTrip(req)
}

// TestAnswersOutliveTheirBodies: large answers are read into the same memory, one after another, and nothing that was
// made of an answer changes with the next.
func TestAnswersOutliveTheirBodies(t *testing.T) {
	answer := func(letter string) string {
		return `[{"id":1,"handle":"` + letter + `","tags":"` + strings.Repeat(letter, 40<<10) + `","more":{"x":"` + letter + `"}},{"id":"` + letter + `"}]`
	}
	product := func(letter string) string { return strings.TrimSuffix(answer(letter)[1:], `,{"id":"`+letter+`"}]`) }
	c, err := client.New(client.Config{
		BaseURL: "https://api.example.com", StoreID: 1, Token: client.StaticToken("t"), UserAgent: "Test (test@app.example)",
		HTTPClient: &http.Client{Transport: &inTurn{answer("a"), answer("b"), product("c"), product("d"), answer("e")}},
	})
	if err != nil {
		t.Fatal(err)
	}
	list := func() (*client.Page[client.Product], error) {
		return v202503.Products(c).List(client.ProductFilter{Paging: client.Paging{PerPage: 2}}).Page(t.Context())
	}
	first, firstErr := list()
	second, _ := list()
	third, err := v202503.Products(c).Get(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	var fourth json.RawMessage
	if err := c.Do(t.Context(), client.Request{Path: "/products/1"}, &fourth); err != nil {
		t.Fatal(err)
	}
	_, _ = list()
	for letter, p := range map[string]*client.Product{"a": &first.Items[0], "b": &second.Items[0], "c": third} {
		if p.Handle.String() != letter || p.Tags != strings.Repeat(letter, 40<<10) || string(p.Extra["more"]) != `{"x":"`+letter+`"}` {
			t.Errorf("%s became %s, %.10s, %s", letter, p.Handle, p.Tags, p.Extra["more"])
		}
	}
	if string(fourth) != product("d") {
		t.Errorf("the raw answer became %.60s", fourth)
	}
	if bad, ok := errors.AsType[*client.DecodeError](firstErr); !ok || string(bad.Raw) != `{"id":"a"}` {
		t.Errorf("the error became %v", firstErr)
	}
}

// pouring answers with what it returns.
type pouring func() *http.Response

func (f pouring) RoundTrip(*http.Request) (*http.Response, error) { return f(), nil }

// askByDefault makes one call with the bounds that a client has by default, and tells what that cost.
func askByDefault(t *testing.T, transport http.RoundTripper) (hostile.Spent, error) {
	t.Helper()
	c, err := client.New(client.Config{
		BaseURL: "https://api.example.com", StoreID: 1, Token: client.StaticToken("t"), UserAgent: "Test (test@app.example)",
		HTTPClient: &http.Client{Transport: transport},
	})
	if err != nil {
		t.Fatal(err)
	}
	spent := hostile.Cost(func() { err = c.Do(t.Context(), client.Request{Path: "/store"}, nil) })
	return spent, err
}

// TestDefaultBoundOfAnswers: 32 MiB are read, and a byte more is refused.
func TestDefaultBoundOfAnswers(t *testing.T) {
	const bound = 32 << 20
	for _, c := range []struct {
		size  int64
		told  bool
		fails bool
	}{{bound, true, false}, {bound + 1, false, true}} {
		spent, err := askByDefault(t, pouring(func() *http.Response {
			resp := &http.Response{StatusCode: 200, Header: http.Header{}, ContentLength: -1, Body: io.NopCloser(io.LimitReader(spaces{}, c.size))}
			if c.told {
				resp.ContentLength = c.size
			}
			return resp
		}))
		t.Logf("%d bytes: %v: %v", c.size, spent, err)
		if (err != nil) != c.fails || c.fails && !strings.Contains(err.Error(), "MaxBody") {
			t.Errorf("%d bytes, told %v: got %v; want that they are too many: %v", c.size, c.told, err, c.fails)
		}
	}
}

// spaces are without an end.
type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// TestBombByDefault: a mebibyte of gzip that inflates to a gibibyte is inflated as far as the bound, once.
func TestBombByDefault(t *testing.T) {
	var member bytes.Buffer
	z := gzip.NewWriter(&member)
	_, _ = z.Write(make([]byte, 1<<20))
	_ = z.Close()
	bomb := bytes.Repeat(member.Bytes(), 1<<10) // members follow each other in gzip
	requests := 0
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests++
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(bomb) // until the client has had enough
	}))
	defer server.Close()
	transport := server.Client().Transport.(*http.Transport)
	transport.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
	}
	transport.TLSClientConfig.ServerName = "example.com"
	spent, err := askByDefault(t, transport)
	server.Close()
	t.Logf("%d bytes of gzip: %v: %v", len(bomb), spent, err)
	if err == nil || !strings.Contains(err.Error(), "MaxBody") || requests != 1 || spent.Bytes > 256<<20 {
		t.Errorf("%d bytes of gzip cost %v in %d requests: %v; want that they are too many, in one request and 256 MiB", len(bomb), spent, requests, err)
	}
}
