package client_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// A record that the platform cannot give is reported, and the others are compared. Many of them on a page are a failure
// of the platform. The sizes of pages matter, so the server does not deviate.
func TestReconcileOfBrokenRecords(t *testing.T) {
	for name, answer := range map[string]struct {
		status int
		body   string
	}{
		"500":               {500, `{"code":500,"message":"Internal Server Error","description":"no"}`},
		"403":               {403, `{"code":403,"message":"Forbidden","description":"not for this app"}`},
		"of another record": {200, `{"id":1,"name":{"es":"another"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var broken []string
				srv := clienttest.New(t, clienttest.Options{Wrap: func(server http.RoundTripper) http.RoundTripper {
					return hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
						_, id, _ := strings.Cut(r.URL.Path, "/products/")
						if r.Method != http.MethodGet || !slices.Contains(broken, id) {
							return server.RoundTrip(r)
						}
						return &http.Response{
							StatusCode: answer.status, Header: http.Header{"Content-Type": {"application/json"}}, Request: r,
							ContentLength: int64(len(answer.body)), Body: io.NopCloser(strings.NewReader(answer.body)),
						}, nil
					})
				}})
				k := products(t, srv.Client())
				var ids []client.ID
				for n := range 12 {
					ids = append(ids, must[client.ID](t)(k.create(t.Context(), n)))
				}
				s := &shelf{}
				var bad []client.ID
				c := &client.Copy[client.Product]{List: k.list, Mirror: &mirrorOf[client.Product]{shelf: s, id: k.id}}
				c.OnUnreadable = func(_ context.Context, id client.ID, _ error) { bad = append(bad, id) }
				done(t, c.Run(t.Context()))
				for _, id := range ids[2:10] { // no webhook comes
					done(t, k.remove(t.Context(), id))
				}
				broken = []string{fmt.Sprint(ids[4])}
				time.Sleep(time.Hour)
				done(t, c.Reconcile(t.Context()))
				if !slices.Equal(bad, ids[4:5]) || len(s.rows) != 5 {
					t.Errorf("reported %v, %d records are left; want %d, and 5", bad, len(s.rows), ids[4])
				}
				for _, id := range slices.Concat(ids[:2], ids[10:]) {
					done(t, k.remove(t.Context(), id))
					broken = append(broken, fmt.Sprint(id))
				}
				time.Sleep(time.Hour)
				if err := c.Reconcile(t.Context()); err == nil || len(s.rows) != 5 {
					t.Errorf("no record can be read: got %v, %d records are left; want an error, and 5", err, len(s.rows))
				}
			})
		})
	}
}

// A record that was reported as deleted, and is in the store again ten minutes later, is copied again.
func TestTombstonesEnd(t *testing.T) {
	for name, find := range map[string]func(c *client.Copy[client.Product], ctx context.Context, id client.ID) error{
		"Changed":   (*client.Copy[client.Product]).Changed,
		"Reconcile": func(c *client.Copy[client.Product], ctx context.Context, _ client.ID) error { return c.Reconcile(ctx) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := copied(t, 3)
				ctx, c := s.process(nil)
				id := s.live[1]
				done(t, c.Deleted(ctx, id)) // and the record is restored
				time.Sleep(9 * time.Minute)
				done(t, find(c, ctx, id))
				if _, there := s.rows[id]; there {
					t.Error("restored after nine minutes")
				}
				time.Sleep(2 * time.Minute)
				done(t, find(c, ctx, id))
				equals(t, s.shelf, s.list, s.id)
			})
		})
	}
}
