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
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// platform answers the API in memory, which is cheap enough for many stores. Each store has the same three products and
// one promotion.
type platform struct {
	t *testing.T

	mu      sync.Mutex
	outage  bool
	removed map[client.ID]bool
	says    map[client.ID]hostile.Answer // before the platform; it answers if the response is nil
	deleted client.ID                    // a product of the suspect
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

// answers sets what answers the calls to a store before the platform does, nil for nothing.
func (p *platform) answers(store client.ID, a hostile.Answer) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.says[store] = a
}

// RoundTrip answers a path such as /2025-03/7/products, and token requests.
func (p *platform) RoundTrip(r *http.Request) (*http.Response, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls++
	part := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	if part[0] == "apps" {
		return p.answer(r, http.StatusOK, `{"access_token":"again","token_type":"bearer","scope":"x","user_id":1}`)
	}
	store, err := strconv.ParseInt(part[1], 10, 64)
	if err != nil {
		return nil, err
	}
	if says := p.says[client.ID(store)]; says != nil {
		if resp, err := says(r); resp != nil || err != nil {
			return resp, err
		}
	}
	if p.outage || p.removed[client.ID(store)] {
		return p.answer(r, http.StatusUnauthorized, unauthorized)
	}
	if client.ID(store) == suspect && len(part) == 4 && part[3] == p.deleted.String() {
		const missing = `{"code":404,"message":"Not Found","description":"Product with such id does not exist"}`
		return p.answer(r, http.StatusNotFound, missing)
	}
	return p.answer(r, http.StatusOK, p.record(r, part[2:], store))
}

func (p *platform) answer(r *http.Request, status int, body string) (*http.Response, error) {
	return &http.Response{
		StatusCode: status, Request: r, Body: io.NopCloser(strings.NewReader(body)), ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{
			"Content-Type": {"application/json"}, "Date": {time.Now().UTC().Format(http.TimeFormat)},
		},
	}, nil
}

func (p *platform) record(r *http.Request, resource []string, store int64) string {
	const product = `{"id":%v,"updated_at":"1999-01-01T00:00:00+0000"}`
	q := r.URL.Query()
	switch {
	case resource[0] == "store":
		return fmt.Sprintf(`{"id":%d}`, store)
	case resource[0] == "promotions":
		const one = `[{"id":"11111111-1111-4111-8111-%012d","name":"Half","allocation_type":"line_item","active":true}]`
		return fmt.Sprintf(one, store)
	case resource[0] == "products" && len(resource) > 1:
		return fmt.Sprintf(product, resource[1])
	case resource[0] == "products":
		if q.Has("updated_at_min") || q.Get("since_id") != "" && q.Get("since_id") != "0" {
			return "[]"
		}
		var all []string
		for id := client.ID(1); id <= 3; id++ {
			if id != p.deleted || client.ID(store) != suspect {
				all = append(all, fmt.Sprintf(product, id))
			}
		}
		return "[" + strings.Join(all, ",") + "]"
	}
	p.t.Errorf("unexpected call of %s", r.URL)
	return "{}"
}

func (p *platform) called() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.calls
}
