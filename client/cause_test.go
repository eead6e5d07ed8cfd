package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/oauth2"

	"github.com/commerceplatform/commerce-go/internal/hostile"
)

var errDrained = errors.New("the process drains")

// Wherever a call waits when its context ends, its error is that of the context and has the cause, which was lost.
func TestEndsOfContextsHaveTheirCause(t *testing.T) {
	hangs := func(r *http.Request) (*http.Response, error) { <-r.Context().Done(); return nil, r.Context().Err() }
	hangsUp := func(r *http.Request) (*http.Response, error) {
		<-r.Context().Done()
		return nil, context.Cause(r.Context())
	}
	drips := func(r *http.Request) (*http.Response, error) {
		resp, err := hostile.Status(200, "")(r)
		resp.Body = io.NopCloser(readerFunc(func([]byte) (int, error) { <-r.Context().Done(); return 0, r.Context().Err() }))
		return resp, err
	}
	read := func(ctx context.Context, c *Client) error { return c.Do(ctx, Request{Path: "/store"}, nil) }
	write := func(ctx context.Context, c *Client) error {
		_, err := (*WebhookService)(atVersion(c, VersionV1)).Create(ctx, WebhookInput{"https://app.example", "order/paid"})
		return err
	}
	for _, test := range []struct {
		name   string
		answer func(*http.Request) (*http.Response, error)
		call   func(context.Context, *Client) error
	}{
		{"before anything is sent", hangs, func(ctx context.Context, c *Client) error { <-ctx.Done(); return read(ctx, c) }},
		{"at the rate limit", hostile.Status(200, `{}`), func(ctx context.Context, c *Client) error {
			for {
				if err := read(ctx, c); err != nil {
					return err
				}
			}
		}},
		{"during a read", hangs, read},
		{"during a read, of a transport that returns causes", hangsUp, read},
		{"during a write", hangs, write},
		{"during an answer", drips, read},
		{"between attempts", hostile.Status(503, ``, "Retry-After", "20"), read},
		{"in a list", hangs, func(ctx context.Context, c *Client) error {
			_, err := (*WebhookService)(atVersion(c, VersionV1)).List(WebhookFilter{}).Collect(ctx)
			return err
		}},
		{"reading ahead", hangs, func(ctx context.Context, c *Client) (err error) {
			for _, err = range (*WebhookService)(atVersion(c, VersionV1)).List(WebhookFilter{}).Ahead(ctx, 4) {
			}
			return err
		}},
		{"looking for what was created", hostile.Fails(io.ErrUnexpectedEOF), func(ctx context.Context, c *Client) error {
			_, _, err := (*WebhookService)(atVersion(c, VersionV1)).creation(WebhookInput{"https://app.example", "order/paid"}).make(ctx)
			return err
		}},
		{"in the journal", hostile.Status(200, `[]`, "X-Total-Count", "0"), func(ctx context.Context, c *Client) error {
			hooks := (*WebhookService)(atVersion(c, VersionV1))
			once := Once[Webhook]{
				Journal: waitingJournal{},
				Among:   func(time.Time) List[Webhook] { return hooks.List(WebhookFilter{}) },
				Match:   func(*Webhook, string) bool { return false },
			}
			_, err := once.Create(ctx, "key", nil)
			return err
		}},
		{"in the token source", hangs, func(ctx context.Context, _ *Client) error {
			s := &Stores{Tokens: func(ctx context.Context, _ ID) (oauth2.TokenSource, error) { <-ctx.Done(); return nil, ctx.Err() }}
			_, err := s.Client(ctx, 7)
			return err
		}},
		{"waiting for another who makes a client", hangs, func(ctx context.Context, _ *Client) error {
			release := make(chan struct{})
			s := &Stores{Tokens: func(context.Context, ID) (oauth2.TokenSource, error) { <-release; return nil, io.EOF }}
			go func() { _, _ = s.Client(context.Background(), 7) }()
			synctest.Wait()
			defer close(release)
			_, err := s.Client(ctx, 7)
			return err
		}},
	} {
		for _, end := range []error{context.Canceled, context.DeadlineExceeded} {
			t.Run(fmt.Sprintf("%s/%v", test.name, end), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					var ctx context.Context
					if end == context.Canceled {
						left, cancel := context.WithCancelCause(t.Context())
						defer time.AfterFunc(300*time.Millisecond, func() { cancel(errDrained) }).Stop()
						ctx = left
					} else {
						// A call knows of its own deadline and does not sleep into it; this one is not to be seen.
						late, cancel := context.WithTimeoutCause(t.Context(), 300*time.Millisecond, errDrained)
						defer cancel()
						ctx = withoutDeadline{late}
					}
					err := test.call(ctx, newTest(t, hostile.RoundTripper(test.answer)))
					if !errors.Is(err, end) || !errors.Is(err, errDrained) {
						t.Errorf("got %v, want %v and %v", err, end, errDrained)
					}
				})
			})
		}
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

type withoutDeadline struct{ context.Context }

func (withoutDeadline) Deadline() (time.Time, bool) { return time.Time{}, false }

// waitingJournal writes nothing before its context ends.
type waitingJournal struct{}

func (waitingJournal) Begin(ctx context.Context, _ Intent) error   { <-ctx.Done(); return ctx.Err() }
func (waitingJournal) End(context.Context, Intent, *Webhook) error { return nil }

// A call that ends because another one failed had the other one's result: a search for a record found that there was
// none.
func TestCallsThatEndForAnotherHaveNotItsResult(t *testing.T) {
	for _, why := range []error{
		&Error{Status: 404}, &Error{Status: 422}, &Error{unknown: true, cause: io.EOF}, &Error{waited: true},
		&Error{cause: ErrCircuitOpen}, errors.Join(&Error{unknown: true, cause: io.EOF}, ErrProbablyNotCreated),
	} {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(fmt.Errorf("first call: %w", why))
		err := newTest(t, hostile.Answers(hostile.Status(200, `{}`))).Do(ctx, Request{Path: "/store"}, nil)
		for _, is := range []error{ErrNotFound, ErrValidation, ErrOutcomeUnknown, ErrRateLimited, ErrCircuitOpen, ErrProbablyNotCreated} {
			if errors.Is(err, is) {
				t.Errorf("%v is %v", err, is)
			}
		}
		if e, ok := errors.AsType[*Error](err); !ok || e.Status != 0 || !errors.Is(err, why) || !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want an error of its own with %v", err, why)
		}
	}
}

// A loop that reads ahead looked complete if its context ended while it worked on a record.
func TestAheadEndsWithAnErrorIfItsContextEnds(t *testing.T) {
	for _, n := range []int{1, 2, 8} {
		synctest.Test(t, func(t *testing.T) {
			page := func(r *http.Request) (*http.Response, error) {
				number := r.URL.Query().Get("page")
				if number == "" {
					number = "1"
				}
				return hostile.Status(200, `[{"id":`+number+`}]`, "X-Total-Count", "6",
					"Link", `<https://api.example.com/v1/123/webhooks?page=`+string(number[0]+1)+`&per_page=1>; rel="next", <https://api.example.com/v1/123/webhooks?page=6&per_page=1>; rel="last"`)(r)
			}
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			var last error
			seen := 0
			for w, err := range (*WebhookService)(view(t, VersionV1, hostile.RoundTripper(page))).List(WebhookFilter{Paging: Paging{PerPage: 1}}).Ahead(ctx, n) {
				if last = err; err != nil {
					break
				}
				if seen++; w.ID == 2 {
					synctest.Wait()
					cancel(errDrained)
					synctest.Wait()
				}
			}
			if seen < 6 && (!errors.Is(last, context.Canceled) || !errors.Is(last, errDrained)) {
				t.Errorf("%d ahead: %d of 6 records, then %v; want the end of the context", n, seen, last)
			}
		})
	}
}
