package refserver

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func arm(t *testing.T, s *Server, r traffic.Fault) {
	t.Helper()
	if _, err := s.Fault(r); err != nil {
		t.Fatal(err)
	}
}

func TestFaultStatus(t *testing.T) {
	f := setup(t, Options{}, "write_products")
	arm(t, f.Server, traffic.Fault{Op: "store.get", Count: 1, Status: 503, Body: "down", Header: http.Header{"content-type": {"text/plain"}}})
	w := f.do("GET /store", "")
	if w.Code != 503 || w.Body.String() != "down" || w.Header().Get("Content-Type") != "text/plain" {
		t.Errorf("got %d %q %q", w.Code, w.Body, w.Header())
	}
	if w := f.do("GET /store", ""); w.Code != 200 {
		t.Errorf("after the count: got %d, want 200", w.Code)
	}
	arm(t, f.Server, traffic.Fault{Op: "notes.create", Count: 1, Status: 504, After: true})
	if w := f.do("POST /test-notes", `{"name":"x"}`); w.Code != 504 {
		t.Errorf("after the work: got %d, want 504", w.Code)
	} else {
		wantJSON(t, w.Body.Bytes(), `{"code":504,"message":"Gateway Timeout","description":null}`)
	}
	_ = f.World().View(0, f.store.ID, func(tx *world.Tx) error {
		if tx.Webhooks.Len() != 1 {
			t.Error("the work was not done")
		}
		return nil
	})
	log := f.Requests()
	if !log[0].Fault || log[1].Fault || !log[2].Fault {
		t.Errorf("the log does not show the faults: %+v", log)
	}
	if _, err := f.Fault(traffic.Fault{Op: "store.gett"}); err == nil {
		t.Error("a rule about no operation was armed")
	}
}

func TestFaultOnTheWire(t *testing.T) {
	for name, tc := range map[string]struct {
		rule traffic.Fault
		made int
	}{
		"reset before": {traffic.Fault{Op: "notes.create", Reset: true}, 0},
		"reset after":  {traffic.Fault{Op: "notes.create", Reset: true, After: true}, 1},
		"truncated":    {traffic.Fault{Op: "notes.create", Truncate: true}, 1},
	} {
		for _, over := range []string{"sockets", "memory"} {
			t.Run(name+" over "+over, func(t *testing.T) {
				f := setup(t, Options{}, "write_products")
				arm(t, f.Server, tc.rule)
				base, client := "http://api.example", &http.Client{Transport: f.Transport()}
				if over == "sockets" {
					ts := httptest.NewServer(f.Server)
					defer ts.Close()
					base, client = ts.URL, ts.Client()
				}
				err := post(client, base+f.path("/test-notes"), f.token)
				if err == nil {
					t.Error("the answer arrived whole")
				}
				if tc.rule.Truncate && !errors.Is(err, io.ErrUnexpectedEOF) {
					t.Errorf("got %v, want an early end", err)
				}
				_ = f.World().View(0, f.store.ID, func(tx *world.Tx) error {
					if got := tx.Webhooks.Len(); got != tc.made {
						t.Errorf("%d notes were made, want %d", got, tc.made)
					}
					return nil
				})
			})
		}
	}
}

func post(c *http.Client, url, token string) error {
	req, err := http.NewRequest("POST", url, strings.NewReader(`{"name":"x"}`))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/json")
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.ReadAll(resp.Body)
	return err
}

func TestFaultDelayInBubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := setup(t, Options{Clock: clock.Real{}}, "write_products")
		arm(t, f.Server, traffic.Fault{Op: "notes.create", Delay: time.Minute})
		start := time.Now()
		client := &http.Client{Transport: f.Transport(), Timeout: 2 * time.Minute}
		if err := post(client, "https://api.example"+f.path("/test-notes"), f.token); err != nil {
			t.Fatal(err)
		}
		if got := time.Since(start); got != time.Minute {
			t.Errorf("took %v, want 1m", got)
		}
		client.Timeout = time.Second
		if post(client, "https://api.example"+f.path("/test-notes"), f.token) == nil {
			t.Error("an answer came in a second")
		}
		f.Server.Close()
	})
}
