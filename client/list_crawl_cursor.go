package client

import (
	"errors"
	"net/url"
	"strings"
	"time"
)

// maxWindows bounds the windows in a cursor. A crawl has one for each time that it halved the time since 1970.
const maxWindows = 100

// resumed returns the crawl after the page that returned the cursor.
//
//go:noinline
func (c *crawling) resumed(cursor string) *crawling {
	whole := c.list.crawl()
	r := &crawling{list: c.list, err: whole.err}
	if r.err == nil {
		r.todo, r.err = c.readCursor(cursor, whole.todo[0])
	}
	return r
}

// readCursor returns the rest of a crawl of the whole window.
func (c *crawling) readCursor(cursor string, whole span) (todo []span, err error) {
	values, err := c.cursors().openCursor(cursor)
	if err != nil {
		return nil, err
	}
	bad := badCursor("one that a page of a crawl returned")
	windows, ids := values["window"], values["since_id"]
	if len(windows) == 0 || len(windows) > maxWindows || len(ids) != len(windows) {
		return nil, bad
	}
	for i, window := range windows {
		from, to, found := strings.Cut(window, "/")
		min, minErr := parseEdge(from)
		max, maxErr := parseEdge(to)
		after, idErr := ParseID(ids[i])
		w := span{min, max, after}
		if !found || errors.Join(minErr, maxErr, idErr) != nil || !whole.covers(w, todo) {
			return nil, bad
		}
		todo = append(todo, w)
	}
	if !todo[len(todo)-1].max.Equal(whole.max) || c.list.MostResults == 0 && len(todo) > 1 {
		return nil, bad
	}
	return todo, nil
}

// covers reports whether another window is a part of this one and follows the windows before it.
func (w span) covers(part span, before []span) bool {
	begins := !part.min.IsZero() || w.min.IsZero()
	if n := len(before); n > 0 {
		begins = !part.min.IsZero() && part.min.Equal(before[n-1].max)
	}
	ends := w.max.IsZero() || !part.max.IsZero() && !part.max.After(w.max)
	inside := !part.min.Before(w.min) && part.after >= w.after
	return begins && ends && inside && (part.max.IsZero() || part.min.Before(part.max))
}

// cursors returns the list that cursors of crawls belong to. It is not the plain list, whose cursors have other
// positions.
func (c *crawling) cursors() *listing {
	l := *c.list
	l.Path += "/crawl"
	return &l
}

// writeCursor returns the cursor of the remaining windows; empty if there are none.
func (c *crawling) writeCursor(todo []span) string {
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
