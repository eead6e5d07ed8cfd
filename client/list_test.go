package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// numbers is a list of the records 1 to n, as the platform pages them.
type numbers struct {
	n, clamp  int
	noLinks   bool
	noTotal   bool
	slow      time.Duration
	mu        sync.Mutex
	requests  []url.Values
	open, top int
	gone      map[int]bool
}

type number struct {
	ID    ID    `json:"id"`
	Extra Extra `json:",embed"`
}

func (s *numbers) RoundTrip(r *http.Request) (*http.Response, error) {
	q := r.URL.Query()
	s.mu.Lock()
	s.requests = append(s.requests, q)
	s.open++
	s.top = max(s.top, s.open)
	s.mu.Unlock()
	defer func() { s.mu.Lock(); s.open--; s.mu.Unlock() }()
	select {
	case <-time.After(s.slow):
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
	size, page, since := 30, 1, 0
	if n, err := strconv.Atoi(q.Get("per_page")); err == nil {
		size = n
	}
	if s.clamp > 0 {
		size = min(size, s.clamp)
	}
	if n, err := strconv.Atoi(q.Get("page")); err == nil {
		page = n
	}
	since, _ = strconv.Atoi(q.Get("since_id"))
	var all []string
	for i := since + 1; i <= s.n; i++ {
		if !s.gone[i] {
			all = append(all, fmt.Sprintf(`{"id":%d}`, i))
		}
	}
	if fields := q.Get("fields"); fields != "" && !slices.Contains(strings.Split(fields, ","), "id") {
		for i := range all {
			all[i] = `{}`
		}
	}
	last := (len(all) + size - 1) / size
	if page > last {
		return hostile.Status(404, fmt.Sprintf(`{"code":404,"message":"Not Found","description":"Last page is %d"}`, last))(r)
	}
	var headers []string
	if !s.noTotal {
		headers = append(headers, "X-Total-Count", strconv.Itoa(len(all)))
	}
	if !s.noLinks {
		link := func(page int, rel string) string {
			next := r.URL.Query()
			next.Set("page", strconv.Itoa(page))
			return fmt.Sprintf(`<https://elsewhere.example/other/path?%s>; rel="%s"`, next.Encode(), rel)
		}
		links := []string{link(last, "last"), link(1, "first")}
		if page < last {
			links = append(links, link(page+1, "next"))
		}
		headers = append(headers, "Link", strings.Join(links, ", "))
	}
	items := all[(page-1)*size : min(page*size, len(all))]
	return hostile.Status(200, "["+strings.Join(items, ",")+"]", headers...)(r)
}

func numbersList(t *testing.T, transport http.RoundTripper, p Paging) List[number] {
	return listOf[number](atVersion(newTest(t, transport), VersionV1), newQuery().paging(p), engine.ListSpec{Path: "/numbers", SinceID: true})
}

func ids(t *testing.T, seq func(func(*number, error) bool)) []ID {
	t.Helper()
	got := []ID{}
	for n, err := range seq {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, n.ID)
	}
	return got
}

func upTo(n int) []ID {
	all := []ID{}
	for i := range n {
		all = append(all, ID(i+1))
	}
	return all
}

func TestListReadsEveryRecordOnce(t *testing.T) {
	for _, n := range []int{0, 1, 199, 200, 201, 400, 950} {
		for _, variant := range []string{"", "no links", "no total", "no links, no total", "clamped", "clamped, no links, no total"} {
			synctest.Test(t, func(t *testing.T) {
				server := &numbers{n: n, noLinks: strings.Contains(variant, "no links"), noTotal: strings.Contains(variant, "no total")}
				if strings.Contains(variant, "clamped") {
					server.clamp = 50
				}
				l := numbersList(t, server, Paging{})
				for name, seq := range map[string]func(func(*number, error) bool){
					"All": l.All(t.Context()), "Ahead(4)": l.Ahead(t.Context(), 4), "Ahead(1)": l.Ahead(t.Context(), 1), "Since(0)": l.Since(t.Context(), 0),
				} {
					if got := ids(t, seq); !slices.Equal(got, upTo(n)) {
						t.Errorf("%s of %d %q gave %d records", name, n, variant, len(got))
					}
				}
				// A server that was not asked for the id gave records without one, which do not ascend.
				some := numbersList(t, server, Paging{Fields: []string{"name", "brand"}})
				if got := ids(t, some.Since(t.Context(), 0)); !slices.Equal(got, upTo(n)) {
					t.Errorf("Since(0) of some fields of %d %q gave %d records", n, variant, len(got))
				}
				if got, err := l.Collect(t.Context()); err != nil || len(got) != n {
					t.Errorf("Collect gave %d records, %v", len(got), err)
				}
			})
		}
	}
}

func TestPage(t *testing.T) {
	server := &numbers{n: 70}
	page, err := numbersList(t, server, Paging{Page: 2, Fields: []string{"id", "name"}}).Page(t.Context())
	if err != nil || len(page.Items) != 30 || page.Items[0].ID != 31 || page.Total != 70 || page.Number != 2 || !page.Next() {
		t.Errorf("got %+v, %v", page, err)
	}
	if q := server.requests[0]; q.Encode() != "fields=id%2Cname&page=2" {
		t.Errorf("asked for %s", q.Encode())
	}
	if page, err := numbersList(t, &numbers{}, Paging{}).Page(t.Context()); err != nil || len(page.Items) != 0 || page.Total != 0 || page.Next() || page.Cursor != "" {
		t.Errorf("empty list: %+v, %v", page, err)
	}
	if page, err := numbersList(t, &numbers{n: 70}, Paging{Page: 9}).Page(t.Context()); err != nil || len(page.Items) != 0 || page.Total != -1 || page.Next() {
		t.Errorf("behind the last page: %+v, %v; want no items of a total that is not told", page, err)
	}
	for want, bad := range map[string]Paging{`per_page: "201": must be 1 to 200`: {PerPage: 201}, `per_page: "-1": must be 1 to 200`: {PerPage: -1}, `page: "-1": must be at least 1`: {Page: -1}} {
		if _, err := numbersList(t, &numbers{}, bad).Page(t.Context()); !errors.Is(err, ErrValidation) || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", bad, err, want)
		}
	}
	if _, err := numbersList(t, hostile.Answers(hostile.Refuses(404)), Paging{}).Page(t.Context()); !errors.Is(err, ErrNotFound) {
		t.Errorf("404 without last page: %v, want an error", err)
	}
}

func TestCursorResumes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := numbersList(t, &numbers{n: 500}, Paging{PerPage: 100})
		var cursor string
		for page, err := range l.Pages(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			if cursor = page.Cursor; page.Number == 2 {
				break
			}
		}
		if got := ids(t, l.After(cursor).All(t.Context())); len(got) != 300 || got[0] != 201 {
			t.Errorf("resumed with %d records from %d", len(got), got[0])
		}
		// The page has 30 records by default, and the iterators ask for 200: page 2 was once the second of those.
		l = numbersList(t, &numbers{n: 500}, Paging{})
		page, err := l.Page(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for name, seq := range map[string]func(func(*number, error) bool){
			"All": l.After(page.Cursor).All(t.Context()), "Ahead": l.After(page.Cursor).Ahead(t.Context(), 4), "Since": l.After(page.Cursor).Since(t.Context(), 30),
		} {
			if got := ids(t, seq); !slices.Equal(got, upTo(500)[30:]) {
				t.Errorf("behind a single page %s gave %d records from %d", name, len(got), got[0])
			}
		}
		other := List[number](engine.List(atVersion(newTest(t, &numbers{}), VersionV1), engine.ListSpec{Path: "/others"}))
		for _, bad := range []string{"", "?", "MSBhIGI", cursor} {
			if _, err := other.After(bad).Page(t.Context()); !errors.Is(err, ErrValidation) {
				t.Errorf("cursor %q: %v", bad, err)
			}
		}
	})
}

func TestAheadKeepsOrderAndBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := &numbers{n: 3000, slow: time.Second}
		start := time.Now()
		if got := ids(t, numbersList(t, server, Paging{}).Ahead(t.Context(), 4)); !slices.Equal(got, upTo(3000)) {
			t.Errorf("%d records, or out of order", len(got))
		}
		if took := time.Since(start); server.top != 4 || took > 6*time.Second {
			t.Errorf("%d pages in flight, %v; want 4 and a quarter of 15 s", server.top, took)
		}
		for range numbersList(t, server, Paging{}).Ahead(t.Context(), 4) {
			break
		}
		ctx, cancel := context.WithTimeout(t.Context(), 3500*time.Millisecond)
		defer cancel()
		var last error
		for _, err := range numbersList(t, server, Paging{}).Ahead(ctx, 2) {
			last = err
		}
		if !errors.Is(last, context.DeadlineExceeded) {
			t.Errorf("ended with %v, want the deadline", last)
		}
	})
}

// Where no field tells the records apart, pages may look alike; that was once taken for a loop.
func TestPagesMayLookAlike(t *testing.T) {
	next := func(page int) string { return fmt.Sprintf(`</v1/123/numbers?fields=name&page=%d>; rel="next"`, page) }
	alike := `[{"name":"A"},{"name":"A"}]`
	for name, server := range map[string]*hostile.Script{
		"links": hostile.Answers(hostile.Status(200, alike, "Link", next(2)), hostile.Status(200, alike, "Link", next(3)), hostile.Status(200, `[{"name":"A"}]`, "Link", `</v1/123/numbers?page=1>; rel="first"`)),
		"total": hostile.Answers(hostile.Status(200, alike, "X-Total-Count", "5"), hostile.Status(200, alike, "X-Total-Count", "5"), hostile.Status(200, `[{"name":"A"}]`, "X-Total-Count", "5")),
	} {
		if got, err := numbersList(t, server, Paging{PerPage: 2, Fields: []string{"name"}}).Collect(t.Context()); err != nil || len(got) != 5 {
			t.Errorf("by %s: %d records, %v; want 5", name, len(got), err)
		}
	}
}

// Pages that are numbered by nothing but since_id came twice, as page 1 to 3 of the same since_id.
func TestAheadOfPagesWithoutNumbers(t *testing.T) {
	page := func(from int, headers ...string) func(*http.Request) (*http.Response, error) {
		return hostile.Status(200, fmt.Sprintf(`[{"id":%d},{"id":%d}]`, from, from+1), append(headers, "X-Total-Count", "6")...)
	}
	server := hostile.Answers(page(1, "Link", `</v1/123/numbers?since_id=2&per_page=2>; rel="next"`), page(3, "Link", `</v1/123/numbers?since_id=4&per_page=2>; rel="next"`), page(5, "Link", `</v1/123/numbers?per_page=2>; rel="first"`))
	if got := ids(t, numbersList(t, server, Paging{PerPage: 2}).Ahead(t.Context(), 4)); !slices.Equal(got, upTo(6)) || server.Seen[2].URL.Query().Get("since_id") != "4" {
		t.Errorf("got %v, want 1 to 6", got)
	}
}

func TestLoopsAreRefused(t *testing.T) {
	self := hostile.Status(200, `[{"id":1}]`, "Link", `<https://api.example.com/v1/123/numbers?page=1&per_page=200>; rel="next"`)
	synctest.Test(t, func(t *testing.T) {
		n := 0
		var last error
		for _, err := range numbersList(t, hostile.Answers(self), Paging{}).All(t.Context()) {
			n, last = n+1, err
		}
		if last == nil || n > 3 {
			t.Errorf("%d steps, %v; want an error soon", n, last)
		}
		for name, answer := range map[string]string{"descends": `[{"id":5},{"id":4}]`, "repeats an id": `[{"id":5},{"id":5}]`, "begins with the id": `[{"id":3}]`, "begins before the id": `[{"id":2}]`} {
			last, n = nil, 0
			for _, err := range numbersList(t, hostile.Answers(hostile.Status(200, answer)), Paging{}).Since(t.Context(), 3) {
				if n, last = n+1, err; n > 3 {
					break
				}
			}
			if last == nil || !strings.Contains(last.Error(), "not ascending") {
				t.Errorf("an answer to since_id that %s: %v", name, last)
			}
		}
	})
	for _, transport := range []http.RoundTripper{hostile.Answers(hostile.Status(200, `[{"id":1},{"id":2}]`))} {
		n := 0
		for _, err := range numbersList(t, transport, Paging{}).Pages(t.Context()) {
			if n++; n == 2 && err == nil {
				t.Error("a server that ignores page was read twice")
			}
		}
		if n != 2 {
			t.Errorf("%d pages of a server that ignores page, want one and an error", n)
		}
	}
	plain := List[number](engine.List(atVersion(newTest(t, &numbers{}), VersionV1), engine.ListSpec{Path: "/numbers"}))
	steps := 0
	for _, err := range plain.Since(t.Context(), 0) {
		if steps++; !errors.Is(err, ErrValidation) {
			t.Errorf("Since without since_id: %v", err)
		}
	}
	if steps != 1 {
		t.Errorf("Since without since_id: %d steps, want the refusal", steps)
	}
}

func TestOneBadItemDoesNotCostTheOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := numbersList(t, hostile.Answers(hostile.Status(200, `[{"id":1},{"id":"x"},{"id":3}]`, "X-Total-Count", "3")), Paging{})
		var good []ID
		var bad []error
		for n, err := range l.All(t.Context()) {
			if err != nil {
				bad = append(bad, err)
			} else {
				good = append(good, n.ID)
			}
		}
		var e *DecodeError
		if !slices.Equal(good, []ID{1, 3}) || len(bad) != 1 || !errors.As(bad[0], &e) || e.Index != 1 || string(e.Raw) != `{"id":"x"}` || !errors.Is(bad[0], ErrUnreadableItem) {
			t.Errorf("good %v, bad %v", good, bad)
		}
		if page, err := l.Page(t.Context()); err == nil || len(page.Items) != 2 || page.Next() {
			t.Errorf("page %+v, %v; want the page and the error", page, err)
		}
		// Collect once ended with the page of the first bad item.
		pages := hostile.Answers(hostile.Status(200, `[{"id":1},{"id":"x"}]`, "Link", `</v1/123/numbers?page=2>; rel="next"`), hostile.Status(200, `[{"id":3},{"id":"y"}]`, "Link", `</v1/123/numbers?page=1>; rel="first"`))
		got, err := numbersList(t, pages, Paging{}).Collect(t.Context())
		if len(got) != 2 || got[1].ID != 3 || !errors.Is(err, ErrUnreadableItem) || !strings.Contains(err.Error(), `"y"`) || len(pages.Seen) != 2 {
			t.Errorf("Collect gave %+v after %d requests, %v; want both good items and both errors", got, len(pages.Seen), err)
		}
		got, err = numbersList(t, hostile.Answers(hostile.Status(200, `[{"id":1}]`, "Link", `</v1/123/numbers?page=2>; rel="next"`), hostile.Refuses(403)), Paging{}).Collect(t.Context())
		if len(got) != 1 || !errors.Is(err, ErrForbidden) {
			t.Errorf("Collect gave %+v, %v; want the first page and the refusal of the second", got, err)
		}
	})
}

func TestEnvelopes(t *testing.T) {
	view := atVersion(newTest(t, hostile.Answers(
		hostile.Status(200, `{"total":"2","page":1,"per_page":30,"results":[{"id":1},{"id":"2"}]}`),
		hostile.Status(200, `{"pages":{"results":[{"id":1}],"total":1}}`),
		hostile.Status(200, `{"result":null,"total":0}`),
		hostile.Status(200, `{"result":[],"total":0}`),
		hostile.Status(200, `{}`), hostile.Status(200, `[]`),
	)), VersionV1)
	for i, c := range []struct {
		l     List[number]
		items int
		total int
	}{
		{List[number](engine.List(view, engine.ListSpec{Path: "/levels", Envelope: []string{"results"}, Total: "total"})), 2, 2},
		{List[number](engine.List(view, engine.ListSpec{Path: "/pages", Envelope: []string{"pages", "results"}, Total: "total"})), 1, 1},
		{List[number](engine.List(view, engine.ListSpec{Path: "/scripts", Envelope: []string{"result"}, Total: "total"})), 0, 0},
		{List[number](engine.List(view, engine.ListSpec{Path: "/scripts", Envelope: []string{"result"}, Total: "total"})), 0, 0},
		{List[number](engine.List(view, engine.ListSpec{Path: "/numbers"})), 0, -1}, {List[number](engine.List(view, engine.ListSpec{Path: "/numbers"})), 0, -1},
	} {
		page, err := c.l.Page(t.Context())
		if err != nil || len(page.Items) != c.items || page.Total != c.total {
			t.Errorf("case %d: %+v, %v", i, page, err)
		}
	}
}

// What is no list, and no way to one, is an error and not an empty list.
func TestAnswersThatAreNoList(t *testing.T) {
	for _, body := range []string{`"x"`, `7`, `{"results":7}`, `{"results":{"id":1}}`, ``, `{`} {
		view := atVersion(newTest(t, hostile.Answers(hostile.Status(200, body))), VersionV1)
		for name, l := range map[string]List[number]{
			"an array":    List[number](engine.List(view, engine.ListSpec{Path: "/numbers"})),
			"an envelope": List[number](engine.List(view, engine.ListSpec{Path: "/levels", Envelope: []string{"results"}, Total: "total"})),
		} {
			if page, err := l.Page(t.Context()); page != nil || !errors.As(err, new(*DecodeError)) || errors.Is(err, ErrUnreadableItem) {
				t.Errorf("%s for %s: got %v, %v; want that it cannot be read", body, name, page, err)
			}
		}
	}
	for _, answer := range []func(*http.Request) (*http.Response, error){hostile.Status(204, ""), hostile.Status(200, "null")} {
		if all, err := List[number](engine.List(atVersion(newTest(t, hostile.Answers(answer)), VersionV1), engine.ListSpec{Path: "/numbers"})).Collect(t.Context()); err != nil || len(all) != 0 {
			t.Errorf("nothing: got %v, %v", all, err)
		}
	}
}

// A crawl by id has no pages: the number of one that it begins behind would leave records out.
func TestSinceAsksForNoPage(t *testing.T) {
	s := hostile.Answers(hostile.Status(200, `[{"id":31}]`), hostile.Status(200, `[]`))
	l := List[number](engine.List(atVersion(newTest(t, s), VersionV1), engine.ListSpec{Path: "/numbers", Query: url.Values{"page": {"3"}, "fields": {"name,size"}}, SinceID: true}))
	if got := ids(t, l.Since(t.Context(), 30)); !slices.Equal(got, []ID{31}) {
		t.Errorf("got %v", got)
	}
	if q := s.Seen[0].URL.Query(); q.Has("page") || q.Get("since_id") != "30" || q.Get("fields") != "name,size,id" {
		t.Errorf("asked for %v", q)
	}
	ended := 0
	for _, err := range List[number](engine.List(atVersion(newTest(t, s), VersionV1), engine.ListSpec{Path: "/numbers"})).Since(t.Context(), 30) {
		if ended++; !errors.Is(err, ErrValidation) {
			t.Errorf("a list without since_id: got %v", err)
		}
	}
	if ended != 1 || len(s.Seen) != 2 {
		t.Errorf("a list without since_id ended %d times after %d requests", ended, len(s.Seen)-2)
	}
}

// A list by since_id needs the ids of its records.
func TestListOfRecordsWithoutID(t *testing.T) {
	s := hostile.Answers(hostile.Status(200, `[]`))
	view := atVersion(newTest(t, s), VersionV1)
	none := List[struct{ Name string }](engine.List(view, engine.ListSpec{Path: "/names", SinceID: true}))
	text := List[struct{ ID string }](engine.List(view, engine.ListSpec{Path: "/names", SinceID: true}))
	_, err := none.Collect(t.Context())
	_, other := text.Collect(t.Context())
	if err == nil || other == nil || len(s.Seen) > 0 {
		t.Errorf("got %v and %v after %d requests, want two refusals", err, other, len(s.Seen))
	}
}

func TestDriftIsReported(t *testing.T) {
	var seen []string
	c := newTest(t, hostile.Answers(hostile.Status(200, `{"id":"5","name":"Mug","seo_title":"Mug","new_member":1,"created_at":7,"variants":[{"id":1,"price":3,"cost":2,"age_group":"ancient"}]}`)), func(c *Config) {
		c.OnDrift = func(_ context.Context, d Drift) { seen = append(seen, d.Path+" "+d.Got) }
	})
	if err := c.Do(t.Context(), Request{Path: "/products/{id}", Args: []any{5}}, new(Product)); err != nil {
		t.Fatal(err)
	}
	slices.Sort(seen)
	want := []string{`/created_at 7`, `/id "5"`, `/name "Mug"`, `/new_member 1`, `/variants/0/age_group ancient`, `/variants/0/price 3`}
	if !slices.Equal(seen, want) {
		t.Errorf("reported %q, want %q", seen, want)
	}
	seen = nil
	for _, zone := range []string{"UTC", "-03:00", "ZZT"} {
		c = newTest(t, hostile.Answers(hostile.Status(200, `{"id":5,"completed_at":{"date":"2022-11-15 19:36:59.000000","timezone_type":3,"timezone":"`+zone+`"}}`)), func(c *Config) {
			c.OnDrift = func(_ context.Context, d Drift) { seen = append(seen, d.Path+" "+d.Got) }
		})
		var o Order
		if err := c.Do(t.Context(), Request{Path: "/orders/{id}", Args: []any{5}}, &o); err != nil || o.CompletedAt.Location().String() == "ZZT" != (zone == "ZZT") {
			t.Errorf("%s: %v, %v; want the zone kept", zone, o.CompletedAt, err)
		}
	}
	if len(seen) != 1 || !strings.HasPrefix(seen[0], "/completed_at {") || !strings.Contains(seen[0], "2022-11-15 19:36:59") {
		t.Errorf("reported %q, want the time whose zone is not known", seen)
	}
}

// TestToleratedFormsAreReported: each value that is read in another form than its type is one for the hook.
func TestToleratedFormsAreReported(t *testing.T) {
	for document, want := range map[string]string{
		`{"id":5.0}`: `/id: must be an integer, got 5.0`, `{"id":"\u0035"}`: `/id: must be an integer, got "\u0035"`, `{"variants":[{"id":""}]}`: `/variants/0/id: must be an integer, got ""`,
		`{"brand":7}`: `/brand: must be a text, got 7`, `{"brand":[]}`: `/brand: must be null, got []`, `{"published":"1"}`: `/published: must be true or false, got "1"`,
		`{"variants":{}}`: `/variants: must be a list, got {}`, `{"variants":[{"promotional_price":""}]}`: `/variants/0/promotional_price: must be null, got ""`,
		`{"variants":[{"stock":5e0}]}`: `/variants/0/stock: must be an integer, got 5e0`, `{"variants":[{"promotional_price":"1e1"}]}`: `/variants/0/promotional_price: must be a decimal string, got "1e1"`,
		`{"variants":[{"weight":0.25,"width":"0.25"}]}`: `/variants/0/weight: must be a decimal string, got 0.25`,
		`{"variants":[{"sku":12}]}`:                     `/variants/0/sku: must be a text, got 12`, `{"name":{"es":5}}`: `/name: must be an object keyed by language, got {"es":5}`, `{"name":{"es":null}}`: ``,
		`{"created_at":"2025-01-01t12:00:00z"}`: `/created_at: must be ISO 8601, got "2025-01-01t12:00:00z"`, `{"created_at":"0000-00-00"}`: `/created_at: must be ISO 8601, got "0000-00-00"`,
		`{"created_at":"2025-01-01 12:00:00 UTC"}`: `/created_at: must be ISO 8601, got "2025-01-01 12:00:00 UTC"`, `{"created_at":"1735732800"}`: `/created_at: must be ISO 8601, got "1735732800"`,
		`{"created_at":"2025-01-01T12:00:00-03"}`: `/created_at: must be ISO 8601, got "2025-01-01T12:00:00-03"`, `{"created_at":"2025-01-01T12:00:00,5Z"}`: `/created_at: must be ISO 8601, got "2025-01-01T12:00:00,5Z"`,
		`{"created_at":"2025-01-01 12:00:00","updated_at":"-0001-11-30T00:00:00+0000"}`: ``, `{"created_at":"2025-01-01T12:00:00.086Z","updated_at":"2025-01-01"}`: ``,
	} {
		var seen []string
		c := newTest(t, nil, func(c *Config) {
			c.OnDrift = func(_ context.Context, d Drift) { seen = append(seen, d.Path+": must be "+d.Want+", got "+d.Got) }
		})
		if !strings.HasPrefix(document, `{"id"`) {
			document = `{"id":1,` + document[1:]
		}
		if err := Decode(t.Context(), c, []byte(document), new(Product)); err != nil {
			t.Errorf("%s: %v", document, err)
		}
		if got := strings.Join(seen, "; "); got != want {
			t.Errorf("%s: reported %s, want %s", document, got, want)
		}
	}
}

// What the contract itself shows is no drift: integers and amounts in the other form were, and
// names of locations that are one text.
func TestContractDoesNotDrift(t *testing.T) {
	for name, record := range catalog {
		data := document(t, name)
		c := newTest(t, hostile.Answers(hostile.Status(200, string(data)), hostile.Status(200, "["+string(data)+"]")), func(c *Config) {
			c.OnDrift = func(_ context.Context, d Drift) { t.Errorf("%s: %s: want %s, got %s", name, d.Path, d.Want, d.Got) }
		})
		kind := reflect.TypeOf(record).Elem()
		for _, out := range []any{reflect.New(kind).Interface(), reflect.New(reflect.SliceOf(kind)).Interface()} {
			if err := c.Do(t.Context(), Request{Path: "/x"}, out); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	for body, out := range map[string]any{
		`[{"id":"01GQ2ZHK064BQRHGDB7CCV0Y6N","store_id":"123","name":{"es_AR":"Sur"},"priority":0,"tags":["online"]}]`:                                      new([]Location),
		`{"id":"01FHZXHK8PTP9FVK99Z66GXASS","assigned_location":{"location_id":"01GQ2ZHK064BQRHGDB7CCV0Y6N","name":"Sur"},"line_items":[{"quantity":"1"}]}`: new(FulfillmentOrder),
		`[{"id":"101","stock":3}]`:                               new([]InventoryLevel),
		`[{"inventory_levels":[{"id":"101","variant_id":"7"}]}]`: new([]Variant),
		`{"id":7,"value":50}`:                                    new(Coupon),
		`{"id":7,"number":"101","products":[{"quantity":"1","variant_id":"426215948"},{"quantity":1,"variant_id":1479416655}]}`: new(Order),
	} {
		c := newTest(t, hostile.Answers(hostile.Status(200, body)), func(c *Config) {
			c.OnDrift = func(_ context.Context, d Drift) { t.Errorf("%s: %s: want %s, got %s", body, d.Path, d.Want, d.Got) }
		})
		if err := c.Do(t.Context(), Request{Path: "/x"}, out); err != nil {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// The paths were once those of the Go fields where a type reads itself, and the bytes of raw JSON were values.
func TestDriftIsPointedAt(t *testing.T) {
	field := `{"id":"6b3c1c52-5f0e-4f7e-9a55-0d3b6f1f2a10","owner_resource":"product","newer":1,"products":[{"id":1,"newer":2}]}`
	for _, test := range []struct {
		data string
		into any
		want []string
	}{
		{`{"id":7,"payment_details":{"newer":1},"fulfillments":[{"id":"01FHZXHK8PTP9FVK99Z66GXAYT","newer":2,"total_price":{"value":1,"currency":"ARS","newer":3}}]}`, new(Order),
			[]string{"/fulfillments/0/newer 2", "/fulfillments/0/total_price/newer 3", "/payment_details/newer 1"}},
		{field, new(CustomFieldOwners), []string{"/newer 1", "/products/0/newer 2"}},
		{`[{"total_delta":3750,"total_paid_diff":0.30000000000000004}]`, new([]ValueChange), []string{"/0/total_paid_diff 0.30000000000000004"}},
	} {
		var seen []string
		c := newTest(t, hostile.Answers(hostile.Status(200, test.data)), func(c *Config) {
			c.OnDrift = func(_ context.Context, d Drift) { seen = append(seen, d.Path+" "+d.Got) }
		})
		if err := c.Do(t.Context(), Request{Path: "/x"}, test.into); err != nil {
			t.Fatal(err)
		}
		if slices.Sort(seen); !slices.Equal(seen, test.want) {
			t.Errorf("reported %q, want %q", seen, test.want)
		}
	}
	raw := map[string]json.RawMessage{"": json.RawMessage(strings.Repeat("1", 1<<20))}
	if n := testing.AllocsPerRun(1, func() { walk(reflect.ValueOf(raw), "", nil) }); n > 20 {
		t.Errorf("a mebibyte of raw JSON took %v allocations, want no look at its bytes", n)
	}
}

func TestSinceIDNeedsAnID(t *testing.T) {
	type nameless struct{ Name string }
	l := List[nameless](engine.List(atVersion(newTest(t, &numbers{}), VersionV1), engine.ListSpec{Path: "/numbers", SinceID: true}))
	if _, err := l.Page(t.Context()); err == nil || !strings.Contains(err.Error(), "no field ID") {
		t.Errorf("records without an id: %v", err)
	}
}
