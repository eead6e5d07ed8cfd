package client

import (
	"net/url"
	"strings"
	"time"
)

// From returns the crawl as it goes on behind the page that gave the cursor. An order at
// the border of two windows may come a second time. The first use fails if the cursor
// is not one of a crawl of the same store and version. The filter should be the same.
func (c OrderCrawl) From(cursor string) OrderCrawl {
	values, err := c.cursors().readCursor(cursor)
	if err != nil {
		c.err = err
		return c
	}
	c.todo, c.err = nil, nil
	for _, w := range values["window"] {
		from, to, found := strings.Cut(w, "/")
		min, minErr := parseEdge(from)
		max, maxErr := parseEdge(to)
		if !found || minErr != nil || maxErr != nil {
			c.err = Invalid("cursor", cursor, "a cursor that a page of a crawl gave")
			return c
		}
		c.todo = append(c.todo, span{min, max})
	}
	c.after = sinceOf(values)
	return c
}

// cursors is what cursors of crawls are of: not of the plain list, whose cursors say something else.
func (c OrderCrawl) cursors() *Listing {
	l := *c.orders.List(OrderFilter{}).core
	l.path += "/crawl"
	return &l
}

// writeCursor keeps the windows that are not read, and how far the first one was. It is empty
// when there are none.
func (c OrderCrawl) writeCursor(todo []span, after ID) string {
	if len(todo) == 0 {
		return ""
	}
	values := url.Values{"since_id": {after.String()}}
	for _, w := range todo {
		values.Add("window", formatEdge(w.min)+"/"+formatEdge(w.max))
	}
	return c.cursors().writeCursor(values)
}

func formatEdge(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

func parseEdge(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	return time.Parse(time.RFC3339Nano, s)
}
