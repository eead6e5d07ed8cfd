package client_test

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// lagging is a platform whose lists have deleted records for a few minutes, and whose records may change without a new
// updated_at.
type lagging struct {
	names   map[client.ID]string
	gone    map[client.ID]bool
	at      time.Time // updated_at of all records
	until   time.Time // lists have deleted records
	singles int       // records that were read one by one
}

func (l *lagging) RoundTrip(r *http.Request) (*http.Response, error) {
	status, body := http.StatusOK, ""
	if _, id, single := strings.Cut(r.URL.Path, "/products/"); single {
		l.singles++
		n, _ := strconv.ParseInt(id, 10, 64)
		if body = l.record(client.ID(n)); l.gone[client.ID(n)] {
			status, body = 404, `{"code":404,"message":"Not Found","description":"Product with such id does not exist"}`
		}
	} else {
		body = l.list(r)
	}
	h := http.Header{"Content-Type": {"application/json"}, "Date": {time.Now().UTC().Format(http.TimeFormat)}}
	return &http.Response{StatusCode: status, ProtoMajor: 1, Request: r, Header: h, ContentLength: int64(len(body)),
		Body: io.NopCloser(strings.NewReader(body))}, nil
}

func (l *lagging) record(id client.ID) string {
	return fmt.Sprintf(`{"id":%d,"name":{"es":%q},"updated_at":%q}`, id, l.names[id], l.at.UTC().Format(time.RFC3339))
}

func (l *lagging) list(r *http.Request) string {
	q := r.URL.Query()
	after, _ := strconv.ParseInt(q.Get("since_id"), 10, 64)
	most, _ := strconv.Atoi(cmp.Or(q.Get("per_page"), "30"))
	from, err := time.Parse(time.RFC3339, q.Get("updated_at_min"))
	var all []string
	for id := client.ID(after) + 1; int(id) <= len(l.names) && len(all) < most; id++ {
		if (err != nil || !l.at.Before(from)) && (!l.gone[id] || time.Now().Before(l.until)) {
			all = append(all, l.record(id))
		}
	}
	return "[" + strings.Join(all, ",") + "]"
}

func newLagging(t *testing.T, n int) (*lagging, *client.Copy[client.Product], *shelf) {
	l := &lagging{names: map[client.ID]string{}, gone: map[client.ID]bool{}, at: time.Now()}
	for id := range client.ID(n) {
		l.names[id+1] = "before"
	}
	c, err := client.New(client.Config{BaseURL: "https://api.example.com", StoreID: 1, Token: client.StaticToken("t"),
		UserAgent: "Test (t@example.com)", HTTPClient: &http.Client{Transport: l}})
	if err != nil {
		t.Fatal(err)
	}
	s := &shelf{}
	mirror := &mirrorOf[client.Product]{shelf: s, id: func(p *client.Product) client.ID { return p.ID }}
	return l, &client.Copy[client.Product]{List: v202503.Products(c).List(client.ProductFilter{}), Mirror: mirror}, s
}

// Any number of deletions within ten minutes is remembered, although the platform lists the records for that time. Of
// more than the state stores, the records of a page that the mirror lacks are read one by one.
func TestManyDeletions(t *testing.T) {
	const deleted, kept = 1500, 20
	synctest.Test(t, func(t *testing.T) {
		l, c, s := newLagging(t, deleted+kept)
		done(t, c.Run(t.Context()))
		for id := client.ID(1); id <= deleted; id++ {
			l.gone[id] = true
			done(t, c.Deleted(t.Context(), id))
		}
		l.at, l.until = time.Now(), time.Now().Add(10*time.Minute)
		for minute := range 9 {
			done(t, errors.Join(c.Run(t.Context()), c.Reconcile(t.Context())))
			if len(s.rows) != kept {
				t.Fatalf("after %d minutes the mirror has %d records, want %d", minute, len(s.rows), kept)
			}
			time.Sleep(time.Minute)
		}
		if l.singles == 0 {
			t.Error("no record was read alone")
		}
		l.singles, l.gone = 0, map[client.ID]bool{} // they are restored
		time.Sleep(10 * time.Minute)
		done(t, c.Reconcile(t.Context()))
		if len(s.rows) != deleted+kept || l.singles != 0 {
			t.Errorf("the mirror has %d records, %d were read alone; want %d and 0", len(s.rows), l.singles, deleted+kept)
		}
	})
}

// Reconcile finds changes that updated_at does not show, and changes that a day is lost for because the Date and the
// clock of this machine are both a day ahead of the times of changes.
func TestChangesWithoutATime(t *testing.T) {
	for name, behind := range map[string]time.Duration{"no new time": 0, "both clocks are ahead": 24 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l, c, s := newLagging(t, 3)
				for range 2 { // the second one moves the mark away from the records
					done(t, c.Run(t.Context()))
					time.Sleep(48 * time.Hour)
				}
				done(t, c.Run(t.Context()))
				time.Sleep(time.Hour)
				if l.names[2] = "after"; behind > 0 {
					l.at = time.Now().Add(-behind)
				}
				for range 3 {
					done(t, c.Run(t.Context()))
					time.Sleep(time.Hour)
				}
				if strings.Contains(s.rows[2], "after") {
					t.Fatal("Run has found the change, so this test shows nothing")
				}
				done(t, c.Reconcile(t.Context()))
				if !strings.Contains(s.rows[2], "after") || len(s.rows) != 3 {
					t.Errorf("the mirror has %q, want the change of record 2", s.rows)
				}
			})
		})
	}
}
