package deviate

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// links returns the deviations of the Link header. The group links removes relations, the group link writes them in
// another way.
func links() []Deviation {
	const any = `<https://status.example/v3?a=1,2;3&page=99>`
	foreign := []string{
		any + `; rel="deprecation"; type="text/html"`, `</style.css?page=7>; rel=preload; as=style; nopush`, `<https://api.example/sunset>; rel="sunset"; title="ends 2030; see page, below"`,
	}
	return []Deviation{
		{Name: "no Link", Group: "links", change: changeLinks(func([]link) []string { return nil })},
		{Name: "foreign links instead of Link", Group: "links", change: changeLinks(func([]link) []string { return foreign })},
		{Name: "no last, no first", Group: "relations", Without: []string{"links"}, change: changeLinks(func(all []link) []string {
			return printed(slices.DeleteFunc(all, func(l link) bool { return l.rel == "last" || l.rel == "first" }))
		})},
		{Name: "foreign links in front", Group: "foreign", change: addLinks(func(own []string) []string { return append(slices.Clone(foreign), own...) })},
		{Name: "foreign links at the end", Group: "foreign", change: addLinks(func(own []string) []string { return append(own, foreign...) })},
		{Name: "self", Group: "foreign", change: addLinks(func(own []string) []string {
			return append([]string{`<https://platform.test/x?page=1&per_page=200>; rel="self"`, `<?page=1>; rel="up"`}, own...)
		})},
		{Name: "relations that are addresses", Group: "foreign", change: addLinks(func(own []string) []string {
			return append([]string{any + `; rel="https://api.example/rels/next"`, any + `; rel="https://api.example/rels/last http://x.example/,;first"`}, own...)
		})},
		{Name: "each link on a line", Group: "line", Without: []string{"links"}, change: func(a *answer, _ *rand.Rand) int {
			own := parseLinks(a.header.Values("Link"))
			a.header["Link"] = printed(own)
			if len(own) < 2 {
				return 0
			}
			return 1
		}},
		{Name: "empty elements in Link", Group: "line", Without: []string{"links"}, change: func(a *answer, _ *rand.Rand) int {
			if a.header.Get("Link") == "" {
				return 0
			}
			a.header.Set("Link", ", ,"+a.header.Get("Link")+" , ,")
			return 1
		}},
		formed("parameters in front of rel", func(l link) string {
			return fmt.Sprintf(`<%s>; title="next, prev; \"last\" <?page=9>; rel=x"; type="text/html"; rel="%s"`, l.target, l.rel)
		}),
		formed("parameters after rel", func(l link) string {
			return fmt.Sprintf(`<%s>;rel="%s";title*=UTF-8''n%%C3%%A4chste;media=all;anchor`, l.target, l.rel)
		}),
		formed("rel without quotes", func(l link) string { return fmt.Sprintf(`<%s>; rel=%s`, l.target, l.rel) }),
		formed("REL in upper case", func(l link) string { return fmt.Sprintf(`<%s>; REL="%s"`, l.target, strings.ToUpper(l.rel)) }),
		formed("white space in Link", func(l link) string { return fmt.Sprintf("<%s>\t ;  rel \t= \"%s\"  ", l.target, l.rel) }),
		formed("several relations in one rel", func(l link) string { return fmt.Sprintf(`<%s>; rel="x-page %s"`, l.target, l.rel) }),
		formed("the first rel counts", func(l link) string { return fmt.Sprintf(`<%s>; rel="%s"; rel="prev first next last"`, l.target, l.rel) }),
		formed("&amp; in targets", func(l link) string {
			return fmt.Sprintf(`<%s>; rel="%s"`, strings.ReplaceAll(l.target, "&", "&amp;"), l.rel)
		}),
		formed("targets on another host", func(l link) string {
			return fmt.Sprintf(`<http://10.0.0.7:8080/internal/%s>; rel="%s"`, l.query(), l.rel)
		}),
		formed("targets without a host", func(l link) string { return fmt.Sprintf(`</api/list%s>; rel="%s"`, l.query(), l.rel) }),
		formed("targets that are a query", func(l link) string { return fmt.Sprintf(`<%s>; rel="%s"`, l.query(), l.rel) }),
		formed("targets with an order of parameters and a fragment", func(l link) string {
			q := strings.Split(strings.TrimPrefix(l.query(), "?"), "&")
			slices.Reverse(q)
			return fmt.Sprintf(`<https://platform.test/list?%s#top>; rel="%s"`, strings.Join(q, "&"), l.rel)
		}),
	}
}

// link is one of a Link header as the reference server writes it.
type link struct{ target, rel string }

func (l link) String() string { return fmt.Sprintf(`<%s>; rel="%s"`, l.target, l.rel) }

// query returns the query of the target with its "?".
func (l link) query() string {
	_, q, _ := strings.Cut(l.target, "?")
	return "?" + q
}

// with returns the link with another parameter in its query.
func (l link) with(name, value string) link {
	u, err := url.Parse(l.target)
	if err != nil {
		return l
	}
	q := u.Query()
	q.Set(name, value)
	u.RawQuery = q.Encode()
	return link{u.String(), l.rel}
}

var plainLink = regexp.MustCompile(`<([^>]*)>; rel="(next|prev|first|last)"`)

// parseLinks returns the links of paging.
func parseLinks(lines []string) (all []link) {
	for _, m := range plainLink.FindAllStringSubmatch(strings.Join(lines, ", "), -1) {
		all = append(all, link{m[1], m[2]})
	}
	return all
}

func printed(all []link) []string {
	var out []string
	for _, l := range all {
		out = append(out, l.String())
	}
	return out
}

// changeLinks replaces the links of paging.
func changeLinks(f func([]link) []string) func(*answer, *rand.Rand) int {
	return func(a *answer, _ *rand.Rand) int {
		own := parseLinks(a.header.Values("Link"))
		if len(own) == 0 {
			return 0
		}
		a.header.Del("Link")
		if l := f(own); len(l) > 0 {
			a.header.Set("Link", strings.Join(l, ", "))
		}
		return 1
	}
}

// addLinks adds others, also to a response without links.
func addLinks(f func(own []string) []string) func(*answer, *rand.Rand) int {
	return func(a *answer, _ *rand.Rand) int {
		a.header.Set("Link", strings.Join(f(a.header.Values("Link")), ", "))
		return 1
	}
}

// formed writes each link of paging in another way, and leaves those of others.
func formed(name string, form func(link) string) Deviation {
	return Deviation{Name: name, Group: "link", Without: []string{"links"}, change: func(a *answer, _ *rand.Rand) (places int) {
		lines := a.header.Values("Link")
		for i, line := range lines {
			lines[i] = plainLink.ReplaceAllStringFunc(line, func(s string) string {
				m := plainLink.FindStringSubmatch(s)
				places++
				return form(link{m[1], m[2]})
			})
		}
		return places
	}}
}
