package callback_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

// sending notes when an answer was sent: when it was flushed, or when its handler returned.
type sending struct {
	*httptest.ResponseRecorder
	at time.Time
}

func (s *sending) FlushError() error { s.at = time.Now(); return nil }

// send returns the status of an answer, and when it was sent.
func send(h http.Handler, r *http.Request) (status int, at time.Time) {
	s := &sending{ResponseRecorder: httptest.NewRecorder()}
	status = ask(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { h.ServeHTTP(s, r) }), r)
	if status == 0 {
		return 0, s.at
	}
	if s.at.IsZero() {
		s.at = time.Now()
	}
	return s.Code, s.at
}

// slow is a body that breaks off at a time.
type slow struct{ at time.Time }

func (s slow) Read([]byte) (int, error) { time.Sleep(time.Until(s.at)); return 0, io.ErrUnexpectedEOF }

// An answer is sent when it is due, although hooks hang, alone or all together, and the function or the body is late.
func TestRowsAreOnTime(t *testing.T) {
	const long = 30 * time.Minute
	hooks := map[string]func(a *app){
		"OnStarted": func(a *app) {
			a.started = func(context.Context, *http.Request) context.Context { time.Sleep(long); return nil }
		},
		"OnAnswered": func(a *app) { a.answered = func(context.Context, int, error) { time.Sleep(long) } },
		"OnFailure":  func(a *app) { a.failed = func(context.Context, error) { time.Sleep(long) } },
		"OnRefused":  func(a *app) { a.refused = func(context.Context, client.Refused) { time.Sleep(long) } },
		"Logger":     func(a *app) { a.logger = slog.New(doing{do: func() { time.Sleep(long) }}) },
	}
	hooks["all"] = func(a *app) {
		for name, hang := range hooks {
			if name != "all" {
				hang(a)
			}
		}
	}
	each(t, func(t *testing.T, r row) {
		most := r.due
		if r.guarded {
			most = webhook.DefaultBudget // an inbox has less
		}
		for name, hang := range hooks {
			for late, change := range map[string]func(a *app, q *http.Request){
				"function": func(a *app, _ *http.Request) {
					a.function = func(context.Context, client.ID) error { time.Sleep(long); return nil }
				},
				"body": func(_ *app, q *http.Request) {
					q.Body, q.ContentLength = io.NopCloser(slow{time.Now().Add(most)}), 10
				},
			} {
				a, q := &app{}, r.request(t, 7, 0)
				change(a, q)
				hang(a)
				h, began := r.handler(a), time.Now()
				status, at := send(h, q)
				settled()
				if took := at.Sub(began); status != 0 && took > most {
					t.Errorf("%s hangs, and the %s is late: %d was sent after %v, want %v",
						name, late, status, took, most)
				}
			}
		}
	})
}
