package client

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// placed is an order of the fake: id and creation, which need not rise together.
type placed struct {
	id      int
	created time.Time
	updated time.Time
}

// orderFake is a platform with many orders and the cap of 10,000 results.
type orderFake struct {
	orders    []placed // by id
	arriving  int      // orders created at each request
	refuses   int      // status of a query above the cap; 0: only x-total-count tells
	exclusive bool     // created_at_max does not include its own second
	broken    string   // a parameter that is refused whatever the window
	fails     int      // the request that is refused, from 1
	requests  int
	last      time.Time
}

func (s *orderFake) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	q := r.URL.Query()
	s.requests++
	var found []*placed
	since, selected := s.selects(q)
	for i := min(since, len(s.orders)); i < len(s.orders); i++ { // ids count from 1
		if o := &s.orders[i]; selected(o) {
			found = append(found, o)
		}
	}
	for range s.arriving {
		s.last = s.last.Add(time.Second)
		s.orders = append(s.orders, placed{len(s.orders) + 1, s.last, s.last})
	}
	if q.Has("page") {
		return nil, errors.New("a crawl by numbered pages repeats and skips")
	}
	refused := `{"code":422,"message":"Unprocessable Entity","description":"no"}`
	switch {
	case s.broken != "" && q.Has(s.broken), s.fails == s.requests:
		return hostile.Status(422, refused)(r)
	case len(found) == 0:
		return hostile.Status(404, `{"code":404,"message":"Not Found","description":"Last page is 0"}`)(r)
	case len(found) > MaxOrders && s.refuses != 0:
		return hostile.Status(s.refuses, refused)(r)
	}
	total := strconv.Itoa(len(found))
	items := make([]string, 0, MaxPerPage)
	for _, o := range found[:min(len(found), MaxPerPage)] {
		items = append(items, fmt.Sprintf(`{"id":%d,"created_at":%q}`, o.id, o.created.Truncate(time.Second).Format("2006-01-02T15:04:05-0700")))
	}
	return hostile.Status(200, "["+strings.Join(items, ",")+"]", "X-Total-Count", total)(r)
}

// selects returns the test that q puts to the orders behind one.
func (s *orderFake) selects(q url.Values) (since int, selected func(*placed) bool) {
	since, _ = strconv.Atoi(q.Get("since_id"))
	bound := func(name string) time.Time {
		at, _ := time.Parse(time.RFC3339, q.Get(name)) // zero if there is none
		return at
	}
	from, to, updated := bound("created_at_min"), bound("created_at_max"), bound("updated_at_min")
	return since, func(o *placed) bool {
		if o.created.Before(from) || o.updated.Before(updated) {
			return false
		}
		return to.IsZero() || !o.created.After(to) && (!s.exclusive || o.created.Before(to))
	}
}

// fakeOrders returns n orders, several in each half second, of the year before now.
func fakeOrders(n, perHalfSecond int) *orderFake {
	start := time.Now().Add(-24 * time.Hour).Truncate(time.Second)
	s := &orderFake{last: time.Now()}
	for i := range n {
		at := start.Add(time.Duration(i/perHalfSecond) * time.Second / 2)
		s.orders = append(s.orders, placed{i + 1, at, at})
	}
	return s
}

// crawl returns the ids that a crawl gives; it fails the test on an error.
func crawl(t *testing.T, s *orderFake, f OrderFilter) []ID {
	t.Helper()
	var got []ID
	for o, err := range (*OrderService)(atVersion(newTest(t, s), Version202503)).Crawl(f).All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, o.ID)
	}
	return got
}

func TestCrawlGivesEveryOrderOnce(t *testing.T) {
	for name, c := range map[string]struct {
		n, perHalf int
		change     func(*orderFake, *OrderFilter)
	}{
		"none":                                 {0, 1, nil},
		"a single query":                       {1500, 3, nil},
		"exactly the cap":                      {10_000, 3, nil},
		"one above the cap":                    {10_001, 3, nil},
		"the total tells":                      {32_000, 3, nil},
		"the platform refuses with 422":        {12_000, 3, func(s *orderFake, _ *OrderFilter) { s.refuses = 422 }},
		"the platform refuses with 400":        {12_000, 3, func(s *orderFake, _ *OrderFilter) { s.refuses = 400 }},
		"created_at_max is exclusive":          {12_000, 3, func(s *orderFake, _ *OrderFilter) { s.exclusive = true }},
		"many in each second":                  {12_000, 1900, nil},
		"some fields only":                     {12_000, 900, func(_ *orderFake, f *OrderFilter) { f.Fields = []string{"number"} }},
		"orders arrive":                        {12_000, 3, func(s *orderFake, _ *OrderFilter) { s.arriving = 3 }},
		"orders arrive, max exclusive, refuse": {12_000, 900, func(s *orderFake, _ *OrderFilter) { s.arriving, s.exclusive, s.refuses = 3, true, 422 }},
		"ids are not in order of creation": {12_000, 3, func(s *orderFake, _ *OrderFilter) {
			for i := range s.orders {
				s.orders[i].created = s.orders[len(s.orders)-1-i].updated
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, f := fakeOrders(c.n, c.perHalf), OrderFilter{}
				if c.change != nil {
					c.change(s, &f)
				}
				got := crawl(t, s, f)
				seen := make(map[ID]bool)
				for _, id := range got {
					if seen[id] {
						t.Fatalf("order %d came twice", id)
					}
					seen[id] = true
				}
				for id := range c.n {
					if !seen[ID(id+1)] {
						t.Fatalf("order %d of %d is missing, %d came", id+1, c.n, len(got))
					}
				}
				if pages := c.n/MaxPerPage + 1; s.requests > 2*pages+80 {
					t.Errorf("%d requests for %d pages", s.requests, pages)
				}
			})
		})
	}
}

func TestCrawlKeepsToTheFilter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := fakeOrders(30_000, 5)
		from, to := s.orders[4000].created, s.orders[25_000].created
		var want []ID
		for _, o := range s.orders {
			if !o.created.Before(from) && !o.created.After(to) && o.id > 4100 {
				want = append(want, ID(o.id))
			}
		}
		got := crawl(t, s, OrderFilter{Window: Window{CreatedMin: from, CreatedMax: to}, SinceID: 4100})
		if !slices.Equal(got, want) {
			t.Errorf("%d orders, want %d, in ascending order", len(got), len(want))
		}
	})
}

func TestCrawlReportsWhatItCannotRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		failure := func(s *orderFake, f OrderFilter) (n int, last error) {
			for _, err := range (*OrderService)(atVersion(newTest(t, s), Version202503)).Crawl(f).All(t.Context()) {
				n, last = n+1, err
			}
			return n, last
		}
		crowd := fakeOrders(10_001, 10_001)
		if n, err := failure(crowd, OrderFilter{}); n != 1 || !errors.Is(err, ErrValidation) || !strings.Contains(err.Error(), "more than 10000 orders were created at") {
			t.Errorf("10,001 orders in a second: %d steps, %v", n, err)
		}
		refused := fakeOrders(5, 1)
		refused.broken = "app_id"
		if n, err := failure(refused, OrderFilter{AppID: 3}); n != 1 || !errors.Is(err, ErrValidation) || refused.requests != 2 {
			t.Errorf("a refused filter: %d steps, %d requests, %v; want the error after one look", n, refused.requests, err)
		}
		late := fakeOrders(500, 1)
		late.fails = 2
		if n, err := failure(late, OrderFilter{}); n != MaxPerPage+1 || !errors.Is(err, ErrValidation) || late.requests != 2 {
			t.Errorf("refused behind a page: %d steps, %d requests, %v; want the error at once", n, late.requests, err)
		}
		if n, err := failure(fakeOrders(5, 1), OrderFilter{ShippingStatus: "lost"}); n != 1 || !errors.Is(err, ErrValidation) {
			t.Errorf("a filter that is not sent: %d steps, %v", n, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		steps := 0
		for _, err := range (*OrderService)(atVersion(newTest(t, fakeOrders(5, 1)), VersionV1)).Crawl(OrderFilter{}).All(ctx) {
			if steps++; !errors.Is(err, context.Canceled) {
				t.Errorf("canceled: %v", err)
			}
		}
		if steps != 1 {
			t.Errorf("canceled: %d steps, want the error", steps)
		}
		s := fakeOrders(30_000, 5)
		for range (*OrderService)(atVersion(newTest(t, s), VersionV1)).Crawl(OrderFilter{}).All(t.Context()) {
			break
		}
		if before := s.requests; before > 60 {
			t.Errorf("%d requests for the first order", before)
		}
	})
}

// TestCrawlResumes: from the cursor of any page a new process gives what is left, and nothing
// twice but orders at the border of a window.
func TestCrawlResumes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const orders = 12_000
		s := fakeOrders(orders, 40)
		service := (*OrderService)(atVersion(newTest(t, s), Version202503))
		crawl := service.Crawl(OrderFilter{})
		cursors := []string{}
		read := []map[ID]int{{}}
		for page, err := range crawl.Pages(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			if page.Next() != (page.Cursor != "") { // it was false at the end of each window
				t.Errorf("page %d: Next is %v, cursor %q", len(cursors)+1, page.Next(), page.Cursor)
			}
			cursors, read = append(cursors, page.Cursor), append(read, maps.Clone(read[len(read)-1]))
			for _, o := range page.Items {
				read[len(read)-1][o.ID]++
			}
		}
		if n := len(read[len(read)-1]); n != orders || cursors[len(cursors)-1] != "" {
			t.Fatalf("got %d orders, last cursor %q; want %d and none", n, cursors[len(cursors)-1], orders)
		}
		for i, cursor := range cursors[:len(cursors)-1] {
			if i%15 == 0 { // each reads all the rest
				s.resume(t, fmt.Sprintf("page %d", i+1), service.Crawl(OrderFilter{}).After(cursor), read[i+1])
			}
		}
		plain := (*OrderService)(atVersion(newTest(t, s), VersionV1)).List(OrderFilter{})
		for _, cursor := range []string{"", "x", cursors[0][1:], encodeCursor(coreOf(plain).place(), url.Values{"page": {"2"}})} {
			steps := 0
			for _, err := range crawl.After(cursor).All(t.Context()) {
				if steps++; !errors.Is(err, ErrValidation) {
					t.Errorf("cursor %q: got %v, want it refused", cursor, err)
				}
			}
			if steps != 1 {
				t.Errorf("cursor %q: %d steps, want the refusal", cursor, steps)
			}
		}
		if _, err := (*OrderService)(atVersion(newTest(t, s), Version202503)).List(OrderFilter{}).After(cursors[0]).Page(t.Context()); !errors.Is(err, ErrValidation) {
			t.Errorf("a list took the cursor of a crawl: %v", err)
		}
	})
}

// A window that has to be split only after a part of it was read was read from its beginning
// once.
func TestCrawlResumesInAWindowThatGrew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := fakeOrders(22_000, 40)
		all := s.orders
		s.orders = all[:9000]
		service := (*OrderService)(atVersion(newTest(t, s), Version202503))
		read, cursor := map[ID]int{}, ""
		for page, err := range service.Crawl(OrderFilter{}).Pages(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range page.Items {
				read[o.ID]++
			}
			if cursor = page.Cursor; len(read) >= 1000 {
				break
			}
		}
		s.orders = all
		s.resume(t, "grown", service.Crawl(OrderFilter{}).After(cursor), read)
	})
}

// resume fails the test unless a crawl gives every order that was not read, once, and of those
// that were read no more than the orders of one second.
func (s *orderFake) resume(t *testing.T, name string, crawl OrderCrawl, read map[ID]int) {
	t.Helper()
	came, again := maps.Clone(read), map[time.Time]bool{}
	for o, err := range crawl.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if came[o.ID]++; came[o.ID] > 1 {
			again[o.CreatedAt.Time] = true
		}
		if came[o.ID] > read[o.ID]+1 {
			t.Fatalf("%s: order %d came twice in one crawl", name, o.ID)
		}
	}
	if len(came) != len(s.orders) || len(again) > 1 {
		t.Errorf("%s: %d of %d orders came, and some of %d seconds again; want all, and one border", name, len(came), len(s.orders), len(again))
	}
}
