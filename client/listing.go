package client

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"strconv"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// listing is what a List does, whatever the type of its records. List is only a thin
// shell around it: the methods of a generic type are compiled again in every package that
// sees one of its instances, and there are dozens of those.
type listing struct {
	records  reflect.Type // that of a slice of them
	view     View
	path     string
	args     []any
	values   url.Values
	id       func(record any) ID // of a pointer to a record; nil: the resource has no since_id
	envelope []string            // members that lead to the items; none for an array
	total    string              // member beside the items that counts them
	whole    bool                // the platform knows no pages here
	noResult bool                // any 404 says that nothing was found
	secret   bool                // there are secrets among the items
	err      error
}

func (l listing) withSince(id func(any) ID) *listing {
	l.id = id
	return &l
}

func (l listing) withEnvelope(total string, path []string) *listing {
	l.total, l.envelope = total, path
	return &l
}

func (l listing) withoutPages() *listing {
	l.whole = true
	return &l
}

func (l listing) withSecrets() *listing {
	l.secret = true
	return &l
}

// emptyNotFound marks a list that answers 404, with any description, where
// nothing is found.
func (l listing) emptyNotFound() *listing {
	l.noResult = true
	return &l
}

// from returns the list behind the page that gave the cursor.
func (l listing) from(cursor string) *listing {
	values, err := l.readCursor(cursor)
	if err != nil && l.err == nil {
		l.err = err
	}
	l.values = values
	return &l
}

// pages yields the pages one after another.
func (l *listing) pages(ctx context.Context) listPages {
	return func(yield func(*listPage, error) bool) { l.eachPage(ctx, yield) }
}

func (l *listing) eachPage(ctx context.Context, yield func(*listPage, error) bool) {
	values, size := l.largest(), 0
	var guard loopGuard
	for values != nil {
		page, err := l.fetch(ctx, values, size)
		if page != nil && guard.repeated(values, page.raw) {
			page, err = nil, fmt.Errorf("GET %s: the next page is one that was read already", l.path)
		}
		if !yield(page, err) || page == nil {
			return
		}
		size, values = max(size, page.items.Len()), page.next
	}
}

// largest returns the parameters with the largest page where there are pages and
// none was chosen.
func (l *listing) largest() url.Values {
	values := maps.Clone(l.values)
	if values == nil {
		values = make(url.Values)
	}
	if !l.whole && !values.Has("per_page") {
		values.Set("per_page", strconv.Itoa(MaxPerPage))
	}
	return values
}

// fetch reads the page that values ask for. Size is the size of the pages
// before it, 0 for the first: the platform gives smaller pages than it was asked for.
func (l *listing) fetch(ctx context.Context, values url.Values, size int) (*listPage, error) {
	if l.err != nil {
		return nil, fmt.Errorf("GET %s: %w", l.path, l.err)
	}
	page := &listPage{items: reflect.MakeSlice(l.records, 0, 0), total: -1, number: max(1, pageNumber(values))}
	a, err := l.view.client.do(ctx, l.view.at(Request{Path: l.path, Args: l.args, Query: values, Secrets: l.secret}))
	if lastPage(err) || l.noResult && errors.Is(err, ErrNotFound) {
		page.total, page.date = 0, dateOfError(err)
		return page, nil
	}
	if err != nil {
		return nil, err
	}
	if err := a.check(); err != nil {
		return nil, err
	}
	if a.status == http.StatusNoContent {
		return page, nil
	}
	raw, counted, err := l.open(a.body)
	if err != nil {
		return nil, a.unreadable(err)
	}
	items, err := decodeItems(ctx, l.view.client, raw, l.records)
	if !items.IsValid() {
		return nil, a.unreadable(err)
	}
	if l.secret {
		sum := sha256.Sum256(raw)
		raw = sum[:]
		forgetRaw(err)
	}
	page.items, page.total, page.date, page.raw = items, counted, dateOf(a.header), raw
	if total, ok := header(a.header, "X-Total-Count"); ok {
		page.total = int(total)
	}
	got := items.Len() + count(err)
	page.follow(a.header, values, max(size, got), got, l.whole)
	if page.next != nil {
		page.cursor = l.writeCursor(page.next)
	}
	if err != nil {
		err = fmt.Errorf("GET %s: %w", l.path, err)
	}
	return page, err
}

// open finds the items in the answer, and the total if it stands beside them. An
// array is taken as it is also where an envelope is due. No member and null are no
// items; an empty body is an answer that got lost.
func (l *listing) open(body []byte) (json.RawMessage, int, error) {
	noItems := json.RawMessage("[]")
	raw, total := json.RawMessage(body), -1
	for _, name := range l.envelope {
		if kind(raw) == '[' {
			break
		}
		var members map[string]json.RawMessage
		if err := wire.Unmarshal(raw, &members); err != nil {
			return nil, 0, fmt.Errorf("member %s: %w", quote(name), err)
		}
		if counted, ok := members[l.total]; ok {
			var n Int
			if n.UnmarshalJSON(counted) == nil {
				total = int(n)
			}
		}
		if raw = members[name]; raw == nil {
			raw = noItems
		}
	}
	if kind(raw) == 'n' {
		raw = noItems
	}
	return raw, total, nil
}
