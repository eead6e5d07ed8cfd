package client

import (
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// hiding is a platform with the records 1 to 800 that hides some of them after it has paged them.
func hiding(hidden func(id int) bool, header func(number, last, left int) []string) hostile.RoundTripper {
	return func(r *http.Request) (*http.Response, error) {
		q := r.URL.Query()
		since, _ := strconv.Atoi(q.Get("since_id"))
		number, _ := strconv.Atoi(q.Get("page"))
		size, _ := strconv.Atoi(q.Get("per_page"))
		number = max(1, number)
		left := 800 - since
		var items []string
		for id := since + (number-1)*size + 1; id <= min(800, since+number*size); id++ {
			if !hidden(id) {
				items = append(items, fmt.Sprintf(`{"id":%d}`, id))
			}
		}
		return hostile.Status(200, "["+strings.Join(items, ",")+"]", header(number, (left+size-1)/size, left)...)(r)
	}
}

// A page whose records are hidden ended the crawl: 200 of 800 records came.
func TestHiddenPagesAreNotTheEnd(t *testing.T) {
	total := func(_, _, left int) []string { return []string{"X-Total-Count", strconv.Itoa(left)} }
	next := func(number, last, _ int) []string {
		if number >= last {
			return []string{"Link", `</v1/123/numbers?page=1>; rel="first"`}
		}
		return []string{"Link", fmt.Sprintf(`</v1/123/numbers?page=%d>; rel="next"`, number+1)}
	}
	between := func(from, to int) func(int) bool { return func(id int) bool { return from <= id && id <= to } }
	for name, header := range map[string]func(number, last, left int) []string{"total": total, "next": next} {
		for _, hidden := range []func(int) bool{between(201, 400), between(201, 600), between(1, 200), between(601, 800), between(203, 399)} {
			synctest.Test(t, func(t *testing.T) {
				var want []ID
				for id := 1; id <= 800; id++ {
					if !hidden(id) {
						want = append(want, ID(id))
					}
				}
				l := numbersList(t, hiding(hidden, header), Paging{})
				for way, seq := range map[string]iter.Seq2[*number, error]{
					"All": l.All(t.Context()), "Since": l.Since(t.Context(), 0), "Crawl": l.Crawl().All(t.Context()),
					"Sync": l.UpdatedSince(time.Time{}).All(t.Context()),
				} {
					if got := ids(t, seq); !slices.Equal(got, want) {
						t.Errorf("%s by %s: got %d records, want %d", way, name, len(got), len(want))
					}
				}
			})
		}
	}
}
