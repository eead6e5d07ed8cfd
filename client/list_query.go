package client

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// MaxPerPage is the largest size of a page. The platform silently reduces larger sizes, so they are rejected here.
const MaxPerPage = 200

// Paging selects a page of a list and the fields of its records.
type Paging struct {
	// Page is the first page to read, from 1. Zero is 1.
	Page int
	// PerPage is the size of a page, 1 to MaxPerPage. Zero means the platform's default (30) for single pages and
	// MaxPerPage for the iterators.
	PerPage int
	// Fields lists the wire names of the members to include in the records. If it is empty, all are included. Members
	// that are not included have their zero value.
	Fields []string
}

// Window limits the creation time and the time of the last change of the records of a list. A zero time is no bound.
type Window struct {
	CreatedMin, CreatedMax time.Time // bounds of created_at; the zero time is none
	UpdatedMin, UpdatedMax time.Time // bounds of updated_at; the zero time is none
}

// query builds the parameters of a list. It stores the first error, which the first page returns.
type query struct {
	values url.Values
	err    error
}

func newQuery() *query { return &query{values: make(url.Values)} }

func (q *query) fail(err error) *query {
	if q.err == nil {
		q.err = err
	}
	return q
}

func (q *query) paging(p Paging) *query {
	if p.Page < 0 {
		q.fail(engine.Invalid("page", p.Page, "at least 1"))
	}
	if p.PerPage < 0 || p.PerPage > MaxPerPage {
		q.fail(engine.Invalid("per_page", p.PerPage, fmt.Sprintf("1 to %d", MaxPerPage)))
	}
	return q.integer("page", int64(p.Page)).integer("per_page", int64(p.PerPage)).list("fields", p.Fields)
}

func (q *query) window(w Window) *query {
	return q.time("created_at_min", w.CreatedMin).time("created_at_max", w.CreatedMax).
		time("updated_at_min", w.UpdatedMin).time("updated_at_max", w.UpdatedMax)
}

func (q *query) id(name string, id ID) *query { return q.integer(name, int64(id)) }

func (q *query) text(name, s string) *query {
	if s != "" {
		q.values.Set(name, s)
	}
	return q
}

func (q *query) flag(name string, b Opt[bool]) *query {
	if v, ok := b.Get(); ok {
		q.values.Set(name, strconv.FormatBool(v))
	}
	return q
}

func (q *query) number(name string, n Opt[int]) *query {
	if v, ok := n.Get(); ok {
		q.values.Set(name, strconv.Itoa(v))
	}
	return q
}

func (q *query) list(name string, values []string) *query {
	return q.text(name, strings.Join(values, ","))
}

func (q *query) ids(name string, ids []ID) *query {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = id.String()
	}
	return q.list(name, texts)
}

func (q *query) integer(name string, n int64) *query {
	if n != 0 {
		q.values.Set(name, strconv.FormatInt(n, 10))
	}
	return q
}

func (q *query) time(name string, t time.Time) *query {
	if !t.IsZero() {
		q.values.Set(name, t.Format(time.RFC3339))
	}
	return q
}
