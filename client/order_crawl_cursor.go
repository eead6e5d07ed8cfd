package client

import (
	"errors"
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
	for i, window := range values["window"] {
		from, to, found := strings.Cut(window, "/")
		min, minErr := parseEdge(from)
		max, maxErr := parseEdge(to)
		after, idErr := c.filter.SinceID, error(nil)
		if ids := values["since_id"]; i < len(ids) { // a cursor of 0.1.0 has one, that of the first window
			after, idErr = ParseID(ids[i])
		}
		if !found || errors.Join(minErr, maxErr, idErr) != nil {
			c.err = Invalid("cursor", cursor, "a cursor that a page of a crawl gave")
			return c
		}
		c.todo = append(c.todo, span{min, max, after})
	}
	return c
}

// cursors is what cursors of crawls are of: not of the plain list, whose cursors say something else.
func (c OrderCrawl) cursors() *Listing {
	l := *c.orders.List(OrderFilter{}).core
	l.path += "/crawl"
	return &l
}

// writeCursor keeps what is left of the windows. It is empty when there are none.
func (c OrderCrawl) writeCursor(todo []span) string {
	if len(todo) == 0 {
		return ""
	}
	values := make(url.Values)
	for _, w := range todo {
		values.Add("since_id", w.after.String())
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
