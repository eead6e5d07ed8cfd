package client

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// sized is a record that cannot be read if its size is no number.
type sized struct {
	ID   ID  `json:"id"`
	Size Int `json:"size"`
}

// sizes gives the items behind since_id, as many as a page has.
func sizes(items map[int]string, n int) func(*http.Request) (*http.Response, error) {
	return func(r *http.Request) (*http.Response, error) {
		since, _ := strconv.Atoi(r.URL.Query().Get("since_id"))
		size, _ := strconv.Atoi(r.URL.Query().Get("per_page"))
		var page []string
		for i := since + 1; i <= n && len(page) < size; i++ {
			item, odd := items[i]
			if !odd {
				item = fmt.Sprintf(`{"id":%d,"size":1}`, i)
			}
			page = append(page, item)
		}
		return hostile.Status(200, "["+strings.Join(page, ",")+"]", "X-Total-Count", strconv.Itoa(n-since))(r)
	}
}

// A page of which no item can be read once ended Since as if it were the last one, and an item that cannot be read at
// the end of a page came again on the next one.
func TestSinceGoesOnBehindWhatCannotBeRead(t *testing.T) {
	bad := func(id int) string { return fmt.Sprintf(`{"id":%d,"size":"x"}`, id) }
	for _, test := range []struct {
		name  string
		items map[int]string
		want  []ID
		bad   int
		lost  bool // nothing tells where to go on
	}{
		{"a page", map[int]string{3: bad(3), 4: bad(4)}, []ID{1, 2, 5, 6}, 2, false},
		{"the first page", map[int]string{1: bad(1), 2: bad(2)}, []ID{3, 4, 5, 6}, 2, false},
		{"the last page", map[int]string{5: bad(5), 6: bad(6)}, []ID{1, 2, 3, 4}, 2, false},
		{"the end of a page", map[int]string{4: bad(4)}, []ID{1, 2, 3, 5, 6}, 1, false},
		{"all", map[int]string{1: bad(1), 2: bad(2), 3: bad(3), 4: bad(4), 5: bad(5), 6: bad(6)}, []ID{}, 6, false},
		{"a page without ids", map[int]string{3: `{"id":"x"}`, 4: `{"id":"y"}`}, []ID{1, 2}, 2, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := listOf[sized](atVersion(newTest(t, hostile.Answers(sizes(test.items, 6))), VersionV1), newQuery().paging(Paging{PerPage: 2}), engine.ListSpec{Path: "/numbers", SinceID: true})
				got, unreadable, lost := []ID{}, 0, false
				for n, err := range l.Since(t.Context(), 0) {
					var bad *DecodeError
					switch {
					case err == nil:
						got = append(got, n.ID)
					case errors.As(err, &bad):
						unreadable += strings.Count(err.Error(), "decode item")
					default:
						lost = true
					}
				}
				if !slices.Equal(got, test.want) || unreadable != test.bad || lost != test.lost {
					t.Errorf("got %v, %d that cannot be read, lost %v; want %v, %d, %v", got, unreadable, lost, test.want, test.bad, test.lost)
				}
			})
		})
	}
}
