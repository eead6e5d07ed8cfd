package client

import (
	"errors"
	"net/url"
	"strings"
	"time"
)

// maxWindows bounds the windows in a cursor. A crawl has one for each time that it halved the time since 1970.
const maxWindows = 100

// After returns the crawl after the page that returned the cursor. An order at the border of two windows may come a
// second time. The filter must be the one that the cursor is from. Otherwise, and for an empty cursor or one of
// release 0.1.0, the first use fails with ErrValidation.
func (c OrderCrawl) After(cursor string) OrderCrawl {
	values, err := c.cursors().openCursor(cursor)
	if err != nil {
		c.err = err
		return c
	}
	c.todo, c.err = nil, nil
	windows, ids := values["window"], values["since_id"]
	if len(windows) == 0 || len(windows) > maxWindows || len(ids) != len(windows) {
		c.err = badCursor("one that a page of a crawl returned")
		return c
	}
	for i, window := range windows {
		from, to, found := strings.Cut(window, "/")
		min, minErr := parseEdge(from)
		max, maxErr := parseEdge(to)
		after, idErr := ParseID(ids[i])
		w := span{min, max, after}
		if !found || errors.Join(minErr, maxErr, idErr) != nil || !c.covers(w) {
			c.err = badCursor("one that a page of a crawl returned")
			return c
		}
		c.todo = append(c.todo, w)
	}
	if !c.todo[len(c.todo)-1].max.Equal(c.filter.CreatedMax) {
		c.err = badCursor("one that a page of a crawl returned")
	}
	return c
}

// covers reports whether a window is a part of the filter that follows on those before it.
func (c OrderCrawl) covers(w span) bool {
	begins := !w.min.IsZero() || c.filter.CreatedMin.IsZero()
	if n := len(c.todo); n > 0 {
		begins = !w.min.IsZero() && w.min.Equal(c.todo[n-1].max)
	}
	ends := c.filter.CreatedMax.IsZero() || !w.max.IsZero() && !w.max.After(c.filter.CreatedMax)
	return begins && ends && !w.min.Before(c.filter.CreatedMin) && (w.max.IsZero() || w.min.Before(w.max)) && w.after >= c.filter.SinceID
}

// cursors is the list that cursors of crawls belong to. It is not the plain list, whose cursors have other places.
func (c OrderCrawl) cursors() *listing {
	l := c.orders.List(c.filter).core()
	l.Path += "/crawl"
	return l
}

// writeCursor returns the cursor of the windows that are left; it is empty when there are none.
func (c OrderCrawl) writeCursor(todo []span) string {
	if len(todo) == 0 {
		return ""
	}
	values := make(url.Values)
	for _, w := range todo {
		values.Add("since_id", w.after.String())
		values.Add("window", formatEdge(w.min)+"/"+formatEdge(w.max))
	}
	return encodeCursor(c.cursors().place(), values)
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
