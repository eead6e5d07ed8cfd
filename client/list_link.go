package client

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// maxLinks is the maximum number of links of a response that are read.
const maxLinks = 100

// pagingLinks is the paging information in the Link header of a response. Other relations, such as deprecation, are
// ignored.
type pagingLinks struct {
	paging bool       // there is a relation next, prev, first or last
	next   *linkPlace // nil if there is none
	last   int        // the number of the last page; 0 if unknown
}

// linkPlace is the position that a link leads to. Nothing else of a link is used. Its host, its path and its filter are
// ignored.
type linkPlace struct {
	page   int // 0 if unset
	since  ID  // 0 if unset
	tokens map[string]string
}

// names reports whether the link exists and names a position.
func (p *linkPlace) names() bool {
	return p != nil && (p.page > 0 || p.since > 0 || len(p.tokens) > 0)
}

// isToken reports whether a parameter is a position in a form that only the platform understands.
func isToken(name string) bool {
	switch name {
	case "after", "cursor", "offset", "page_info", "page_token":
		return true
	}
	return false
}

// parseLinks reads Link headers (RFC 8288). The work is linear in their length, and ends with ctx. A malformed header
// is ignored, unless it has a relation next.
func parseLinks(ctx context.Context, headers []string) (pagingLinks, error) {
	var links pagingLinks
	links.last = -1
	broken, seen := false, 0
	for _, header := range headers {
		for header = strings.TrimLeft(header, " \t,"); header != ""; header = strings.TrimLeft(header, " \t,") {
			if seen++; seen > maxLinks {
				if links.next == nil {
					return pagingLinks{}, fmt.Errorf("the Link header has more than %d links, and none of the first is next", maxLinks)
				}
				break
			}
			if err := ctx.Err(); err != nil {
				return pagingLinks{}, err
			}
			var target, rel string
			var ok bool
			if target, rel, header, ok = cutLink(header); !ok {
				broken = true
				break
			}
			links.add(target, rel)
		}
	}
	links.last = max(0, links.last)
	if broken && links.next == nil {
		return pagingLinks{}, nil
	}
	return links, nil
}

// add adds the relations of a link. The first link of each relation counts.
func (l *pagingLinks) add(target, rel string) {
	for name := range strings.FieldsSeq(rel) {
		switch {
		case strings.EqualFold(name, "next"):
			l.paging = true
			if l.next == nil {
				place := placeOf(target)
				l.next = &place
			}
		case strings.EqualFold(name, "last"):
			l.paging = true
			if l.last < 0 {
				l.last = placeOf(target).page
			}
		case strings.EqualFold(name, "prev"), strings.EqualFold(name, "first"):
			l.paging = true
		}
	}
}

// placeOf reads the position from the query of a target. A target from an HTML page may have "&amp;" instead of "&".
// The last of several values counts.
func placeOf(target string) (p linkPlace) {
	target = strings.ReplaceAll(strings.ReplaceAll(target, "&#38;", "&"), "&#x26;", "&")
	target, _, _ = strings.Cut(target, "#")
	_, query, _ := strings.Cut(target, "?")
	for pair := range strings.SplitSeq(query, "&") {
		for strings.HasPrefix(pair, "amp;") {
			pair = pair[len("amp;"):]
		}
		name, value, _ := strings.Cut(pair, "=")
		name, nameErr := url.QueryUnescape(name)
		value, err := url.QueryUnescape(value)
		if nameErr != nil || err != nil || value == "" {
			continue
		}
		switch {
		case name == "page":
			if n, err := strconv.Atoi(value); err == nil && n > 0 {
				p.page = n
			}
		case name == "since_id":
			if id, err := ParseID(value); err == nil && id > 0 {
				p.since = id
			}
		case isToken(name):
			if p.tokens == nil {
				p.tokens = make(map[string]string)
			}
			p.tokens[name] = value
		}
	}
	return p
}

// cutLink removes the first link from a header. It returns the target of the link, its first parameter rel, and the
// rest of the header.
func cutLink(header string) (target, rel, rest string, ok bool) {
	_, header, _ = strings.Cut(header, "<")
	target, header, ok = strings.Cut(header, ">")
	if !ok {
		return "", "", "", false
	}
	found := false
	for {
		header = strings.TrimLeft(header, " \t")
		if header == "" || header[0] == ',' {
			return target, rel, strings.TrimPrefix(header, ","), true
		}
		var name, value string
		if name, value, header, ok = cutParam(strings.TrimPrefix(header, ";")); !ok {
			return "", "", "", false
		}
		if !found && strings.EqualFold(name, "rel") {
			rel, found = value, true
		}
	}
}

// cutParam removes the first parameter from the parameters of a link. It fails if a quoted value has no end, or ends
// before the end of the parameter.
func cutParam(params string) (name, value, rest string, ok bool) {
	end := strings.IndexAny(params, "=;,")
	if end < 0 {
		return strings.TrimSpace(params), "", "", true
	}
	name, rest = strings.TrimSpace(params[:end]), params[end:]
	if rest[0] != '=' {
		return name, "", rest, true
	}
	rest = strings.TrimLeft(rest[1:], " \t")
	if !strings.HasPrefix(rest, `"`) {
		if end = strings.IndexAny(rest, ";,"); end < 0 {
			end = len(rest)
		}
		return name, strings.Trim(rest[:end], " \t'"), rest[end:], true
	}
	for i := 1; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			i++
		case '"':
			value, rest = strings.ReplaceAll(rest[1:i], `\`, ""), strings.TrimLeft(rest[i+1:], " \t")
			return name, value, rest, rest == "" || rest[0] == ';' || rest[0] == ','
		}
	}
	return "", "", "", false
}
