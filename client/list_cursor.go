package client

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"maps"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// cursorForm is the first word of every cursor. Form 1, of release 0.1.0, contained the whole query and nothing to
// verify the filter with.
const cursorForm = "2"

// maxCursor bounds the length of a cursor that is read.
const maxCursor = 64 << 10

// place is the position where a list continues. Its values are paging parameters and never a filter, because a cursor
// may come from a browser, where anybody can change it.
type place struct {
	values url.Values
	read   int    // number of records before it; -1 if unknown
	total  int    // of the page before it; -1 if unknown
	linked bool   // the Link header of an earlier page named other pages
	size   int    // of the largest page before it
	empty  int    // consecutive pages without records before it
	held   string // identifies the page before it, for a list without pages
}

// cursor returns a text that resumes the list at the given parameters.
func (p *pager) cursor(next url.Values) string {
	at := make(url.Values)
	for name, values := range next {
		if name == "page" || name == "per_page" || (name == "since_id" || isToken(name)) && !sameValue(values, p.list.Query[name]) {
			at[name] = values
		}
	}
	if p.known {
		at.Set("read", strconv.Itoa(p.read))
	}
	if p.total >= 0 {
		at.Set("total", strconv.Itoa(p.total))
	}
	if p.linked {
		at.Set("size", strconv.Itoa(p.size))
	}
	if p.empty > 0 {
		at.Set("empty", strconv.Itoa(p.empty))
	}
	if p.held != "" {
		at.Set("held", p.held)
	}
	if p.place == "" {
		p.place = p.list.place()
	}
	return encodeCursor(p.place, at)
}

func sameValue(a, b []string) bool { return len(a) == 1 && len(b) == 1 && a[0] == b[0] }

// encodeCursor returns the cursor of a place in a list.
func encodeCursor(list string, at url.Values) string {
	return base64.RawURLEncoding.EncodeToString([]byte(cursorForm + " " + list + " " + at.Encode()))
}

// readCursor returns the place in a cursor of this list.
func (l *listing) readCursor(cursor string) (*place, error) {
	values, err := l.openCursor(cursor)
	if err != nil {
		return nil, err
	}
	at := &place{values: values, read: -1, total: -1}
	for name, all := range values {
		n, err := strconv.ParseInt(all[0], 10, 64)
		good := len(all) == 1
		switch {
		case name == "page":
			good = good && err == nil && n > 0
		case name == "per_page":
			good = good && err == nil && n > 0 && n <= MaxPerPage
		case name == "since_id":
			good = good && err == nil && n > 0 && ID(n) >= sinceOf(l.Query)
		case name == "read":
			good = good && err == nil && n >= 0 && n <= mostRecords
			at.read = int(n)
		case name == "total":
			good = good && err == nil && n >= 0 && n <= mostRecords
			at.total = int(n)
		case name == "size":
			good = good && err == nil && n >= 0 && n <= mostRecords
			at.linked, at.size = true, int(n)
		case name == "empty":
			good = good && err == nil && n > 0 && n <= maxEmptyPages
			at.empty = int(n)
		case name == "held":
			good = good && l.Whole
			at.held = all[0]
		default:
			good = good && isToken(name) && !l.Query.Has(name)
		}
		if !good {
			return nil, badCursor("one that a page of this list returned")
		}
	}
	for _, name := range [...]string{"read", "total", "size", "empty", "held"} {
		delete(values, name)
	}
	return at, nil
}

// openCursor returns the parameters in a cursor, if it is bound to this list and its filter.
func (l *listing) openCursor(cursor string) (url.Values, error) {
	const rule = "one that a page of this list returned"
	if len(cursor) > maxCursor {
		return nil, badCursor(rule)
	}
	data, err := base64.RawURLEncoding.DecodeString(cursor)
	form, rest, _ := strings.Cut(string(data), " ")
	if err == nil && form == "1" {
		return nil, badCursor("of this release; cursors of 0.1.0 do not identify their filter, so read the list from its beginning")
	}
	got, own := strings.Split(rest, " "), strings.Split(l.place(), " ")
	if err != nil || form != cursorForm || len(got) != len(own)+1 {
		return nil, badCursor(rule)
	}
	for i, kind := range [...]string{"version", "store", "list", "filter"} {
		if got[i] != own[i] {
			return nil, badCursor("from a list of the same " + kind)
		}
	}
	values, err := url.ParseQuery(got[len(own)])
	if err != nil {
		return nil, badCursor(rule)
	}
	return values, nil
}

// badCursor is the error of an invalid cursor. It does not show the cursor, which contains ids and may be long.
func badCursor(rule string) error { return fmt.Errorf("cursor: must be %s: %w", rule, ErrValidation) }

// place identifies the list by version, store, path and filter.
func (l *listing) place() string {
	store, path := l.owner()
	return fmt.Sprintf("%s %d %s %s", engine.VersionOf(l.Service), store, url.PathEscape(path), l.fingerprint())
}

// fingerprint identifies the filter: all parameters except the number and the size of pages. Times are compared in UTC.
func (l *listing) fingerprint() string {
	filter := maps.Clone(l.Query)
	delete(filter, "page")
	delete(filter, "per_page")
	for name, values := range filter {
		if t, err := time.Parse(time.RFC3339, strings.Join(values, " ")); err == nil {
			filter[name] = []string{t.UTC().Format(time.RFC3339Nano)}
		}
	}
	sum := sha256.Sum256([]byte(filter.Encode()))
	return base64.RawURLEncoding.EncodeToString(sum[:16])
}
