package client

import (
	"errors"
	"hash/maphash"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// listPage is a Page that does not know the type of its records.
type listPage struct {
	items  reflect.Value // a slice
	total  int
	number int
	date   time.Time
	cursor string
	next   url.Values // nil on the last page
	last   int        // the number of the last page, 0 if not known
	counts bool       // next is only counted, and nothing tells whether it exists
	mark   uint64     // stands for the items as they came; 0 if there are none
	latest time.Time  // of the updates of the items, if there is no date
	unread ID         // the greatest id of an item that cannot be read
}

// listPages are pages one after another; with an error the page may be nil.
type listPages iter.Seq2[*listPage, error]

// each yields a pointer to every record, and nil with every error.
//
//go:noinline
func (pages listPages) each(yield func(record any, err error) bool) {
	for page, err := range pages {
		if page != nil {
			for i := range page.items.Len() {
				if !yield(page.items.Index(i).Addr().Interface(), nil) {
					return
				}
			}
		}
		if err != nil && !yield(nil, err) {
			return
		}
	}
}

// collect gives take the slice of every page, and joins the errors.
//
//go:noinline
func (pages listPages) collect(take func(items any)) error {
	var errs []error
	for page, err := range pages {
		if page != nil {
			take(page.items.Interface())
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// follow finds the next page: from the Link header, or else by counting; a list
// without pages is counted only if its total is known.
func (p *listPage) follow(h http.Header, values url.Values, size, got int, whole bool) {
	links := parseLinks(h.Values("Link"))
	if p.total >= 0 && size > 0 {
		p.last = (p.total + size - 1) / size
	}
	if last := pageNumber(links["last"]); last > 0 {
		p.last = last
	}
	switch next := links["next"]; {
	case next != nil:
		p.next = next
	case len(links) > 0, got == 0, got < size, p.last > 0 && p.number >= p.last, whole && p.last == 0:
	default:
		p.counts = p.last == 0
		p.next = maps.Clone(values)
		p.next.Set("page", strconv.Itoa(p.number+1))
	}
}

// reached is a time that the platform's clock had reached by the answer, as late as it
// tells. Later pages cannot stand in: records of this one may have changed before them.
func (p *listPage) reached() time.Time {
	if !p.date.IsZero() {
		return p.date
	}
	return p.latest
}

// latestUpdate is the last of the updates of the items.
func latestUpdate(raw []byte) (latest time.Time) {
	var items []struct {
		UpdatedAt Time `json:"updated_at"`
	}
	if wire.UnmarshalExact(raw, &items) != nil {
		return latest
	}
	for _, item := range items {
		if item.UpdatedAt.After(latest) {
			latest = item.UpdatedAt.Time
		}
	}
	return latest
}

// seed makes the marks of pages, which are compared within a process.
var seed = maphash.MakeSeed()

// mark stands for the items of a page, so that the page need not be kept.
func mark(raw []byte) uint64 {
	if len(raw) <= len("[]") {
		return 0
	}
	return maphash.Bytes(seed, raw)
}

// lastPage reports whether err is the platform's way to say that there are no
// records here, 404 with the description "Last page is N", and returns N; -1 if it
// is no number.
func lastPage(err error) (n int, told bool) {
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Status != http.StatusNotFound {
		return -1, false
	}
	said, told := strings.CutPrefix(e.Description, "Last page is ")
	n, err = strconv.Atoi(said)
	if err != nil {
		n = -1
	}
	return n, told
}

func pageNumber(values url.Values) int {
	n, err := strconv.Atoi(values.Get("page"))
	if err != nil || n < 1 {
		return 0
	}
	return n
}

// dateOf returns the time of an answer, or the zero time.
func dateOf(h http.Header) time.Time {
	date, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return time.Time{}
	}
	return date.UTC()
}

func dateOfError(err error) time.Time {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.date
	}
	return time.Time{}
}

// loopGuard finds out when a list leads back to where it was: to parameters that
// were sent before, or to the very page before, from a server that counts no pages.
// With chosen fields a page may look like the one before it and be another, as none of
// them may tell the records apart; what the server tells of the pages counts then.
type loopGuard struct {
	asked map[string]bool
	last  uint64
}

func (g *loopGuard) repeated(values url.Values, page *listPage) bool {
	if g.asked == nil {
		g.asked = make(map[string]bool)
	}
	key := values.Encode()
	again := g.asked[key] || page.mark != 0 && page.mark == g.last && (page.counts || !values.Has("fields"))
	g.asked[key], g.last = true, page.mark
	return again
}
