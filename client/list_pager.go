package client

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"strconv"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Bounds of lists that a broken server would make endless.
const (
	maxEmptyPages = 100 // consecutive pages without items that name a next page
	// maxHiddenPages bounds those after which only the total or the last page number implies a next page. Some servers
	// hide records after they have paged them.
	maxHiddenPages = 3
	maxAlikePages  = 10_000 // consecutive pages with the same items, which pages of chosen fields may have
)

// pager reads a list page by page. It alone decides where a list continues, for every way to read one.
type pager struct {
	list   *listing
	byID   bool // it continues by since_id; total and page number count from there
	read   int  // number of items so far, including unreadable ones
	known  bool // read counts from the beginning of the list
	total  int  // of the previous page; -1 if unknown
	size   int  // of the largest page so far
	linked bool // the Link header of a page named other pages
	hinted bool // only the total or the last page number implies a next page
	moved  bool // a link led to another since_id or a token, without page numbers
	token  bool // a link led to a token
	empty  int  // consecutive pages without items
	alike  int  // consecutive pages with the same items
	mark   uint64
	held   string          // identifies the records of the previous page, for a list without pages
	asked  map[string]bool // the tokens so far; nothing else orders them
	place  string          // of the list, for cursors
}

// pager returns a pager that begins at the page that the list selects.
func (l *listing) pager() *pager {
	if l.resumed != nil {
		at := l.resumed
		moved := !at.values.Has("page")
		return &pager{
			list: l, read: max(0, at.read), known: at.read >= 0, total: at.total, linked: at.linked, size: at.size, empty: at.empty,
			held: at.held, hinted: at.held != "", moved: moved, token: moved && !at.values.Has("since_id"),
		}
	}
	return &pager{list: l, known: pageNumber(l.Query) <= 1, total: -1}
}

// run yields the pages from the one that values select.
func (p *pager) run(ctx context.Context, values url.Values, yield func(*listPage, error) bool) {
	for values != nil {
		page, err := p.list.fetch(ctx, values)
		values = p.give(page, err, values, yield)
	}
}

// give yields a page and returns the parameters of the next one; nil at the end.
func (p *pager) give(page *listPage, err error, values url.Values, yield func(*listPage, error) bool) url.Values {
	if page == nil {
		yield(nil, err)
		return nil
	}
	if p.repeats(page, values) {
		if !p.list.Whole || !p.hinted { // a list without pages was complete, so its total is wrong
			yield(nil, fmt.Errorf("GET %s: the link to the next page leads to a page that was already read, so the list is not complete", p.list.Path))
		}
		return nil
	}
	lost := p.follow(page, values)
	if !yield(page, err) {
		return nil
	}
	if lost != nil {
		yield(nil, lost)
		return nil
	}
	return page.next
}

// follow sets where the list continues after the page of values. An error means that the list continues at an unknown
// position, or forever.
func (p *pager) follow(page *listPage, values url.Values) (err error) {
	p.read += page.got
	p.size = max(p.size, page.got)
	if page.got > 0 {
		p.empty = 0
	} else if p.empty++; p.empty >= maxEmptyPages && page.links.next.names() {
		return fmt.Errorf("GET %s: %d pages in a row have no records, and the last one links to another, so the list is not complete", p.list.Path, p.empty)
	}
	page.more = p.continues(page)
	p.total = page.total
	p.linked = p.linked || page.links.paging
	if !page.more || p.byID && page.got > 0 {
		return nil
	}
	if page.next, err = p.after(page, values); err != nil {
		page.more = false
		return err
	}
	if p.byID {
		return nil
	}
	if p.held = ""; p.list.Whole && p.hinted {
		p.held = digest(page.items)
	}
	page.cursor = p.cursor(page.next)
	return nil
}

// continues reports whether there is a page after this one. The relations of the Link header decide. Without them the
// total decides. Without a plausible total, an empty page is the end.
func (p *pager) continues(page *listPage) bool {
	links, left := page.links, page.total-p.read
	p.hinted = false
	switch {
	case page.gone:
		return false
	case links.next != nil:
		return page.got > 0 || links.next.names() // ignore a link without a position
	case links.last > page.number && (p.byID || !p.moved):
		p.hinted = page.got > 0 || p.empty <= maxHiddenPages // a last page after this one implies a next page
		return p.hinted
	case links.paging:
		return false
	case page.got == 0: // a page in the middle may be empty, if the pages up to it cannot hold the total
		return p.known && p.empty <= maxHiddenPages && left > 0 && page.number*max(1, p.size) < page.total
	case page.total >= 0 && p.known && left > 0:
		p.hinted = true
		return true
	case left == 0 && p.known && (p.total < 0 || p.total == page.total): // a total that changes is not the end
		return false
	case p.list.Whole:
		return false
	case p.linked && (p.token || page.got < p.size): // earlier pages had links, and this one is short
		return false
	}
	return true
}

// after returns the parameters of the page after this one. They are those of the list, at the position of the link, or
// at the next number without a link.
func (p *pager) after(page *listPage, values url.Values) (url.Values, error) {
	next, link := maps.Clone(values), page.links.next
	if link == nil {
		link = &linkPlace{}
	}
	own := p.list.Query
	tokens := make(url.Values)
	for name, token := range link.tokens {
		if !own.Has(name) { // a parameter of the filter is not a place
			tokens.Set(name, token)
		}
	}
	maps.Copy(next, tokens)
	since := sinceOf(values)
	switch {
	case link.since > since && link.page <= 1:
		p.moved = true
		next.Del("page")
		next.Set("since_id", link.since.String())
	case link.page > 0:
		if link.page != page.number+1 || link.since > since {
			return nil, p.astray(fmt.Sprintf("page %d after page %d", link.page, page.number))
		}
		next.Set("page", strconv.Itoa(link.page))
	case len(tokens) > 0:
		p.moved, p.token = true, true
		next.Del("page")
		key := next.Encode()
		if p.asked[key] || key == values.Encode() {
			return nil, p.astray("a page that was read already")
		}
		if p.asked == nil {
			p.asked = make(map[string]bool)
		}
		p.asked[key] = true
	default:
		next.Set("page", strconv.Itoa(page.number+1))
	}
	return next, nil
}

func (p *pager) astray(to string) error {
	return fmt.Errorf("GET %s: the link to the next page leads to %s: it must lead to the page after the one that has it", p.list.Path, to)
}

// repeats reports whether the page equals the page before, because the server ignores the paging. With chosen fields,
// different pages can look equal if no field distinguishes the records. In that case the paging information of the
// platform decides, up to a bound.
func (p *pager) repeats(page *listPage, values url.Values) bool {
	if p.held != "" && p.held == digest(page.items) {
		return true
	}
	if page.mark == 0 || page.mark != p.mark {
		p.mark, p.alike = page.mark, 0
		return false
	}
	p.alike++
	told := page.links.paging || p.known && page.total >= p.read+page.got
	return !values.Has("fields") || !told || p.alike >= maxAlikePages
}

// digest identifies records, however the platform formats them, also in another process.
func digest(records reflect.Value) string {
	data, err := wire.Marshal(records.Interface())
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(data)
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}
