package client_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// attempts records the ends of calls and requests as lines.
type attempts struct {
	mu    sync.Mutex
	open  int
	lines []string
}

func (s *attempts) hook(ctx context.Context, a client.Attempt) (context.Context, func(client.AttemptEnd)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open++
	return ctx, func(e client.AttemptEnd) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.open--
		line := fmt.Sprintf("%d %s %s %s %d %d %t", a.StoreID, a.Version, a.Method, a.Route, a.Number, e.Status, e.Err != nil)
		s.lines = append(s.lines, line)
	}
}

// take returns the lines since the last time, and checks that nothing is open.
func (s *attempts) take(t *testing.T) []string {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open != 0 {
		t.Errorf("%d calls or requests have not ended", s.open)
	}
	lines := s.lines
	s.lines = nil
	return lines
}

// Every kind of call is observed: records, pages, an iteration that is left, raw calls, and those of an app.
func TestAttempts(t *testing.T) {
	s := new(attempts)
	var script *hostile.Script
	transport := hostile.RoundTripper(func(r *http.Request) (*http.Response, error) { return script.RoundTrip(r) })
	config := client.Config{
		BaseURL: "https://api.example.com", UserAgent: "Test (t@example.com)", OnAttempt: s.hook,
		HTTPClient: &http.Client{Transport: transport},
	}
	app, err := client.NewApp(client.AppConfig{ID: 7, Secret: "s", Config: config})
	if err != nil {
		t.Fatal(err)
	}
	config.StoreID, config.Token = 123, client.StaticToken("t")
	c, err := client.New(config)
	if err != nil {
		t.Fatal(err)
	}
	products := v202503.Products(c).List(client.ProductFilter{Paging: client.Paging{PerPage: 1}})
	page := hostile.Status(200, `[{"id":1}]`, "Link", `<https://api.example.com/2025-03/123/products?page=2>; rel="next"`)
	gone := hostile.Status(404, `{"code":404,"message":"Not Found","description":"Last page is 1"}`)
	for _, test := range []struct {
		name    string
		answers []hostile.Answer
		call    func(context.Context) error
		fails   bool
		lines   []string
	}{
		{"record", []hostile.Answer{hostile.Status(200, `{"id":1}`)}, func(ctx context.Context) error {
			_, err := v202503.Products(c).Get(ctx, 1)
			return err
		}, false, []string{"123 2025-03 GET /products/{id} 1 200 false", "123 2025-03 GET /products/{id} 0 200 false"}},
		{"record without an id", []hostile.Answer{hostile.Status(200, `{}`)}, func(ctx context.Context) error {
			_, err := v202503.Products(c).Get(ctx, 1)
			return err
		}, true, []string{"123 2025-03 GET /products/{id} 1 200 false", "123 2025-03 GET /products/{id} 0 200 true"}},
		{"pages", []hostile.Answer{page, gone}, func(ctx context.Context) error {
			_, err := products.Collect(ctx)
			return err
		}, false, []string{
			"123 2025-03 GET /products 1 200 false", "123 2025-03 GET /products 0 200 false",
			"123 2025-03 GET /products 1 404 true", "123 2025-03 GET /products 0 404 false", // the end of the list
		}},
		{"an unreadable page", []hostile.Answer{hostile.Status(200, `[{"id":"x"}]`)}, func(ctx context.Context) error {
			_, err := products.Page(ctx)
			return err
		}, true, []string{"123 2025-03 GET /products 1 200 false", "123 2025-03 GET /products 0 200 true"}},
		{"an iteration that is left", []hostile.Answer{page}, func(ctx context.Context) error {
			for _, err := range products.All(ctx) {
				return err
			}
			return errors.New("no record")
		}, false, []string{"123 2025-03 GET /products 1 200 false", "123 2025-03 GET /products 0 200 false"}},
		{"raw", []hostile.Answer{hostile.Status(201, `{}`)}, func(ctx context.Context) error {
			return c.Do(ctx, client.Request{Method: http.MethodPost, Path: "/new/{id}", Args: []any{"a/b"}, Version: "v1"}, nil)
		}, false, []string{"123 v1 POST /new/{id} 1 201 false", "123 v1 POST /new/{id} 0 201 false"}},
		{"values of a field, with an answer that broke off", []hostile.Answer{
			hostile.Truncated(200), hostile.Status(200, `{"id":"`+field+`"}`),
		}, func(ctx context.Context) error {
			_, err := v202503.ProductCustomFields(c).AddValues(ctx, uuid.MustParse(field), "a")
			return err
		}, false, []string{
			"123 2025-03 PUT /products/custom-fields/{id} 1 200 true",
			"123 2025-03 GET /products/custom-fields/{id} 1 200 false",
			"123 2025-03 GET /products/custom-fields/{id} 0 200 false",
			"123 2025-03 PUT /products/custom-fields/{id} 0 200 false",
		}},
		{"app", []hostile.Answer{hostile.Status(200, `{}`)}, func(ctx context.Context) error {
			return app.Do(ctx, client.Request{Path: "/apps/{id}", Args: []any{7}}, nil)
		}, false, []string{"0 2025-03 GET /apps/{id} 1 200 false", "0 2025-03 GET /apps/{id} 0 200 false"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			script = hostile.Answers(test.answers...)
			if err := test.call(t.Context()); (err != nil) != test.fails {
				t.Errorf("got %v", err)
			}
			if got := s.take(t); !slices.Equal(got, test.lines) {
				t.Errorf("got  %q\nwant %q", got, test.lines)
			}
		})
	}
}

// Calls at a time do not mix up what they observe.
func TestAttemptsAtATime(t *testing.T) {
	s := new(attempts)
	large := []string{"X-Rate-Limit-Limit", "4000", "X-Rate-Limit-Remaining", "4000"}
	transport := hostile.RoundTripper(hostile.Status(200, `{"id":1}`, large...))
	c, err := client.New(client.Config{
		BaseURL: "https://api.example.com", StoreID: 1, Token: client.StaticToken("t"), UserAgent: "Test (t@example.com)",
		HTTPClient: &http.Client{Transport: transport}, OnAttempt: s.hook,
	})
	if err != nil {
		t.Fatal(err)
	}
	var calls sync.WaitGroup
	for range 8 {
		calls.Go(func() {
			for range 10 {
				if _, err := v202503.Products(c).Get(t.Context(), 1); err != nil {
					t.Error(err)
				}
			}
		})
	}
	calls.Wait()
	if lines := s.take(t); len(lines) != 160 {
		t.Errorf("%d ends, want 160", len(lines))
	}
}

const field = "b7b3a1de-7e3a-4c0e-9d52-0e1d9b8f5a11"
