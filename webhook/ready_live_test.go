package webhook_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
)

func probed(h http.Handler) string {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/probe", nil))
	return fmt.Sprint(w.Code, " ", w.Header().Get("Cache-Control"), " ", w.Body)
}

func TestLive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var found error
		var takes time.Duration
		check := func(ctx context.Context) error {
			select {
			case <-time.After(takes):
				return found
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		for _, tt := range []struct {
			live  webhook.Live
			found error
			takes time.Duration
			want  string
		}{
			{webhook.Live{}, nil, 0, "200 no-store live\n"},
			{webhook.Live{Check: check}, nil, 0, "200 no-store live\n"},
			{webhook.Live{Check: check}, errors.New("secret of the database"), 0, "503 no-store Service Unavailable\n"},
			// a database that hangs is not repaired by a restart
			{webhook.Live{Check: check}, nil, time.Hour, "200 no-store live\n"},
		} {
			found, takes = tt.found, tt.takes
			if got := probed(&tt.live); got != tt.want {
				t.Errorf("found %v after %v: got %q, want %q", tt.found, tt.takes, got, tt.want)
			}
		}
		w := httptest.NewRecorder()
		(&webhook.Live{}).ServeHTTP(w, httptest.NewRequest("POST", "/livez", nil))
		if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != "GET, HEAD" {
			t.Errorf("POST: status %d, Allow %q", w.Code, w.Header().Get("Allow"))
		}
	})
}

// A backlog is named and takes nobody out of service; an inbox that does not answer does, and so does draining.
func TestReadyChecks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in, err := inboxmem.New(inboxmem.Options{AllowLossy: true})
		if err != nil {
			t.Fatal(err)
		}
		away := &awayInbox{Inbox: in}
		var told []string
		ready := &webhook.Ready{
			Wait: -1, Checks: []webhook.ReadyCheck{webhook.InboxAnswers(away), webhook.Backlog(away, time.Minute)},
			OnFailure: func(_ context.Context, check webhook.ReadyCheck, err error) {
				told = append(told, check.Name+" "+err.Error())
			},
		}
		expect := func(want string) {
			t.Helper()
			if got := probed(ready); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		}
		expect("200 no-store ready\n")
		if _, err := in.Accept(t.Context(), webhook.Entry{Key: "a", Lane: "a", Kind: webhook.KindSignal}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Minute)
		expect("200 no-store ready\nbacklog: warning\n")
		away.is.Store(true)
		expect("200 no-store ready\nbacklog: warning\n") // it asks every ten seconds
		time.Sleep(webhook.CheckEvery)
		expect("503 no-store inbox: failed\nbacklog: warning\n")
		away.is.Store(false)
		away.hangs.Store(true)
		time.Sleep(webhook.CheckEvery)
		began := time.Now()
		expect("503 no-store inbox: failed\nbacklog: warning\n")
		if took := time.Since(began); took != webhook.CheckTime {
			t.Errorf("an inbox that hangs is answered for after %v, want %v", took, webhook.CheckTime)
		}
		away.hangs.Store(false)
		poison := webhook.ReadyCheck{Name: "poison", Run: func(context.Context) error { panic("nil pool") }}
		ready.Checks = append(ready.Checks, poison)
		time.Sleep(webhook.CheckEvery)
		expect("503 no-store backlog: warning\npoison: failed\n")
		ready.Checks = ready.Checks[:2]
		time.Sleep(webhook.CheckEvery)
		expect("200 no-store ready\nbacklog: warning\n")
		if all := strings.Join(told, "\n"); !strings.Contains(all,
			"backlog an entry has been pending for 2m0s: must be less than 1m0s") ||
			!strings.Contains(all, "inbox password of the database") ||
			!strings.Contains(all, "inbox not done after 1s") {
			t.Errorf("OnFailure was called with %s", all)
		}
		if err := ready.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		expect("503 no-store Service Unavailable\n")
		time.Sleep(time.Hour) // what hung has ended
	})
}

// awayInbox is an inbox whose database is away at times.
type awayInbox struct {
	webhook.Inbox
	is, hangs atomic.Bool
}

func (a *awayInbox) Stats(ctx context.Context) (webhook.Stats, error) {
	if a.is.Load() {
		return webhook.Stats{}, errors.New("password of the database")
	}
	if a.hangs.Load() {
		time.Sleep(time.Minute) // whatever ctx says
	}
	return a.Inbox.Stats(ctx)
}

// Probes at two paths. With webhook/sqlite, Check returns the errors that are sqlite.ErrBroken.
func ExampleLive() {
	inbox, err := inboxmem.New(inboxmem.Options{AllowLossy: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	errBroken := errors.New("the file is broken")
	live := &webhook.Live{Check: func(ctx context.Context) error {
		if _, err := inbox.Stats(ctx); errors.Is(err, errBroken) {
			return err // a restart repairs it
		}
		return nil
	}}
	ready := &webhook.Ready{Checks: []webhook.ReadyCheck{webhook.Backlog(inbox, 5*time.Minute)}}
	mux := http.NewServeMux()
	mux.Handle("/livez", live)
	mux.Handle("/readyz", ready)

	for _, path := range []string{"/livez", "/readyz"} {
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		fmt.Print(w.Code, " ", w.Body)
	}
	// Output:
	// 200 live
	// 200 ready
}
