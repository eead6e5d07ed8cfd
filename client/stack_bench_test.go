package client_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/internal/bench"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// BenchmarkList reads a full page of products over loopback, from a server that has the page at hand. The floor is
// net/http with the decoder of the client.
func BenchmarkList(b *testing.B) {
	page := bench.Page(b, "/products", client.MaxPerPage)
	srv := httptest.NewServer(bench.Canned(page))
	defer srv.Close()
	c := benched(b, client.Config{BaseURL: srv.URL})
	defer c.CloseIdleConnections()
	b.Run("ours", func(b *testing.B) {
		b.SetBytes(int64(len(page)))
		before := allocated()
		for b.Loop() {
			if p, err := v202503.Products(c).List(client.ProductFilter{}).Page(b.Context()); err != nil || len(p.Items) != client.MaxPerPage {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(allocated().bytes-before.bytes)/float64(b.N)/float64(len(page)), "B/payload-B")
	})
	b.Run("raw", func(b *testing.B) {
		b.SetBytes(int64(len(page)))
		raw := rawClient{srv.URL, &http.Client{Transport: client.NewTransport()}}
		defer raw.http.CloseIdleConnections()
		for b.Loop() {
			if p, err := client.DecodeList[client.Product](b.Context(), c, raw.get(b, "/products")); err != nil || len(p) != client.MaxPerPage {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkGet reads one product over loopback, by turns with net/http: a system call takes so differently long that
// nothing else tells them apart.
func BenchmarkGet(b *testing.B) {
	one := bench.Page(b, "/products", 1)
	one = one[1 : len(one)-1]
	srv := httptest.NewServer(bench.Canned(one))
	defer srv.Close()
	c := benched(b, client.Config{BaseURL: srv.URL})
	defer c.CloseIdleConnections()
	raw := rawClient{srv.URL, &http.Client{Transport: client.NewTransport()}}
	defer raw.http.CloseIdleConnections()
	added(b, func() error { _, err := v202503.Products(c).Get(b.Context(), 1); return err },
		func() error { return client.Decode(b.Context(), c, raw.get(b, "/products/1"), new(client.Product)) })
}

// BenchmarkPages follows lists of 1, 10 and 100 pages over a transport in memory.
func BenchmarkPages(b *testing.B) {
	for _, pages := range []int{1, 10, 100} {
		c := benched(b, client.Config{HTTPClient: &http.Client{Transport: numbered(pages)}})
		b.Run(strconv.Itoa(pages), func(b *testing.B) {
			for b.Loop() {
				all, err := v202503.Products(c).List(client.ProductFilter{Paging: client.Paging{PerPage: 1}}).Collect(b.Context())
				if err != nil || len(all) != pages {
					b.Fatal(len(all), err)
				}
			}
		})
	}
}

// numbered is a list of so many pages with one record each.
type numbered int

func (pages numbered) RoundTrip(req *http.Request) (*http.Response, error) {
	page, err := strconv.Atoi(req.URL.Query().Get("page"))
	if err != nil {
		page = 1
	}
	resp, err := bench.Canned(fmt.Appendf(nil, `[{"id":%d}]`, page)).RoundTrip(req)
	resp.Header.Set("X-Total-Count", strconv.Itoa(int(pages)))
	return resp, err
}

// BenchmarkStack tells what a call costs beside its transport, its encoding and its decoding: limiter, breaker,
// retry loop, authentication and bounds.
func BenchmarkStack(b *testing.B) {
	answer := bench.Canned([]byte(`{"id":1}`))
	type record struct {
		ID   client.ID `json:"id"`
		Note string    `json:"note,omitzero"`
	}
	c := benched(b, client.Config{HTTPClient: &http.Client{Transport: answer}})
	raw := rawClient{"https://api.example.com", &http.Client{Transport: answer}}
	b.Run("get", func(b *testing.B) {
		added(b, func() error {
			return c.Do(b.Context(), client.Request{Path: "/products/{id}", Args: []any{1}}, new(record))
		},
			func() error { return client.Decode(b.Context(), c, raw.get(b, "/products/1"), new(record)) })
	})
	b.Run("post", func(b *testing.B) {
		body := record{Note: strings.Repeat("x", postedBody)}
		added(b, func() error {
			return c.Do(b.Context(), client.Request{Method: http.MethodPost, Path: "/products", Body: body}, new(record))
		}, func() error {
			data, err := wire.Marshal(body)
			if err != nil {
				return err
			}
			return client.Decode(b.Context(), c, raw.post(b, "/products", data), new(record))
		})
	})
}

// postedBody is the size of the body of a POST, which is to be held once.
const postedBody = 64 << 10

// BenchmarkLogger tells what a logger adds to a call: one that wants every attempt, and one that wants none.
func BenchmarkLogger(b *testing.B) {
	get := func(logger *slog.Logger) func() error {
		c := benched(b, client.Config{HTTPClient: &http.Client{Transport: bench.Canned([]byte(`{"id":1}`))}, Logger: logger})
		return func() error {
			return c.Do(b.Context(), client.Request{Path: "/products/{id}", Args: []any{1}}, nil)
		}
	}
	for name, level := range map[string]slog.Level{"on": slog.LevelDebug, "off": slog.LevelInfo} {
		b.Run(name, func(b *testing.B) {
			added(b, get(slog.New(slog.NewJSONHandler(io.Discard, &slog.HandlerOptions{Level: level}))), get(nil))
		})
	}
}

// added runs both by turns and reports what the first takes beyond the second: the median of the differences and of the
// ratios, so that what else the machine did counts for little.
func added(b *testing.B, ours, floor func() error) {
	const turn = 50
	run := func(f func() error) (time.Duration, usage) {
		before, start := allocated(), time.Now()
		for range turn {
			if err := f(); err != nil {
				b.Fatal(err)
			}
		}
		took, after := time.Since(start), allocated()
		return took, usage{after.bytes - before.bytes, after.objects - before.objects}
	}
	var times []time.Duration
	var ratios []float64
	var bytes, objects []int64
	for b.Loop() {
		took, used := run(ours)
		least, needed := run(floor)
		times, ratios = append(times, took-least), append(ratios, took.Seconds()/least.Seconds())
		bytes, objects = append(bytes, used.bytes-needed.bytes), append(objects, used.objects-needed.objects)
	}
	b.ReportMetric(float64(median(times).Nanoseconds())/turn/1000, "added-us")
	b.ReportMetric(median(ratios), "ours/floor")
	b.ReportMetric(float64(median(bytes))/turn, "added-B")
	b.ReportMetric(float64(median(objects))/turn, "added-allocs")
}

func median[N ~int64 | ~float64](all []N) N {
	slices.Sort(all)
	return all[len(all)/2]
}

// usage is what was ever allocated.
type usage struct{ bytes, objects int64 }

func allocated() usage {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return usage{int64(m.TotalAlloc), int64(m.Mallocs)}
}

func benched(b *testing.B, config client.Config) *client.Client {
	b.Helper()
	if config.BaseURL == "" {
		config.BaseURL = "https://api.example.com"
	}
	config.StoreID, config.Token, config.UserAgent = 1, client.StaticToken("t"), "Bench (bench@app.example)"
	c, err := client.New(config)
	if err != nil {
		b.Fatal(err)
	}
	return c
}

// rawClient calls the API by net/http alone.
type rawClient struct {
	base string
	http *http.Client
}

func (r rawClient) get(b *testing.B, path string) []byte { return r.do(b, http.MethodGet, path, nil) }

func (r rawClient) post(b *testing.B, path string, body []byte) []byte {
	return r.do(b, http.MethodPost, path, bytes.NewReader(body))
}

func (r rawClient) do(b *testing.B, method, path string, body io.Reader) []byte {
	b.Helper()
	req, err := http.NewRequestWithContext(context.Background(), method, r.base+"/2025-03/1"+path, body)
	if err != nil {
		b.Fatal(err)
	}
	req.Header.Set("User-Agent", "Bench (bench@app.example)")
	req.Header.Set("Authorization", "Bearer t")
	req.Header.Set("Accept", "application/json")
	if body != nil {
		req.Header.Set("Content-Type", "application/json; charset=utf-8")
	}
	resp, err := r.http.Do(req)
	if err != nil {
		b.Fatal(err)
	}
	answer := make([]byte, resp.ContentLength)
	if _, err := io.ReadFull(resp.Body, answer); err != nil {
		b.Fatal(err)
	}
	if err := resp.Body.Close(); err != nil {
		b.Fatal(err)
	}
	return answer
}
