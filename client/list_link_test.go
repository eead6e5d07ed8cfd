package client

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestLinkHeaders(t *testing.T) {
	for _, test := range []struct{ header, want string }{
		{`<https://a.example/x?page=2>; rel="next", <https://a.example/x?page=9>; rel="last"`, "paging, next page 2, last 9"},
		{`<https://a.example/x?page=2&q=a%2Cb>;rel=next`, "paging, next page 2"},
		{`</x?page=3>; title="a, b; c"; REL="Next prev"`, "paging, next page 3"},
		{`</x?page=3>; title="say \"a\", <b>; rel=last"; rel="next"`, "paging, next page 3"},
		{`</x?page=3>; rel = "next" ; title=x`, "paging, next page 3"},
		{`</x?page=3>; rel='next'`, "paging, next page 3"},
		{`</x?a=<,;b&page=3>;rel=NEXT;rel=last`, "paging, next page 3"},
		{`</x?page=3>; rel="ne\xt"`, "paging, next page 3"},
		{`</x?page=3>; rel="item"; rel="next"`, ""},
		{`?page=2&amp;per_page=5>; rel="next"`, ""},
		{`<?per_page=5&amp;page=2>; rel="next"`, "paging, next page 2"},
		{`<?per_page=5&amp;amp;page=2>; rel="next"`, "paging, next page 2"},
		{`<?per_page=5&#38;page=2>; rel="next"`, "paging, next page 2"},
		{`<?page=1&page=2#page=7>; rel="next"`, "paging, next page 2"},
		{`<?page=-2>; rel="next"`, "paging, next"},
		{`<?page=99999999999999999999>; rel="next"`, "paging, next"},
		{`<?p%61ge=2>; rel="next"`, "paging, next page 2"},
		{`<?since_id=7&cursor=a%20b>; rel="next"`, "paging, next since 7 token a b"},
		{`<?since_id=-7&cursor=>; rel="next"`, "paging, next"},
		{`<>; rel="next"`, "paging, next"},
		{`<:>; rel=next`, "paging, next"},
		{`<?page=2>; rel="next", <?page=3>; rel="next"`, "paging, next page 2"},
		{`<?page=2>; rel="prev first"`, "paging"},
		{`<?page=2>; rel="deprecation"`, ""},
		{`<?page=2>; rel="sunset preload self https://example.com/next"`, ""},
		{`<?page=2>; rev="next"`, ""},
		{`<?page=2>; rel*="next"`, ""},
		{`<https://a.example/x?page=2`, ""},
		{"junk", ""},
		{`<?page=1>; rel="first"; title="no end, <?page=2>; rel="next"`, ""},
		{`<?page=2>; rel="next"; title="no end`, ""},
		{`<?page=2>; rel="next", <?page=3>; title="no end`, "paging, next page 2"},
		{", , <?page=2>; ; ;rel=next;, ,", "paging, next page 2"},
	} {
		links, err := parseLinks(t.Context(), []string{test.header})
		var got []string
		if links.paging {
			got = append(got, "paging")
		}
		if next := links.next; next != nil {
			s := "next"
			if next.page > 0 {
				s += fmt.Sprint(" page ", next.page)
			}
			if next.since > 0 {
				s += fmt.Sprint(" since ", next.since)
			}
			for _, token := range next.tokens {
				s += " token " + token
			}
			got = append(got, s)
		}
		if links.last > 0 {
			got = append(got, fmt.Sprint("last ", links.last))
		}
		if s := strings.Join(got, ", "); s != test.want || err != nil {
			t.Errorf("%s gave %q, %v; want %q", test.header, s, err, test.want)
		}
	}
}

// TestLinkHeaderIsBounded: a header of 20 KiB once took 602 MiB.
func TestLinkHeaderIsBounded(t *testing.T) {
	many := strings.Repeat(`</x?page=7>;rel=item,`, 50_000)
	for name, header := range map[string]string{
		"one relation many times":      "<?" + strings.Repeat("a=1&", 2500) + `page=2>; rel="` + strings.Repeat("next last ", 1000) + `"`,
		"many relations":               "<?" + strings.Repeat("a=1&", 2500) + `page=2>; rel="` + strings.Repeat("a b c d e ", 1000) + `next"`,
		"many links":                   strings.Repeat(`<?page=2>;rel=next,`, 1000),
		"many parameters":              "<?page=2>" + strings.Repeat(";a=b", 200_000) + ";rel=next",
		"quotes without an end":        "<?page=2>;rel=next," + strings.Repeat(`<x>;a=",`, 100_000),
		"entities":                     "<?a=1&" + strings.Repeat("amp;", 200_000) + "page=2>; rel=next",
		"commas":                       strings.Repeat(",", 1<<20) + "<?page=2>; rel=next",
		"tokens":                       "<?" + strings.Repeat("cursor=%41&", 100_000) + "page=2>; rel=next",
		"white space after every link": strings.Repeat("<?page=2>;rel=next"+strings.Repeat(" ", 10_000)+",", 90),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		links, err := parseLinks(t.Context(), []string{header})
		runtime.ReadMemStats(&after)
		if err != nil || links.next == nil || links.next.page != 2 {
			t.Errorf("%s: got %+v, %v; want page 2", name, links, err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 4*uint64(len(header))+4096 {
			t.Errorf("%s: %d bytes took %d bytes of memory, want at most 4 for each", name, len(header), took)
		}
	}
	if links, err := parseLinks(t.Context(), []string{many}); err == nil || links.next != nil {
		t.Errorf("100 links without next before others: got %+v, %v; want an error", links, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := parseLinks(ctx, slices.Repeat([]string{many}, 3)); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: got %v", err)
	}
}
