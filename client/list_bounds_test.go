package client

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// paged answers with a page of a list by its number, from 1.
func paged(requests *int, page func(number int, q url.Values) (body string, headers []string)) hostile.RoundTripper {
	var mu sync.Mutex
	return func(r *http.Request) (*http.Response, error) {
		mu.Lock()
		*requests++
		mu.Unlock()
		number, err := strconv.Atoi(r.URL.Query().Get("page"))
		if err != nil {
			number = 1
		}
		body, headers := page(number, r.URL.Query())
		return hostile.Status(200, body, headers...)(r)
	}
}

// TestListsThatNeverEnd: a server that leads on forever costs a bounded number of requests, and an error.
func TestListsThatNeverEnd(t *testing.T) {
	next := func(query string, a ...any) []string {
		return []string{"Link", fmt.Sprintf("</v1/123/numbers?"+query+`>; rel="next"`, a...)}
	}
	full := func(n int) string { return fmt.Sprintf(`[{"id":%d},{"id":%d}]`, 2*n-1, 2*n) }
	for _, test := range []struct {
		name  string
		page  func(int, url.Values) (string, []string)
		items int // before the error
		most  int // requests
	}{
		{"empty pages", func(n int, _ url.Values) (string, []string) { return `[]`, next("page=%d", n+1) }, 0, 100},
		{"empty pages with tokens", func(_ int, q url.Values) (string, []string) {
			return `[]`, next("cursor=%s1", q.Get("cursor"))
		}, 0, 100},
		{"the same token", func(int, url.Values) (string, []string) { return full(1), next("cursor=7") }, 2, 2},
		{"tokens in turn", func(_ int, q url.Values) (string, []string) {
			if q.Get("cursor") == "a" {
				return full(2), next("cursor=b")
			}
			return full(3), next("cursor=a")
		}, 6, 3},
		{"the same page", func(n int, _ url.Values) (string, []string) { return full(n), next("page=%d", n) }, 2, 1},
		{"a page before", func(n int, _ url.Values) (string, []string) { return full(n), next("page=%d", max(1, 3-n)) }, 4, 2},
		{"a page left out", func(n int, _ url.Values) (string, []string) { return full(n), next("page=%d", n+2) }, 2, 1},
		{"two places", func(n int, _ url.Values) (string, []string) { return full(n), next("since_id=2&page=%d", n+1) }, 2, 1},
		{"a link without a query", func(int, url.Values) (string, []string) { return full(1), next("") }, 2, 2},
		{"an unknown parameter", func(int, url.Values) (string, []string) { return full(1), next("jump=7") }, 2, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				for _, way := range []string{"All", "Ahead"} {
					requests, items := 0, 0
					var last error
					l := numbersList(t, paged(&requests, test.page), Paging{PerPage: 2})
					seq := l.All(t.Context())
					if way == "Ahead" {
						seq = l.Ahead(t.Context(), 4)
					}
					for record, err := range seq {
						if last = err; record != nil {
							items++
						}
						if requests > 300 {
							break
						}
					}
					if last == nil || items != test.items || requests > test.most {
						t.Errorf("%s: got %d records, %v after %d requests; want %d and an error after %d at most", way, items, last, requests, test.items, test.most)
					}
				}
			})
		})
	}
}

// Pages of chosen fields may look alike, but not forever.
func TestAlikePagesEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		requests := 0
		l := numbersList(t, paged(&requests, func(n int, _ url.Values) (string, []string) {
			return `[{"name":"A"}]`, []string{"Link", fmt.Sprintf(`<?page=%d>; rel="next"`, n+1)}
		}), Paging{Fields: []string{"name"}})
		var last error
		for _, err := range l.All(t.Context()) {
			if last = err; requests > 20_000 {
				break
			}
		}
		if last == nil || requests > 10_001 {
			t.Errorf("got %v after %d requests, want an error after 10,001", last, requests)
		}
	})
}

// TestAheadIsNotMisledByTotals: pages after the end are asked for only as far as pages before it were there.
func TestAheadIsNotMisledByTotals(t *testing.T) {
	for _, headers := range [][]string{{"X-Total-Count", "900000000"}, {"X-Total-Count", "4611686018427387904"}, {"X-Total-Count", "-7"}} {
		for _, pages := range []int{1, 3, 9} {
			synctest.Test(t, func(t *testing.T) {
				furthest := 0
				var mu sync.Mutex
				l := numbersList(t, hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
					n, _ := strconv.Atoi(r.URL.Query().Get("page"))
					mu.Lock()
					furthest = max(furthest, n)
					mu.Unlock()
					if n > pages {
						return hostile.Status(404, fmt.Sprintf(`{"code":404,"message":"Not Found","description":"Last page is %d"}`, pages))(r)
					}
					n = max(1, n)
					return hostile.Status(200, fmt.Sprintf(`[{"id":%d},{"id":%d}]`, 2*n-1, 2*n), headers...)(r)
				}), Paging{PerPage: 2})
				got := ids(t, l.Ahead(t.Context(), 1000))
				if !slices.Equal(got, upTo(2*pages)) || furthest > 2*pages+1 {
					t.Errorf("%v, %d pages: got %d records, asked for page %d", headers, pages, len(got), furthest)
				}
			})
		}
	}
}

// TestTotals: a total that cannot be right counts as none.
func TestTotals(t *testing.T) {
	for _, test := range []struct {
		headers []string
		body    string
		want    int
	}{
		{[]string{"X-Total-Count", "450"}, `[{"id":1}]`, 450},
		{[]string{"X-Total-Count", " 450 "}, `[{"id":1}]`, 450},
		{[]string{"X-Total-Count", "450.0"}, `[{"id":1}]`, 450},
		{[]string{"X-Total-Count", "450.5"}, `[{"id":1}]`, -1},
		{[]string{"X-Total-Count", "450, 450"}, `[{"id":1}]`, 450},
		{[]string{"X-Total-Count", "450", "X-Total-Count", "450"}, `[{"id":1}]`, 450},
		{[]string{"X-Total-Count", "450", "X-Total-Count", "451"}, `[{"id":1}]`, -1},
		{[]string{"X-Total-Count", ""}, `[{"id":1}]`, -1},
		{[]string{"X-Total-Count", "-1"}, `[{"id":1}]`, -1},
		{[]string{"X-Total-Count", "0"}, `[{"id":1}]`, -1},
		{[]string{"X-Total-Count", "0"}, `[]`, 0},
		{[]string{"X-Total-Count", "1000000000"}, `[{"id":1}]`, 1_000_000_000},
		{[]string{"X-Total-Count", "1000000001"}, `[{"id":1}]`, -1},
		{[]string{"X-Total-Count", "4611686018427387904"}, `[{"id":1}]`, -1},
		{[]string{"X-Total-Count", "401", "Link", `<?page=2>; rel="last next"`}, `[{"id":1}]`, -1},
		{[]string{"X-Total-Count", "400", "Link", `<?page=2>; rel="last next"`}, `[{"id":1}]`, 400},
		{[]string{"X-Total-Count", "-1"}, `{"total":"7","results":[{"id":1}]}`, 7},
		{[]string{"X-Total-Count", "8"}, `{"total":"7","results":[{"id":1}]}`, 8},
		{nil, `{"total":-7,"results":[{"id":1}]}`, -1},
		{nil, `{"total":4611686018427387904,"results":[{"id":1}]}`, -1},
	} {
		l := List[number](engine.List(atVersion(newTest(t, hostile.Answers(hostile.Status(200, test.body, test.headers...))), VersionV1), engine.ListSpec{Path: "/numbers", Envelope: []string{"results"}, Total: "total"}))
		if page, err := l.Page(t.Context()); err != nil || page.Total != test.want {
			t.Errorf("%v %s: got %+v, %v; want %d", test.headers, test.body, page, err, test.want)
		}
	}
}

// Items that cannot be read have their place among the others: a page of them is not a short one, nor the end.
func TestUnreadableItemsKeepTheirPlace(t *testing.T) {
	for _, bad := range []string{`{"id":"x"}`, `7`, `"x"`} {
		for name, headers := range map[string][]string{"no total": nil, "total": {"X-Total-Count", "6"}} {
			synctest.Test(t, func(t *testing.T) {
				for _, at := range []int{1, 2, 3} {
					requests := 0
					l := numbersList(t, paged(&requests, func(n int, _ url.Values) (string, []string) {
						switch {
						case n > 3:
							return `[]`, headers
						case n == at:
							return "[" + bad + "," + bad + "]", headers
						}
						return fmt.Sprintf(`[{"id":%d},{"id":%d}]`, 2*n-1, 2*n), headers
					}), Paging{PerPage: 2})
					for way, seq := range map[string]func(func(*number, error) bool){"All": l.All(t.Context()), "Ahead": l.Ahead(t.Context(), 3)} {
						good, unread := 0, 0
						for record, err := range seq {
							if record != nil {
								good++
							} else if errors.Is(err, ErrUnreadableItem) {
								unread += strings.Count(err.Error(), "decode item")
							}
						}
						if good != 4 || unread != 2 {
							t.Errorf("%s, %s on page %d, %s: got %d records and %d that cannot be read, want 4 and 2", name, bad, at, way, good, unread)
						}
					}
				}
			})
		}
	}
}

// A 404 that names this page as one that exists contradicts itself, and is not the end of the list.
func TestLastPageThatContradictsItself(t *testing.T) {
	for _, test := range []struct {
		description string
		page        int
		failed      bool
	}{
		{"Last page is 3", 4, false}, {"Last page is 4", 4, true}, {"Last page is 9", 4, true}, {"Last page is 0", 1, false},
		{"Last page is 1", 1, false}, {"Last page is 2", 1, true}, {"Last page is many", 4, false},
	} {
		l := numbersList(t, hostile.Answers(hostile.Status(404, fmt.Sprintf(`{"code":404,"message":"Not Found","description":%q}`, test.description))), Paging{Page: test.page})
		if page, err := l.Page(t.Context()); errors.Is(err, ErrNotFound) != test.failed || test.failed == (page != nil) {
			t.Errorf("page %d, %s: got %+v, %v; want an error: %v", test.page, test.description, page, err, test.failed)
		}
	}
}

// TestNextAgreesWithTheIterators: a single page knows as well as All whether another one comes.
func TestNextAgreesWithTheIterators(t *testing.T) {
	for _, test := range []struct {
		name    string
		headers []string
		p       Paging
		want    bool
	}{
		{"next", []string{"Link", `<?page=2>; rel="next"`}, Paging{}, true},
		{"first", []string{"Link", `<?page=1>; rel="first"`, "X-Total-Count", "9"}, Paging{}, false},
		{"foreign", []string{"Link", `<?page=1>; rel="sunset"`, "X-Total-Count", "9"}, Paging{}, true},
		{"total", []string{"X-Total-Count", "2"}, Paging{}, false},
		{"greater total", []string{"X-Total-Count", "3"}, Paging{}, true},
		{"nothing", nil, Paging{}, true},
		{"a total, after pages that are not known", []string{"X-Total-Count", "6"}, Paging{Page: 3}, true},
		{"a last page before this one", []string{"Link", `<?page=1>; rel="last"`}, Paging{Page: 3}, false},
	} {
		l := numbersList(t, hostile.Answers(hostile.Status(200, `[{"id":1},{"id":2}]`, test.headers...)), test.p)
		if page, err := l.Page(t.Context()); err != nil || page.Next() != test.want || (page.Cursor != "") != test.want {
			t.Errorf("%s: got %+v, %v; want next %v", test.name, page, err, test.want)
		}
	}
}

// TestLinksDoNotChangeTheFilter: a link that lacks the filter, or has another one, leads to a place in the same list.
func TestLinksDoNotChangeTheFilter(t *testing.T) {
	for _, link := range []string{`?page=2`, `?page=2&status=any&q=other`, `?q=other&page=2&per_page=7&fields=name&admin=1`, `/other/list?page=2`} {
		s := hostile.Answers(hostile.Status(200, `[{"id":1}]`, "Link", "<"+link+`>; rel="next"`), hostile.Status(200, `[{"id":2}]`, "Link", `<?page=1>; rel="first"`))
		l := List[number](engine.List(atVersion(newTest(t, s), VersionV1), engine.ListSpec{Path: "/numbers", Query: url.Values{"q": {"mug"}, "status": {"open"}}}))
		got, err := l.Collect(t.Context())
		if err != nil || len(got) != 2 {
			t.Fatalf("%s: got %v, %v", link, got, err)
		}
		if q := s.Seen[1].URL; q.Path != "/v1/123/numbers" || q.RawQuery != "page=2&per_page=200&q=mug&status=open" {
			t.Errorf("%s: asked for %s", link, q)
		}
	}
}

// Crawls split a window by its total, which may be wrong.
func TestCrawlOfAbsurdTotals(t *testing.T) {
	for _, total := range []string{"-1", "0", "90000", "4611686018427387904", "many"} {
		synctest.Test(t, func(t *testing.T) {
			s := fakeOrders(950, 3)
			wrong := hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
				resp, err := s.RoundTrip(r)
				if err == nil && resp.StatusCode == 200 {
					resp.Header.Set("X-Total-Count", total)
				}
				return resp, err
			})
			var got []ID
			for o, err := range (*OrderService)(atVersion(newTest(t, wrong), Version202503)).Crawl(OrderFilter{}).All(t.Context()) {
				if err != nil {
					t.Fatalf("total %s: %v after %d orders", total, err, len(got))
				}
				got = append(got, o.ID)
			}
			if slices.Sort(got); !slices.Equal(got, upTo(950)) || s.requests > 120 {
				t.Errorf("total %s: got %d orders after %d requests", total, len(got), s.requests)
			}
		})
	}
}

// TestInventoryLevels reads the stock of a location, whose pages have one record unless more are asked for.
func TestInventoryLevels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		requests := 0
		const levels = 450
		transport := paged(&requests, func(n int, q url.Values) (string, []string) {
			size := 1
			if asked, err := strconv.Atoi(q.Get("per_page")); err == nil {
				size = min(asked, 100)
			}
			var items []string
			for id := (n-1)*size + 1; id <= min(n*size, levels); id++ {
				items = append(items, fmt.Sprintf(`{"id":"%d","variant_id":"7","stock":1}`, id))
			}
			return fmt.Sprintf(`{"total":%d,"page":%d,"per_page":%d,"results":[%s]}`, levels, n, size, strings.Join(items, ",")),
				[]string{"Link", `<https://example.com/>; rel="deprecation"`}
		})
		l := (*LocationService)(atVersion(newTest(t, transport), Version202503)).Levels([16]byte{1}, InventoryLevelFilter{})
		for way, seq := range map[string]func(func(*InventoryLevel, error) bool){"All": l.All(t.Context()), "Ahead": l.Ahead(t.Context(), 4)} {
			requests = 0
			var got []ID
			for level, err := range seq {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, level.ID)
			}
			if !slices.Equal(got, upTo(levels)) || requests != 5 {
				t.Errorf("%s: got %d levels after %d requests, want 450 after 5", way, len(got), requests)
			}
		}
		page, err := l.Page(t.Context())
		if err != nil || len(page.Items) != 1 || page.Total != levels || !page.Next() {
			t.Errorf("got %+v, %v", page, err)
		}
		all, err := l.After(page.Cursor).Collect(t.Context())
		if err != nil || len(all) != levels-1 || all[0].ID != 2 {
			t.Errorf("after one page: got %d levels, %v", len(all), err)
		}
	})
}
