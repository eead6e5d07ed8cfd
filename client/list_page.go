package client

import (
	"errors"
	"hash/maphash"
	"iter"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// listPage is a Page without the type of its records.
type listPage struct {
	items  reflect.Value // a slice
	total  int           // as the platform counts; -1 if unknown or impossible
	number int
	date   time.Time
	cursor string
	got    int         // number of items in the response, including unreadable ones
	links  pagingLinks // of the Link header
	gone   bool        // the platform answered that the page does not exist
	more   bool        // the list continues
	next   url.Values  // parameters of the next page, if the list is read by pages
	mark   uint64      // identifies the items as they were received; 0 if there are none
	unread ID          // the greatest id of an unreadable item
}

// listPages yields pages in order. With an error the page may be nil.
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

// seed is the seed of the marks of pages, which are compared only within a process.
var seed = maphash.MakeSeed()

// mark identifies the items of a page, so that the page need not be kept.
func mark(raw []byte) uint64 {
	if len(raw) <= len("[]") {
		return 0
	}
	return maphash.Bytes(seed, raw)
}

// lastPage reports whether err is the platform's response for a page after the last one. That is 404 with the
// description "Last page is N". It returns N; -1 if N is not a number.
func lastPage(err error) (n int, told bool) {
	e, ok := errors.AsType[*Error](err)
	if !ok || !e.refusedWith(http.StatusNotFound) {
		return -1, false
	}
	said, told := strings.CutPrefix(e.Description, "Last page is ")
	n, err = strconv.Atoi(said)
	if err != nil {
		n = -1
	}
	return n, told
}

// nothingFound reports whether err is the platform's 404 with its code, which some lists answer if nothing is found.
func nothingFound(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.refusedWith(http.StatusNotFound) && e.Code == strconv.Itoa(http.StatusNotFound)
}

// mostRecords bounds the totals that are accepted. No store has more records.
const mostRecords = 1_000_000_000

// count sets the total of the list, unless it is impossible. It is impossible if it is below the items of this page,
// above the capacity of the pages up to the last one, or above mostRecords.
func (p *listPage) count(total int) {
	p.total = -1
	if total < p.got || total > mostRecords {
		return
	}
	if last := p.links.last; last > 0 && last < mostRecords && total > last*max(p.got, MaxPerPage) {
		return
	}
	p.total = total
}

// totalOf returns the number in X-Total-Count; -1 if there is none, or if there are different ones.
func totalOf(h http.Header) int {
	total := -1
	for _, header := range h.Values("X-Total-Count") {
		for text := range strings.SplitSeq(header, ",") {
			whole, fraction, _ := strings.Cut(strings.TrimSpace(text), ".")
			n, err := strconv.Atoi(whole)
			if err != nil || strings.Trim(fraction, "0") != "" || total >= 0 && n != total {
				return -1
			}
			total = n
		}
	}
	return total
}

func pageNumber(values url.Values) int {
	n, err := strconv.Atoi(values.Get("page"))
	if err != nil || n < 1 {
		return 0
	}
	return n
}

func dateOfError(err error) time.Time {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.date
	}
	return time.Time{}
}
