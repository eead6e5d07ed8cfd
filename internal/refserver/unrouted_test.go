package refserver

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// TestHints: a path that no operation has is reported with what there is instead, in the answer and in the log.
func TestHints(t *testing.T) {
	var mu sync.Mutex
	var told []traffic.Request
	f := setup(t, Options{Bucket: 1000, OnRequest: func(e traffic.Request) {
		mu.Lock()
		defer mu.Unlock()
		told = append(told, e)
	}}, world.AllScopes()...)
	for _, tc := range []struct {
		call, hint, op string
		status         int
	}{
		{"GET /prodcuts", "No operation of v1 has this path; the nearest is GET /products", "", 404},
		{"HEAD /prodcuts", "No operation of v1 has this path; the nearest is GET /products", "", 404},
		{"GET /orders/1/cancel", "The path has the methods POST", "", 405},
		{"PATCH /products", "The path has the methods GET, POST, HEAD", "", 405},
		{"GET /products/unheard-of", "No operation of v1 has this path; the nearest is GET /products", "", 404},
		{"DELETE /products/unheard-of", "No operation of v1 has this path; the nearest is GET /products", "", 404},
		{"POST /products/unheard-of", "No operation of v1 has this path; the nearest is POST /products", "", 404},
		{"GET /pages", "GET /pages is in 2025-03 and unstable, not in v1", "pages.list", 404},
		{"GET /xyzzy/plugh", "No operation of v1 has this path", "", 404},
		{"GET //2025-03/apps/1/nothing", "", "", 401},
		{"GET //v1/products", "The path must begin with /{version}/{store_id} or /{version}/apps/{app_id}", "", 404},
		{"GET //v3/1/products", "Supported versions: v1, 2025-03, unstable", "", 404},
		// The product is missing, not the path.
		{"GET /products/7", "", "products.get", 404},
		{"GET /products/sku/unheard-of", "", "products.getBySKU", 404},
	} {
		w := f.do(tc.call, "")
		if w.Code != tc.status || w.Header().Get("X-Ref-Hint") != tc.hint {
			t.Errorf("%s: got %d %q, want %d %q", tc.call, w.Code, w.Header().Get("X-Ref-Hint"), tc.status, tc.hint)
		}
		if tc.hint != "" && !strings.HasPrefix(tc.call, "HEAD") {
			wantJSON(t, w.Body.Bytes(), fmt.Sprintf(`{"code":%d,"message":%q,"description":%q}`, tc.status, http.StatusText(tc.status), tc.hint))
			if w.Header().Get("X-Ref-Provenance") != "assumed" {
				t.Errorf("%s: the answer is not marked as assumed", tc.call)
			}
		}
		log := f.Requests()
		if e := log[len(log)-1]; e.Hint != tc.hint || e.Op != tc.op || told[len(told)-1].ID != e.ID {
			t.Errorf("%s: the log has %q of %q, want %q of %q", tc.call, e.Hint, e.Op, tc.hint, tc.op)
		}
		if strings.Contains(w.Body.String(), "Product with such id") != (tc.op == "products.get") {
			t.Errorf("%s: got %s", tc.call, w.Body)
		}
	}
}

// TestPartnerHints: operations of apps have a table of their own.
func TestPartnerHints(t *testing.T) {
	f := setup(t, Options{})
	w := f.do(fmt.Sprintf("POST //v1/apps/%d/test-plan", f.app.ID), "", header("Authorization", "Bearer "+f.app.Secret))
	const want = "No operation of v1 has this path; the nearest is POST /apps/{app_id}/test-plans"
	if got := w.Header().Get(HintHeader); w.Code != 404 || got != want {
		t.Errorf("got %d %q, want %q", w.Code, got, want)
	}
}

// FuzzHints: the answer to any path is bounded, and repeats nothing of the path.
func FuzzHints(f *testing.F) {
	f.Add("GET", "/prodcuts")
	f.Add("POST", "/products/%0d%0aX-Evil:1")
	f.Add("PUT", "/"+strings.Repeat("products/", 2000))
	s := New(Options{})
	f.Cleanup(s.Close)
	f.Fuzz(func(t *testing.T, method, path string) {
		c := &call{r: &http.Request{Method: method}, header: http.Header{}, path: path}
		c.in.Version, c.entry.Store = "v1", 1
		if err := s.find(c); err != nil {
			t.Fatal(err)
		}
		if c.match.Op != nil {
			return
		}
		if err := s.unrouted(c); err == nil || len(c.entry.Hint) > 300 || strings.ContainsFunc(c.entry.Hint, func(r rune) bool { return r < ' ' || r > '~' }) {
			t.Errorf("%s %q: got %v, %q", method, path, err, c.entry.Hint)
		}
	})
}
