package deviate

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// pages returns the deviations in how a list is cut into pages. They change a request that names the size of its pages,
// and the answer looks as if the server had chosen the other size.
func pages() []Deviation {
	return []Deviation{
		capped("pages capped at 2", 2, false),
		capped("pages capped at 1", 1, false),
		capped("pages capped at 2, with links of the size that was asked for", 2, true),
		uneven("short pages in the middle", 2, 1),
		uneven("a short first page", 1, 2),
		uneven("an empty page in the middle", 2, 0),
		{Name: "[] after the last page", Group: "end", change: func(a *answer, _ *rand.Rand) int {
			if a.status != http.StatusNotFound || !lastPage.MatchString(string(a.body)) {
				return 0
			}
			a.status, a.json = http.StatusOK, &node{kind: '['}
			return 1
		}},
		{Name: "404 for an empty list", Group: "end", change: func(a *answer, _ *rand.Rand) int {
			list := a.list()
			if list == nil || len(list.items) > 0 || list != a.json || !paged(a.request.URL.Path) || a.header.Get("X-Total-Count") != "0" {
				return 0
			}
			a.status, a.json = http.StatusNotFound, noPage(0)
			return 1
		}},
	}
}

var lastPage = regexp.MustCompile(`"Last page is \d+"`)

// sizeOf returns the size of pages that a request names, and false if it names none.
func sizeOf(q url.Values) (int, bool) {
	n, err := strconv.Atoi(q.Get("per_page"))
	return n, err == nil && n > 0
}

func setQuery(q *http.Request, values url.Values) {
	u := *q.URL
	u.RawQuery = values.Encode()
	q.URL = &u
}

// capped is a server that gives at most n records on a page.
func capped(name string, n int, asAsked bool) Deviation {
	return Deviation{
		Name: name, Group: "pages", Steady: true,
		ask: func(q *http.Request) bool {
			values := q.URL.Query()
			if size, ok := sizeOf(values); !ok || size <= n || q.Method != http.MethodGet {
				return false
			}
			values.Set("per_page", strconv.Itoa(n))
			setQuery(q, values)
			return true
		},
		change: func(a *answer, _ *rand.Rand) int {
			if asAsked {
				changeLinks(func(all []link) []string {
					for i, l := range all {
						all[i] = l.with("per_page", a.request.URL.Query().Get("per_page"))
					}
					return printed(all)
				})(a, nil)
			}
			if list := a.list(); list == nil || len(list.items) < n {
				return 0
			}
			return 1
		},
	}
}

// uneven is a server with pages of these sizes in turn, such as one that filters what it has read from its database.
func uneven(name string, sizes ...int) Deviation {
	block := 0
	for _, n := range sizes {
		block += n
	}
	d := Deviation{Name: name, Group: "pages", Steady: true}
	if slices.Contains(sizes, 0) {
		d.Without = []string{"links"} // without them an empty page is the end
	}
	// at returns which of the blocks a page belongs to, and which page of the block it is, both from 0.
	at := func(q url.Values) (whole, part int) {
		n, err := strconv.Atoi(q.Get("page"))
		if err != nil || n < 1 {
			n = 1
		}
		return (n - 1) / len(sizes), (n - 1) % len(sizes)
	}
	d.ask = func(q *http.Request) bool {
		values := q.URL.Query()
		if size, ok := sizeOf(values); !ok || size < block || q.Method != http.MethodGet {
			return false
		}
		whole, _ := at(values)
		values.Set("per_page", strconv.Itoa(block))
		values.Set("page", strconv.Itoa(whole+1))
		setQuery(q, values)
		return true
	}
	d.change = func(a *answer, _ *rand.Rand) int {
		list := a.list()
		total, err := strconv.Atoi(a.header.Get("X-Total-Count"))
		if err != nil || list == nil || len(list.items) > block {
			return 0
		}
		last := total / block * len(sizes)
		for left, i := total%block, 0; left > 0; i++ {
			left -= sizes[i]
			last++
		}
		if total%block == 0 && sizes[len(sizes)-1] == 0 {
			last-- // the list does not end with an empty page
		}
		values := a.request.URL.Query()
		whole, part := at(values)
		page := whole*len(sizes) + part + 1
		if page > last && list == a.json {
			a.status, a.json = http.StatusNotFound, noPage(last)
			a.header.Del("Link")
			return 0
		}
		from := 0
		for _, n := range sizes[:part] {
			from += n
		}
		list.items = list.items[min(from, len(list.items)):min(from+sizes[part], len(list.items))]
		a.json.each(func(at place, n *node) {
			switch {
			case at.parent == nil || at.parent.member("results") != list || n.kind != '0':
			case at.name == "page":
				n.text = strconv.Itoa(page)
			case at.name == "lastPage":
				n.text = strconv.Itoa(last)
			}
		})
		if a.header.Get("Link") != "" {
			here := link{target: "https://" + a.request.URL.Host + a.request.URL.Path + "?" + values.Encode()}
			a.header.Set("Link", strings.Join(printed(around(here, page, last)), ", "))
		}
		if page >= last {
			return 0
		}
		return 1
	}
	return d
}

// around returns the links of a page.
func around(here link, page, last int) (all []link) {
	for _, to := range []struct {
		rel    string
		page   int
		exists bool
	}{{"next", page + 1, page < last}, {"last", last, true}, {"first", 1, true}, {"prev", page - 1, page > 1}} {
		if to.exists {
			all = append(all, link{here.with("page", strconv.Itoa(to.page)).target, to.rel})
		}
	}
	return all
}

// noPage is the body of the 404 for a page after the last one.
func noPage(last int) *node {
	return parse(fmt.Appendf(nil, `{"code":404,"message":"Not Found","description":"Last page is %d"}`, last))
}

// totals returns the deviations of the number of records that a list has.
func totals() []Deviation {
	return []Deviation{
		total("no total", ""),
		total("a negative total", "-1"),
		total("a total of 0 with records", "0"),
		total("the greatest total", "9223372036854775807"),
		total("a total beyond 64 bits", "99999999999999999999"),
		total("a total that is not a number", "many"),
		total("a total of a million", "1000000", "links", "relations", "pages"), // which could be true without a last page
	}
}

// total replaces the total of a list with records; "" removes it.
func total(name, value string, without ...string) Deviation {
	return Deviation{Name: name, Group: "total", HidesTotal: true, Without: without, change: func(a *answer, _ *rand.Rand) (places int) {
		list := a.list()
		if list == nil || len(list.items) == 0 {
			return 0
		}
		if a.header.Get("X-Total-Count") != "" {
			a.header.Del("X-Total-Count")
			if value != "" {
				a.header.Set("X-Total-Count", value)
			}
			places++
		}
		a.json.each(func(_ place, n *node) {
			i := slices.IndexFunc(n.members, func(m member) bool { return m.name == "total" })
			if i < 0 || n.member("results") != list {
				return
			}
			places++
			switch _, err := strconv.ParseFloat(value, 64); {
			case value == "":
				n.members = slices.Delete(n.members, i, i+1)
			case err != nil:
				n.members[i].value = text(value)
			default:
				n.members[i].value = number(value)
			}
		})
		return places
	}}
}
