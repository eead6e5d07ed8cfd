package multistore_test

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// platform answers the API in memory, which is cheap enough for many stores. Each store has the same three products and
// one promotion.
type platform struct {
	t *testing.T

	mu      sync.Mutex
	outage  bool
	removed map[client.ID]bool
	calls   int
}

func (p *platform) set(outage bool, removed ...client.ID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.outage = outage
	for _, store := range removed {
		p.removed[store] = true
	}
}

// RoundTrip answers a path such as /2025-03/7/products.
func (p *platform) RoundTrip(r *http.Request) (*http.Response, error) {
	part := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	store, err := strconv.ParseInt(part[1], 10, 64)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	refused := p.outage || p.removed[client.ID(store)]
	p.calls++
	p.mu.Unlock()
	status, body := http.StatusOK, p.record(r, part[2], store)
	if refused {
		status, body = http.StatusUnauthorized, `{"code":401,"message":"Unauthorized","description":"Invalid access token"}`
	}
	return &http.Response{
		StatusCode: status, Request: r, Body: io.NopCloser(strings.NewReader(body)), ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{
			"Content-Type": {"application/json"}, "Date": {time.Now().UTC().Format(http.TimeFormat)},
		},
	}, nil
}

func (p *platform) record(r *http.Request, resource string, store int64) string {
	q := r.URL.Query()
	switch resource {
	case "store":
		return fmt.Sprintf(`{"id":%d}`, store)
	case "promotions":
		const one = `[{"id":"11111111-1111-4111-8111-%012d","name":"Half","allocation_type":"line_item","active":true}]`
		return fmt.Sprintf(one, store)
	case "products":
		if q.Has("updated_at_min") || q.Get("since_id") != "" && q.Get("since_id") != "0" {
			return "[]"
		}
		const one = `{"id":%d,"updated_at":"1999-01-01T00:00:00+0000"}`
		return fmt.Sprintf("["+one+","+one+","+one+"]", 1, 2, 3)
	}
	p.t.Errorf("unexpected call of %s", r.URL)
	return "{}"
}

func (p *platform) called() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.calls
}
