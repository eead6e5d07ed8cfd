package control

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/commerceplatform/commerce-go/internal/refserver/work"
)

// Bounds of a page.
const (
	usualPage = 50
	mostPage  = 200
	pageBytes = 4 << 20
	// mostLooked is how many records a call looks at, more than the logs of the server keep.
	mostLooked = 12_000
	// piece is how many records are copied at a time, while what they are from is locked.
	piece = 256
)

// list is a page of records. Next is the after of the next page, null if there is none.
type list struct {
	Items []json.RawMessage `json:"items"`
	Next  *string           `json:"next"`
	// Searched is how many records were looked at. With a filter, a page may be short, or empty, and have a next one.
	Searched int `json:"searched"`
}

// limit is the size of the page that is asked for.
func (c *call) limit() (int, error) {
	text := c.r.URL.Query().Get("limit")
	if text == "" {
		return usualPage, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > mostPage {
		return 0, wrong("limit", cut(text), "must be 1 to "+strconv.Itoa(mostPage))
	}
	return n, nil
}

// newestFirst reports whether the page begins with the newest record.
func (c *call) newestFirst() (bool, error) {
	switch text := c.r.URL.Query().Get("order"); text {
	case "", "oldest":
		return false, nil
	case "newest":
		return true, nil
	default:
		return false, wrong("order", cut(text), "must be oldest or newest")
	}
}

// part is where the page begins, and in which order it is.
func (c *call) part() (p work.Part, err error) {
	if p.Newest, err = c.newestFirst(); err != nil {
		return p, err
	}
	text := c.r.URL.Query().Get("after")
	switch {
	case text == "" && p.Newest:
		p.After = math.MaxInt64
	case text == "":
		p.After = math.MinInt64
	default:
		if p.After, err = strconv.ParseInt(text, 10, 64); err != nil {
			return p, wrong("after", cut(text), "must be the member next of a page")
		}
	}
	return p, nil
}

// records are those of a list. in returns a part of them, and key is their order. Records that keep rejects are left
// out.
type records[T any] struct {
	in   func(work.Part) []T
	key  func(T) int64
	keep func(T) bool // nil: all are kept
	show func(T) any
}

// page answers the records that the call asks for. It looks at them piece by piece, and at none after the page is full.
func (r records[T]) page(c *call) (any, error) {
	part, err := c.part()
	if err != nil {
		return nil, err
	}
	p, err := c.pager()
	if err != nil {
		return nil, err
	}
	part.Most = piece
	if r.keep == nil {
		part.Most = p.limit + 1
	}
	for more := true; more; {
		some := r.in(part)
		for _, one := range some {
			key := r.key(one)
			part.After = key
			if p.Searched++; r.keep == nil || r.keep(one) {
				if more, err = p.add(text(key), func() any { return r.show(one) }); !more {
					return p.list, err
				}
			}
			if p.Searched >= mostLooked {
				next := text(key)
				p.Next = &next
				return p.list, nil
			}
		}
		more = len(some) == part.Most && c.ctx.Err() == nil
	}
	return p.list, c.ctx.Err()
}

// page answers those of the records, which are in the order of their keys, that the call asks for.
func page[T any](c *call, all []T, key func(T) int64, show func(T) any) (any, error) {
	in := func(p work.Part) []T {
		return work.Of(p, len(all), func(i int) int64 { return key(all[i]) }, func(i int) T { return all[i] })
	}
	return records[T]{in: in, key: key, show: show}.page(c)
}

// pager fills a page.
type pager struct {
	list
	limit, bytes int
	last         string
}

func (c *call) pager() (*pager, error) {
	limit, err := c.limit()
	return &pager{limit: limit, list: list{Items: []json.RawMessage{}}}, err
}

// add puts a record on the page, unless it is full: then there is a next one.
func (p *pager) add(key string, show func() any) (more bool, err error) {
	if len(p.Items) >= p.limit || p.bytes >= pageBytes {
		p.Next = &p.last
		return false, nil
	}
	item, err := encode(show())
	if err != nil {
		return false, err
	}
	p.Items, p.bytes, p.last = append(p.Items, item), p.bytes+len(item), key
	return true, nil
}
