package control

import (
	"encoding/json"
	"math"
	"strconv"
)

// Bounds of a page.
const (
	usualPage = 50
	mostPage  = 200
	pageBytes = 4 << 20
)

// list is a page of records. Next is the after of the next page, null if there is none.
type list struct {
	Items []json.RawMessage `json:"items"`
	Next  *string           `json:"next"`
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

// after is the key that the page begins after.
func (c *call) after() (int64, error) {
	text := c.r.URL.Query().Get("after")
	if text == "" {
		return math.MinInt64, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, wrong("after", cut(text), "must be the next of a page")
	}
	return n, nil
}

// page answers those of the records, which are in the order of their keys, that the call asks for.
func page[T any](c *call, records []T, key func(T) int64, show func(T) any) (any, error) {
	after, err := c.after()
	if err != nil {
		return nil, err
	}
	p, err := c.pager()
	if err != nil {
		return nil, err
	}
	for _, r := range records {
		if k := key(r); k > after {
			if more, err := p.add(strconv.FormatInt(k, 10), func() any { return show(r) }); !more {
				return p.list, err
			}
		}
	}
	return p.list, nil
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
