package refserver

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"strconv"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// shapeList cuts the page that was asked for out of a list.
func (s *Server) shapeList(tx *world.Tx, c *call, l *api.List) error {
	paging := c.in.Op.Paging
	p := pageOf(&c.in, tx.Limits(), l.Len)
	c.header.Set("X-Total-Count", strconv.Itoa(l.Len))
	envelope := paging.Envelope
	if l.Envelope != nil {
		envelope = l.Envelope
	}
	if l.Len == 0 && !paging.Whole && !paging.EmptyOK {
		c.assume()
	}
	if p.Number > p.Last && !s.emptyAllowed(c.in.Op, p, envelope != nil) {
		return api.NotFound(fmt.Sprintf("Last page is %d", p.Last))
	}
	if !paging.Whole {
		if link := links(c.base(), c.in.Query, p); link != "" {
			c.header.Set("Link", link)
		}
	}
	from := min((p.Number-1)*p.Size, l.Len)
	fields := c.in.Texts("fields")
	items := make([][]byte, 0, p.Size)
	for i := from; i < min(from+p.Size, l.Len); i++ {
		item, err := s.shown.item(tx, c.in.Op.ID, l, i)
		if err != nil {
			return err
		}
		items = append(items, keepFields(item, fields))
	}
	if envelope == nil {
		c.answer.items = items
		return nil
	}
	p.Items = make([]any, len(items))
	for i, item := range items {
		p.Items[i] = json.RawMessage(item)
	}
	body, err := api.Encode(envelope(p))
	c.answer.body = body
	return err
}

// pageOf reads page and per_page. Anything but a positive number counts as absent, and a page size above the greatest
// is reduced without an error.
func pageOf(in *api.In, limits world.Limits, total int) api.Page {
	paging := in.Op.Paging
	p := api.Page{Total: total, Number: 1, Size: cmp.Or(paging.Default, limits.PageSize)}
	if paging.Whole {
		p.Size = max(total, 1)
	} else {
		if n, ok := in.Int("page"); ok && n > 0 {
			p.Number = int(min(n, 1<<30))
		}
		if n, ok := in.Int("per_page"); ok && n > 0 && !paging.Fixed {
			p.Size = int(min(n, int64(cmp.Or(paging.Max, limits.MaxPageSize))))
		}
	}
	p.Last = (total + p.Size - 1) / p.Size
	return p
}

// emptyAllowed reports whether a page with nothing on it is an answer. After the last page it is one only in an object
// of its own. Published programs read the list of webhooks and the lists below a record before they write to them, so
// these are answered while they are empty.
func (s *Server) emptyAllowed(op *api.Op, p api.Page, enveloped bool) bool {
	switch {
	case op.Paging.Whole:
		return true
	case op.Paging.EmptyOK:
		return p.Total == 0 || enveloped
	}
	return p.Total == 0 && p.Number == 1 && (op.Paging.FirstEmpty || op.BelowRecord() || s.options.Readings.EmptyList200)
}

// links is the Link header of a page; the parameters of the request are kept. A
// list with nothing in it has none.
func links(base url.URL, query url.Values, p api.Page) string {
	if p.Last == 0 {
		return ""
	}
	query = maps.Clone(query)
	var out []string
	link := func(rel string, page int) {
		query.Set("page", strconv.Itoa(page))
		base.RawQuery = query.Encode()
		out = append(out, fmt.Sprintf("<%s>; rel=%q", base.String(), rel))
	}
	if p.Number < p.Last {
		link("next", p.Number+1)
	}
	link("last", p.Last)
	link("first", 1)
	if p.Number > 1 {
		link("prev", min(p.Number-1, p.Last))
	}
	return strings.Join(out, ", ")
}

// base is the absolute address of the request as the caller knows it.
func (c *call) base() url.URL {
	u := *c.r.URL
	u.Scheme, u.Host = "http", c.r.Host
	if c.r.TLS != nil || overTLS(c.r.Context()) {
		u.Scheme = "https"
	}
	return u
}
