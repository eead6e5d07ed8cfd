package client

import (
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// forged returns a cursor with its last part replaced.
func forged(t *testing.T, cursor, place string) string {
	t.Helper()
	data, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		t.Fatal(err)
	}
	end := strings.LastIndexByte(string(data), ' ')
	return base64.RawURLEncoding.EncodeToString(append(data[:end+1], place...))
}

// TestCursorIsBoundToItsList: one of another list or filter is rejected, without showing what is in it.
func TestCursorIsBoundToItsList(t *testing.T) {
	at := time.Date(2024, 5, 8, 10, 0, 0, 0, time.UTC)
	filter := OrderFilter{Query: "ana@example.com", AppID: 7, SinceID: 5, Window: Window{CreatedMin: at}, Paging: Paging{PerPage: 2, Fields: []string{"id"}}}
	page := hostile.Status(200, `[{"id":7},{"id":8}]`, "X-Total-Count", "9")
	orders := func(v Version, change ...func(*Config)) *OrderService {
		return (*OrderService)(atVersion(newTest(t, hostile.Answers(page), change...), v))
	}
	first, err := orders(VersionV1).List(filter).Page(t.Context())
	if err != nil || !first.Next() {
		t.Fatal(first, err)
	}
	with := func(change func(*OrderFilter)) List[Order] {
		f := filter
		change(&f)
		return orders(VersionV1).List(f)
	}
	for name, l := range map[string]List[Order]{
		"the same":     with(func(*OrderFilter) {}),
		"another page": with(func(f *OrderFilter) { f.Page, f.PerPage = 9, 100 }),
		"another zone": with(func(f *OrderFilter) { f.CreatedMin = at.In(time.FixedZone("", -3*3600)) }),
		"resumed":      with(func(*OrderFilter) {}).After(first.Cursor),
	} {
		if got, err := l.After(first.Cursor).Page(t.Context()); err != nil || len(got.Items) != 2 {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
	}
	for kind, lists := range map[string][]List[Order]{
		"version": {orders(Version202503).List(filter)},
		"store":   {orders(VersionV1, func(c *Config) { c.StoreID = 124 }).List(filter)},
		"list":    {listOf[Order](orders(VersionV1), filter.query(), engine.ListSpec{Path: "/orders/7"}), listOf[Order](orders(VersionV1), filter.query(), engine.ListSpec{Path: "/draft_orders"})},
		"filter": {
			orders(VersionV1).List(OrderFilter{}), with(func(f *OrderFilter) { f.Query = "" }), with(func(f *OrderFilter) { f.Query = "bea@example.com" }),
			with(func(f *OrderFilter) { f.AppID = 8 }), with(func(f *OrderFilter) { f.SinceID = 6 }), with(func(f *OrderFilter) { f.Fields = nil }),
			with(func(f *OrderFilter) { f.CreatedMin = at.Add(time.Second) }), with(func(f *OrderFilter) { f.Status = "open" }),
		},
	} {
		for i, l := range lists {
			_, err := l.After(first.Cursor).Page(t.Context())
			if !errors.Is(err, ErrValidation) || !strings.Contains(err.Error(), "cursor: must be from a list of the same "+kind) {
				t.Errorf("another %s, %d: got %v", kind, i, err)
			}
			if err != nil && (strings.Contains(err.Error(), "example.com") || strings.Contains(err.Error(), first.Cursor)) {
				t.Errorf("another %s, %d: %v shows the filter or the cursor", kind, i, err)
			}
		}
	}
	if data, _ := base64.RawURLEncoding.DecodeString(first.Cursor); strings.Contains(string(data), "ana") {
		t.Errorf("the cursor has the filter in it: %s", data)
	}
}

// TestForgedCursor: whoever changes a cursor can change where the list begins, and nothing else.
func TestForgedCursor(t *testing.T) {
	filter := url.Values{"status": {"open"}, "since_id": {"5"}, "offset": {"3"}}
	s := hostile.Answers(hostile.Status(200, `[{"id":7}]`, "X-Total-Count", "9"))
	list := func() List[number] {
		return List[number](engine.List(atVersion(newTest(t, s), VersionV1), engine.ListSpec{Path: "/numbers", Query: filter, SinceID: true}))
	}
	page, err := list().Page(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for place, want := range map[string]string{
		"page=7":                               "offset=3&page=7&since_id=5&status=open",
		"page=7&per_page=200":                  "offset=3&page=7&per_page=200&since_id=5&status=open",
		"since_id=6":                           "offset=3&since_id=6&status=open",
		"cursor=x&read=4&total=9&empty=1":      "cursor=x&offset=3&since_id=5&status=open",
		"":                                     "offset=3&since_id=5&status=open",
		"status=any":                           "",
		"page=7&status=any":                    "",
		"page=7&q=x":                           "",
		"page=7&page=8":                        "",
		"page=-7":                              "",
		"page=":                                "",
		"page=7&fields=email":                  "",
		"per_page=201":                         "",
		"per_page=0":                           "",
		"since_id=4":                           "",
		"since_id=x":                           "",
		"since_id=6%26status%3Dany":            "",
		"offset=0":                             "",
		"read=-1":                              "",
		"read=99999999999999999999":            "",
		"empty=-1":                             "",
		"total=-1":                             "",
		"held=x":                               "",
		"page=%zz":                             "",
		"page=7;status=any":                    "",
		"page=7 " + "page=8":                   "",
		"page=7&" + strings.Repeat("x", 1<<17): "",
	} {
		s.Seen = nil
		_, err := list().After(forged(t, page.Cursor, place)).Page(t.Context())
		if want == "" {
			if !errors.Is(err, ErrValidation) || len(s.Seen) > 0 || len(err.Error()) > 200 {
				t.Errorf("%.60s: got %.300v after %d requests, want a refusal", place, err, len(s.Seen))
			}
			continue
		}
		if err != nil || s.Seen[0].URL.RawQuery != want {
			t.Errorf("%s: got %v, asked for %s; want %s", place, err, s.Seen[0].URL.RawQuery, want)
		}
	}
	old := base64.RawURLEncoding.EncodeToString([]byte("1 v1/123/numbers page=2&status=open"))
	if _, err := list().After(old).Page(t.Context()); !errors.Is(err, ErrValidation) || !strings.Contains(err.Error(), "0.1.0") {
		t.Errorf("a cursor of 0.1.0: got %v", err)
	}
}

// A cursor by since_id was once possible only with a link to it, and resumes in a page of the same list.
func TestCursorOfLinkedIDs(t *testing.T) {
	s := hostile.Answers(hostile.Status(200, `[{"id":1},{"id":2}]`, "Link", `<?since_id=2>; rel="next"`), hostile.Status(200, `[{"id":3}]`))
	l := numbersList(t, s, Paging{PerPage: 2})
	page, err := l.Page(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := ids(t, l.After(page.Cursor).All(t.Context())); len(got) != 1 || s.Seen[1].URL.RawQuery != "per_page=2&since_id=2" {
		t.Errorf("got %v, asked for %s", got, s.Seen[1].URL.RawQuery)
	}
}

// TestForgedCrawlCursor: windows outside the filter of the crawl are rejected, and so is one that leaves out its end.
func TestForgedCrawlCursor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		at := time.Date(2024, 5, 8, 10, 0, 0, 0, time.UTC)
		filter := OrderFilter{Window: Window{CreatedMin: at, CreatedMax: at.Add(time.Hour)}, SinceID: 5}
		requests := 0
		service := (*OrderService)(atVersion(newTest(t, hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
			requests++
			return hostile.Status(200, `[]`)(r)
		})), VersionV1))
		crawl := service.Crawl(filter)
		cursor := crawl.core.writeCursor([]span{{at, at.Add(time.Hour), 5}})
		window := func(edges ...string) string {
			q := url.Values{}
			for i := 0; i+2 < len(edges); i += 3 {
				q.Add("since_id", edges[i])
				q.Add("window", edges[i+1]+"/"+edges[i+2])
			}
			return q.Encode()
		}
		const before, from, middle, to, after = "2024-05-08T09:59:59Z", "2024-05-08T10:00:00Z", "2024-05-08T10:30:00Z", "2024-05-08T11:00:00Z", "2024-05-08T11:00:01Z"
		for _, test := range []struct {
			place string
			good  bool
		}{
			{window("5", from, to), true},
			{window("9", middle, to), true},
			{window("9", from, middle, "5", middle, to), true},
			{window("4", from, to), false},
			{window("5", before, to), false},
			{window("5", from, after), false},
			{window("5", "", to), false},
			{window("5", from, ""), false},
			{window("5", "", ""), false},
			{window("5", from, middle), false},
			{window("5", to, from), false},
			{window("5", middle, middle), false},
			{window("5", from, middle, "5", from, to), false},
			{window("5", from, middle, "5", middle+"x", to), false},
			{window("5", from, middle, "4", middle, to), false},
			{window("x", from, to), false},
			{"window=" + url.QueryEscape(from+"/"+to), false},
			{"", false},
			{"page=2", false},
		} {
			requests = 0
			var failed error
			for _, err := range crawl.After(forged(t, cursor, test.place)).All(t.Context()) {
				failed = err
			}
			if errors.Is(failed, ErrValidation) == test.good || test.good == (requests == 0) {
				t.Errorf("%s: got %v after %d requests, want it accepted: %v", test.place, failed, requests, test.good)
			}
		}
		for name, f := range map[string]OrderFilter{
			"no window": {SinceID: 5}, "another window": {Window: Window{CreatedMin: at, CreatedMax: at.Add(2 * time.Hour)}, SinceID: 5},
			"status": {Window: filter.Window, SinceID: 5, Status: "open"}, "since_id": {Window: filter.Window},
		} {
			for _, err := range service.Crawl(f).After(cursor).All(t.Context()) {
				if !errors.Is(err, ErrValidation) || !strings.Contains(err.Error(), "the same filter") {
					t.Errorf("another %s: got %v", name, err)
				}
			}
		}
		old := base64.RawURLEncoding.EncodeToString([]byte("1 v1/123/orders/crawl since_id=0&window=%2F"))
		for _, err := range service.Crawl(OrderFilter{}).After(old).All(t.Context()) {
			if !errors.Is(err, ErrValidation) {
				t.Errorf("a cursor of 0.1.0: got %v", err)
			}
		}
	})
}
