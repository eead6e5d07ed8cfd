package client

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/hostile"
	"github.com/commerceplatform/commerce-go/internal/tier"
)

// shelves is a platform with the records 1 to n, which deviates in how it pages them.
type shelves struct {
	n      int
	form   string // of the body: "array", "envelope", "nested", "whole" or "levels"
	sizes  []int  // of the pages, in turn; they are not larger than what is asked for
	empty  bool   // 200 [] past the last page, and not 404
	change func(*shownPage)

	mu       sync.Mutex
	requests []url.Values
}

// shownPage is one page of shelves before it is written.
type shownPage struct {
	query              url.Values
	number, last, left int // left counts the records of the query
	items              []string
	totals             []string // X-Total-Count
	beside             string   // the total in an envelope
	links              []string // Link
	status             int
}

// link returns a link of the Link header.
func (s *shownPage) link(page int, rel string) string {
	q, _ := url.ParseQuery(s.query.Encode())
	q.Set("page", strconv.Itoa(page))
	return fmt.Sprintf(`<https://api.example.com/v1/123/numbers?%s>; rel="%s"`, q.Encode(), rel)
}

// relations writes the links of some relations in a form.
func (s *shownPage) relations(format string, rels ...string) {
	s.links = nil
	for _, rel := range rels {
		page := map[string]int{"next": s.number + 1, "prev": s.number - 1, "first": 1, "last": s.last}[rel]
		if rel == "next" && s.number >= s.last || rel == "prev" && s.number == 1 {
			continue
		}
		s.links = append(s.links, fmt.Sprintf(format, page, rel))
	}
}

func (s *shelves) RoundTrip(r *http.Request) (*http.Response, error) {
	q := r.URL.Query()
	s.mu.Lock()
	s.requests = append(s.requests, q)
	s.mu.Unlock()
	asked := func(name string, unset int) int {
		if n, err := strconv.Atoi(q.Get(name)); err == nil && n > 0 {
			return n
		}
		return unset
	}
	size, since := min(asked("per_page", 30), MaxPerPage), asked("since_id", 0)
	if s.form == "whole" {
		size = s.n + 1
		q.Del("page")
	}
	page := &shownPage{query: q, number: max(1, asked("page", 1)), left: max(0, s.n-since), status: 200}
	from := since
	for i := 0; from < s.n || i < page.number; i++ {
		length := size
		if len(s.sizes) > 0 {
			length = min(size, s.sizes[(i+since)%len(s.sizes)])
		}
		if i+1 == page.number {
			for id := from + 1; id <= min(from+length, s.n); id++ {
				page.items = append(page.items, fmt.Sprintf(`{"id":%d,"created_at":"2024-05-08T10:00:00Z","updated_at":"2024-05-08T10:00:00Z"}`, id))
			}
		}
		from += length
		page.last = i + 1
		if from >= s.n && page.last >= page.number {
			break
		}
	}
	if s.n <= since {
		page.last = 0
	}
	if len(page.items) == 0 && len(s.sizes) == 0 && page.number > 1 {
		page.last = (page.left + size - 1) / size
	}
	page.totals, page.beside = []string{strconv.Itoa(page.left)}, strconv.Itoa(page.left)
	if page.last > 0 && s.form != "whole" {
		page.relations(`<https://api.example.com/v1/123/numbers?page=%d&per_page=200>; rel="%s"`, "first", "prev", "next", "last")
	}
	if s.change != nil {
		s.change(page)
	}
	if page.number > page.last && !s.empty && s.form != "whole" {
		return hostile.Status(404, fmt.Sprintf(`{"code":404,"message":"Not Found","description":"Last page is %d"}`, page.last))(r)
	}
	var headers []string
	for _, link := range page.links {
		headers = append(headers, "Link", link)
	}
	for _, total := range page.totals {
		headers = append(headers, "X-Total-Count", total)
	}
	body := "[" + strings.Join(page.items, ",") + "]"
	switch s.form {
	case "envelope":
		body = fmt.Sprintf(`{"total":%s,"page":%d,"results":%s}`, page.beside, page.number, body)
	case "nested":
		body = fmt.Sprintf(`{"pages":{"results":%s,"total":%s}}`, body, page.beside)
	}
	return hostile.Status(page.status, body, headers...)(r)
}

// marked is a record with the times that a crawl and a sync go by.
type marked struct {
	ID        ID   `json:"id"`
	UpdatedAt Time `json:"updated_at"`
}

// list is the list of a platform.
func (s *shelves) list(t *testing.T) List[marked] {
	spec := engine.ListSpec{Path: "/numbers", SinceID: true}
	switch s.form {
	case "envelope":
		spec.Envelope, spec.Total = []string{"results"}, "total"
	case "nested":
		spec.Envelope, spec.Total = []string{"pages", "results"}, "total"
	case "whole":
		spec.Whole = true
	}
	return listOf[marked](atVersion(newTest(t, s), VersionV1), newQuery(), spec)
}

// ways are all ways to read a list, each with the ids that it gave before the error.
func (s *shelves) ways(t *testing.T) map[string]func() ([]ID, error) {
	each := func(seq func() iter.Seq2[*marked, error]) func() ([]ID, error) {
		return func() (got []ID, failed error) {
			for record, err := range seq() {
				if failed = err; err != nil {
					break
				}
				if got = append(got, record.ID); len(got) > 3*s.n+10 {
					return got, errors.New("the list has no end")
				}
			}
			return got, failed
		}
	}
	ctx, l := t.Context(), s.list(t)
	pages := func(each func(Page[marked]) bool) error {
		for page, err := range l.Pages(ctx) {
			if err != nil || !each(*page) {
				return err
			}
		}
		return nil
	}
	ways := map[string]func() ([]ID, error){
		"All":      each(func() iter.Seq2[*marked, error] { return l.All(ctx) }),
		"Ahead(1)": each(func() iter.Seq2[*marked, error] { return l.Ahead(ctx, 1) }),
		"Ahead(4)": each(func() iter.Seq2[*marked, error] { return l.Ahead(ctx, 4) }),
		"Collect": func() (got []ID, err error) {
			all, err := l.Collect(ctx)
			for _, record := range all {
				got = append(got, record.ID)
			}
			return got, err
		},
		"Pages": func() (got []ID, err error) {
			err = pages(func(p Page[marked]) bool {
				for _, record := range p.Items {
					got = append(got, record.ID)
				}
				return true
			})
			return got, err
		},
		"cursors": func() (got []ID, err error) { // each page by a process of its own
			for at := l; ; {
				page, err := at.Page(ctx)
				if err != nil || len(got) > 3*s.n {
					return got, err
				}
				for _, record := range page.Items {
					got = append(got, record.ID)
				}
				if !page.Next() {
					return got, nil
				}
				at = l.After(page.Cursor)
			}
		},
	}
	if s.form == "array" {
		ways["Since"] = each(func() iter.Seq2[*marked, error] { return l.Since(ctx, 0) })
		ways["Sync"] = each(func() iter.Seq2[*marked, error] { return l.UpdatedSince(time.Time{}).All(ctx) })
		ways["Crawl"] = func() (got []ID, failed error) {
			for order, err := range (*OrderService)(atVersion(newTest(t, s), VersionV1)).Crawl(OrderFilter{}).All(ctx) {
				if failed = err; err != nil {
					break
				}
				got = append(got, order.ID)
			}
			return got, failed
		}
	}
	return ways
}

// TestProofListEnds: every record comes once, or there is an error, of every form of a list, in every way to read it,
// whatever the platform says of pages. In make test one list of 24 is read, chosen by chance.
func TestProofListEnds(t *testing.T) {
	random, oneOf := rand.New(rand.NewPCG(Seed(t), 0)), tier.Unwatched(24, 1, 1)
	noLinks := func(s *shownPage) { s.links = nil }
	noTotal := func(s *shownPage) { s.totals, s.beside = nil, "null" }
	total := func(of func(*shownPage) []string) func(*shownPage) {
		return func(s *shownPage) {
			s.totals = of(s)
			s.beside = strconv.Quote(slices.Concat(s.totals, []string{""})[0])
		}
	}
	constant := func(totals ...string) func(*shownPage) { return total(func(*shownPage) []string { return totals }) }
	format := func(format string, rels ...string) func(*shownPage) {
		return func(s *shownPage) {
			if s.links != nil {
				s.relations(format, rels...)
			}
		}
	}
	all := []string{"first", "prev", "next", "last"}
	const usual = `<https://api.example.com/v1/123/numbers?page=%d>; rel="%s"`
	foreign := func(s *shownPage) {
		s.links = append([]string{`<https://example.com/page?page=1>; rel="deprecation"; type="text/html"`, `<https://example.com/x>; rel="preload https://example.com/next self"`}, s.links...)
	}
	both := func(f ...func(*shownPage)) func(*shownPage) {
		return func(s *shownPage) {
			for _, f := range f {
				f(s)
			}
		}
	}
	var deviations = map[string]func(*shownPage){
		"none":                              nil,
		"no links":                          noLinks,
		"no total":                          noTotal,
		"neither":                           both(noLinks, noTotal),
		"foreign relations":                 foreign,
		"foreign relations alone":           both(noLinks, foreign),
		"foreign relations alone, no total": both(noLinks, noTotal, foreign),
		"next alone":                        both(noTotal, format(usual, "next")),
		"next and prev":                     both(noTotal, format(usual, "next", "prev")),
		"no next, but last":                 both(noTotal, format(usual, "last")),
		"upper case": both(noTotal, func(s *shownPage) {
			s.links = strings.Split(strings.ToUpper(strings.Join(s.links, "\n")), "\n")
			s.lower()
		}),
		"all relations in one header": both(noTotal, func(s *shownPage) { s.links = []string{strings.Join(s.links, ",")} }),
		"several relations of a link": both(noTotal, format(`<?page=%d>; title="a, b; rel=\"last\""; rel="item %s"`, all...)),
		"entities":                    both(noTotal, format(`<?per_page=200&amp;page=%d>; rel="%s"`, all...)),
		"relative":                    both(noTotal, format(`<numbers?page=%d#x>; rel=%s`, all...)),
		"another host":                both(noTotal, format(`<//elsewhere.example/?q=1&page=%d>; rel=%s`, all...)),
		"another size":                both(noTotal, format(`<?page=%d&per_page=7>; rel=%s`, all...)),
		"links without a place":       both(noTotal, format(`<?p=%d>; rel=%s`, "next")),
		"a place that is no number":   both(noTotal, format(`<?page=x%d>; rel=%s`, "next", "first")),
		"last is too low":             both(noTotal, format(usual, "first", "next"), func(s *shownPage) { s.links = append(s.links, s.link(1, "last")) }),
		"last is too high":            both(noTotal, format(usual, "first", "next"), func(s *shownPage) { s.links = append(s.links, s.link(90, "last")) }),
		"a malformed header": both(noTotal, func(s *shownPage) {
			s.links = []string{s.link(1, "first") + `; title="a"b, ` + s.link(s.number+1, "next")}
		}),
		"total -1":                           both(noLinks, constant("-1")),
		"total 0":                            both(noLinks, constant("0")),
		"total huge":                         both(noLinks, constant("4611686018427387904")),
		"total beyond int64":                 both(noLinks, constant("99999999999999999999")),
		"total high":                         both(noLinks, constant("90000")),
		"total high, with links":             constant("90000"),
		"total with white space":             both(noLinks, total(func(s *shownPage) []string { return []string{" " + strconv.Itoa(s.left) + " "} })),
		"total with a fraction":              both(noLinks, total(func(s *shownPage) []string { return []string{strconv.Itoa(s.left) + ".0"} })),
		"total twice":                        both(noLinks, total(func(s *shownPage) []string { return []string{strconv.Itoa(s.left), strconv.Itoa(s.left)} })),
		"two totals":                         both(noLinks, total(func(s *shownPage) []string { return []string{"1", strconv.Itoa(s.left)} })),
		"total is text":                      both(noLinks, constant("many")),
		"total shrinks":                      both(noLinks, total(func(s *shownPage) []string { return []string{strconv.Itoa(s.left - 40*s.number)} })),
		"total grows":                        both(noLinks, total(func(s *shownPage) []string { return []string{strconv.Itoa(s.left + 40*s.number)} })),
		"204 where there is nothing to list": func(s *shownPage) { s.nothing() },
	}
	sizes := map[string][]int{"": nil, "capped": {50}, "short in the middle": {200, 120, 200}, "shrinking": {200, 100, 50, 25, 12, 6, 200}, "growing": {3, 70, 200}, "empty in the middle": {200, 0, 200}}
	for _, name := range slices.Sorted(maps.Keys(deviations)) {
		for _, how := range slices.Sorted(maps.Keys(sizes)) {
			pages := sizes[how]
			if how == "empty in the middle" && (strings.Contains(name, "total") && name != "no total" || strings.Contains(name, "neither") || strings.Contains(name, "without") ||
				strings.Contains(name, "alone") || strings.Contains(name, "no links") || strings.Contains(name, "no number") || strings.Contains(name, "malformed") || strings.Contains(name, "no next") || strings.Contains(name, "204")) {
				continue // nothing says that there is more, or only a total that does not hold
			}
			for _, form := range []string{"array", "envelope", "nested", "whole"} {
				for _, n := range []int{0, 1, 200, 450} {
					for _, empty := range []bool{false, true} {
						if pages != nil && (form != "array" || n < 200) || random.IntN(oneOf) > 0 {
							continue
						}
						s := &shelves{n: n, form: form, sizes: pages, empty: empty, change: deviations[name]}
						t.Run(fmt.Sprintf("%s/%s/%s/%d/%v", name, how, form, n, empty), func(t *testing.T) {
							synctest.Test(t, func(t *testing.T) { s.everyRecord(t, name, how) })
						})
					}
				}
			}
		}
	}
}

// everyRecord reads a list in every way.
func (s *shelves) everyRecord(t *testing.T, name, how string) {
	for way, read := range s.ways(t) {
		if name == "total high" && way == "Crawl" {
			continue // these orders have no windows: see TestCrawlOfAbsurdTotals
		}
		s.requests = nil
		if got, err := read(); err != nil || !slices.Equal(got, upTo(s.n)) && s.n > 0 || len(got) != s.n {
			t.Errorf("%s: got %d records, %v", way, len(got), err)
		}
		if most := 2*s.n/6 + 8; len(s.requests) > most {
			t.Errorf("%s: %d requests, want %d at most", way, len(s.requests), most)
		}
	}
}

// lower writes all but the relations in lower case again: the parameters of a link keep their case.
func (s *shownPage) lower() {
	for i, link := range s.links {
		target, rel, _ := strings.Cut(link, ">")
		s.links[i] = strings.ToLower(target) + ">" + rel
	}
}

// nothing makes an answer without a body of a page without records.
func (s *shownPage) nothing() {
	if len(s.items) == 0 {
		s.status, s.last = 204, s.number
		s.links = nil
	}
}
