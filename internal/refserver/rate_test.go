package refserver

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func TestRateLimit(t *testing.T) {
	f := setup(t, Options{})
	accepted := 0
	for range 50 {
		if w := f.do("GET /store", ""); w.Code == 200 {
			accepted++
		}
	}
	if accepted != 40 {
		t.Errorf("50 at once: %d accepted, want 40", accepted)
	}
	w := f.do("GET /store", "")
	if w.Code != 429 || w.Header().Get("Retry-After") != "" {
		t.Errorf("got %d, Retry-After %q", w.Code, w.Header().Get("Retry-After"))
	}
	wantJSON(t, w.Body.Bytes(), `{"code":429,"message":"Too Many Requests","description":null}`)
	for name, want := range map[string]string{"Limit": "40", "Remaining": "0", "Reset": "20000"} {
		if got := w.Header().Get("X-Rate-Limit-" + name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if got := w.Header().Get(HintHeader); !strings.Contains(got, "refserver clock advance 20s") {
		t.Errorf("nothing says how to go on beside a clock that stands still: %q", got)
	}
	f.clock.Advance(500 * time.Millisecond)
	if w := f.do("GET /store", ""); w.Code != 200 {
		t.Errorf("half a second later: got %d, want 200", w.Code)
	}
	log := f.Requests()
	if refused := log[50]; refused.Status != 429 || refused.Op != "store.get" {
		t.Errorf("logged %+v", refused)
	}
}

// Refusals for scope, path and method were free and without the headers once.
func TestRateOfRefusals(t *testing.T) {
	f := setup(t, Options{})
	for i, tc := range []struct {
		call   string
		status int
	}{{"POST /test-notes", 403}, {"GET /test-nothing", 404}, {"PATCH /test-notes", 405}, {"GET /store?q=%zz", 400}} {
		w := f.do(tc.call, "")
		if got, want := w.Header().Get("X-Rate-Limit-Remaining"), fmt.Sprint(39-i); w.Code != tc.status || got != want {
			t.Errorf("%s: got %d, %q left; want %d, %s left", tc.call, w.Code, got, tc.status, want)
		}
	}
	if w := f.do("GET /store", "", header("Authorization", "")); w.Header().Get("X-Rate-Limit-Limit") != "" {
		t.Errorf("nobody's request was counted: %q", w.Header())
	}
}

func TestRateOfTopPlan(t *testing.T) {
	f := setup(t, Options{})
	err := f.World().Update(0, f.store.ID, func(tx *world.Tx) error {
		st := tx.Store()
		st.TopPlan = true
		tx.SetStore(st)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	w := f.do("GET /store", "")
	if got := w.Header().Get("X-Rate-Limit-Limit") + " " + w.Header().Get("X-Rate-Limit-Remaining"); got != "400 399" {
		t.Errorf("got %s, want 400 399", got)
	}
}
