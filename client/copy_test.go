package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// at returns a hook that does something at its nth call, counted from 1.
func at(n int, do func() error) func() error {
	calls := 0
	return func() error {
		if calls++; calls == n {
			return do()
		}
		return nil
	}
}

func done(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// copied returns a shop of products that was copied.
func copied(t *testing.T, n int) *shopOf[client.Product] {
	t.Helper()
	s := newShop(t, 1, products)
	s.grow(n)
	ctx, c := s.process(nil)
	done(t, c.Run(ctx))
	equals(t, s.shelf, s.list, s.id)
	return s
}

// A webhook's record that was read before another process wrote a newer one is read again.
func TestCopyOverwritesNothingNewer(t *testing.T) {
	s := copied(t, 3)
	id := s.live[0]
	done(t, s.update(t.Context(), id, 1))
	ctx, slow := s.process(at(2, func() error { // its answer has arrived
		done(t, s.update(t.Context(), id, 2))
		ctx, fast := s.process(nil)
		return fast.Changed(ctx, id)
	}))
	done(t, slow.Changed(ctx, id))
	equals(t, s.shelf, s.list, s.id)
	ctx, slow = s.process(at(2, func() error { // the page of changes has arrived
		done(t, s.update(t.Context(), id, 3))
		ctx, fast := s.process(nil)
		return fast.Changed(ctx, id)
	}))
	done(t, slow.Run(ctx))
	equals(t, s.shelf, s.list, s.id)
}

// A change during the crawl whose webhook is lost is found, because the mark is that of the beginning.
func TestCopyMarksBeforeTheCrawl(t *testing.T) {
	s := newShop(t, 1, products)
	s.grow(12)
	ctx, c := s.process(at(4, func() error { // the first page is stored
		done(t, s.update(t.Context(), s.live[0], 1))
		s.srv.Clock().Advance(time.Hour)
		return nil
	}))
	done(t, c.Run(ctx))
	equals(t, s.shelf, s.list, s.id)
}

// Neither a page that was read before a deletion brings its record back, nor a list that shows it a few minutes longer.
func TestCopyBringsNothingBack(t *testing.T) {
	s := newShop(t, 1, products)
	s.grow(4)
	gone := s.live[1]
	ctx, c := s.process(at(2, func() error { // the page has arrived
		done(t, s.remove(t.Context(), gone))
		ctx, other := s.process(nil)
		return other.Deleted(ctx, gone)
	}))
	done(t, c.Run(ctx))
	equals(t, s.shelf, s.list, s.id)

	late := s.live[2] // the webhook comes before the list knows
	ctx, c = s.process(nil)
	done(t, c.Deleted(ctx, late))
	done(t, c.Run(ctx))
	done(t, c.Changed(ctx, late))
	if _, there := s.rows[late]; there {
		t.Error("a record that was reported as deleted came back")
	}
	done(t, s.remove(t.Context(), late))
	done(t, c.Run(ctx))
	equals(t, s.shelf, s.list, s.id)
}

// A process that is killed at any step of a crawl costs one page: the one that it had read and not stored.
func TestCopyResumesAtItsPage(t *testing.T) {
	s := newShop(t, 1, products)
	s.grow(23)
	s.srv.Clock().Advance(time.Hour) // so that nothing has changed after the crawl
	requests := 0
	count := func(kill int) func() error {
		calls := 0
		return func() error {
			if calls++; calls%4 == 1 { // before a request, after it, before the transaction, after it
				requests++
			}
			if calls == kill {
				return errKilled
			}
			return nil
		}
	}
	ctx, c := s.process(count(0))
	done(t, c.Run(ctx))
	whole := requests
	for kill := 1; kill <= 4*whole; kill++ {
		s.shelf = &shelf{}
		requests = 0
		ctx, cancel := context.WithCancel(t.Context())
		hook := count(kill)
		_, c := s.process(func() error {
			err := hook()
			if err != nil {
				cancel()
			}
			return err
		})
		if err := c.Run(context.WithValue(ctx, hookKey{}, c.Mirror.(*mirrorOf[client.Product]).hook)); err == nil {
			t.Errorf("killed at %d: Run returned nil", kill)
		}
		ctx, c = s.process(count(0))
		done(t, c.Run(ctx))
		equals(t, s.shelf, s.list, s.id)
		if most := whole + 1; requests > most {
			t.Errorf("killed at %d: %d requests, want %d at most", kill, requests, most)
		}
	}
}

// Of two processes that run one copy, one stops, and the other one does not notice.
func TestCopyMoved(t *testing.T) {
	s := newShop(t, 1, products)
	s.grow(12)
	var lost error
	ctx, c := s.process(at(2, func() error { // the page has arrived
		ctx, other := s.process(at(8, func() error { return errKilled })) // it stores two pages
		lost = other.Run(ctx)
		return nil
	}))
	if err := c.Run(ctx); !errors.Is(err, client.ErrCopyMoved) || !errors.Is(lost, errKilled) {
		t.Errorf("got %v and %v, want ErrCopyMoved and a killed process", err, lost)
	}
	ctx, c = s.process(nil)
	done(t, c.Run(ctx))
	equals(t, s.shelf, s.list, s.id)
}

// Reconcile finds deletions whose webhooks were lost, also many at once, and records that the mirror lost. It costs a
// request for each page and for each difference.
func TestCopyReconciles(t *testing.T) {
	s := copied(t, 130)
	for _, id := range s.live[10:] {
		done(t, s.remove(t.Context(), id))
	}
	delete(s.rows, s.live[3])
	requests := 0
	calls := 0
	ctx, c := s.process(func() error {
		if calls++; calls%2 == 1 {
			requests++
		}
		return nil
	})
	done(t, c.Reconcile(ctx))
	equals(t, s.shelf, s.list, s.id)
	if most := 200; requests > most {
		t.Errorf("%d requests and transactions, want %d at most", requests, most)
	}
	// The mirror of an earlier installation, whose state was deleted.
	s.rows[s.live[0]-1], s.rows[s.live[9]+1000] = "{}", "{}"
	s.state = ""
	ctx, c = s.process(nil)
	done(t, c.Run(ctx))
	equals(t, s.shelf, s.list, s.id)
	// Another selection of fields begins a crawl.
	c.List = v202503.Products(s.srv.Client()).List(client.ProductFilter{Paging: client.Paging{PerPage: 5, Fields: []string{"brand"}}})
	var phases []client.CopyPhase
	c.OnProgress = func(_ context.Context, p client.CopyProgress) {
		if p.Done && p.Records == p.Total {
			phases = append(phases, p.Phase)
		}
	}
	done(t, c.Run(ctx))
	if fmt.Sprint(phases[0]) != "crawl" {
		t.Errorf("phases %v, want a crawl first", phases)
	}
	equals(t, s.shelf, v202503.Products(s.srv.Client()).List(client.ProductFilter{Paging: client.Paging{Fields: []string{"id", "brand"}}}), s.id)
}

// A record that cannot be read does not stop the copy, is reported, stays in the mirror as it was, and is copied once
// it can be read.
func TestCopyOfWhatCannotBeRead(t *testing.T) {
	spoiled := ""
	srv := newServer(t, clienttest.Options{Wrap: func(server http.RoundTripper) http.RoundTripper {
		return hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
			answer, err := server.RoundTrip(r)
			if err != nil || r.Method != http.MethodGet || spoiled == "" {
				return answer, err
			}
			body, err := io.ReadAll(answer.Body)
			_ = answer.Body.Close()
			answer.Body = io.NopCloser(strings.NewReader(strings.ReplaceAll(string(body), spoiled, `"variants":"none"`+`,"x":`+spoiled[len(`"variants":`):])))
			answer.ContentLength = -1
			answer.Header.Del("Content-Length")
			return answer, err
		})
	}})
	api := srv.Client()
	k := products(t, api)
	var ids []client.ID
	for n := range 8 {
		ids = append(ids, must[client.ID](t)(k.create(t.Context(), n)))
	}
	s := &shelf{}
	var bad []client.ID
	c := &client.Copy[client.Product]{List: k.list, Mirror: &mirrorOf[client.Product]{shelf: s, id: k.id}}
	c.OnUnreadable = func(_ context.Context, id client.ID, err error) {
		bad = append(bad, id)
		if !errors.As(err, new(*client.DecodeError)) {
			t.Errorf("unreadable: %v", err)
		}
	}
	done(t, c.Run(t.Context()))
	old := s.rows[ids[2]]
	done(t, k.update(t.Context(), ids[2], 1))
	spoiled = fmt.Sprintf(`"variants":[{"id":%d`, must[*client.Product](t)(v202503.Products(api).Get(t.Context(), ids[2])).Variants[0].ID)
	done(t, c.Run(t.Context()))
	done(t, c.Reconcile(t.Context()))
	if len(bad) != 2 || bad[0] != ids[2] || bad[1] != ids[2] || s.rows[ids[2]] != old {
		t.Errorf("reported %v, mirrored %s; want %d twice, and the old version", bad, s.rows[ids[2]], ids[2])
	}
	if err := c.Changed(t.Context(), ids[2]); !errors.As(err, new(*client.DecodeError)) {
		t.Errorf("Changed: %v", err)
	}
	spoiled = ""
	srv.Clock().Advance(time.Hour)
	done(t, c.Run(t.Context()))
	done(t, c.Reconcile(t.Context()))
	equals(t, s, k.list, k.id)
}

// A record that a list lacks is not deleted if it can still be read.
func TestCopyConfirmsDeletions(t *testing.T) {
	lying := false
	srv := newServer(t, clienttest.Options{Wrap: func(server http.RoundTripper) http.RoundTripper {
		return hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
			if lying && strings.HasSuffix(r.URL.Path, "/products") {
				return hostile.Status(200, "[]")(r)
			}
			return server.RoundTrip(r)
		})
	}})
	k := products(t, srv.Client())
	for n := range 3 {
		must[client.ID](t)(k.create(t.Context(), n))
	}
	s := &shelf{}
	c := &client.Copy[client.Product]{List: k.list, Mirror: &mirrorOf[client.Product]{shelf: s, id: k.id}}
	done(t, c.Run(t.Context()))
	lying = true
	done(t, c.Reconcile(t.Context()))
	lying = false
	equals(t, s, k.list, k.id)
}

// Orders beyond the number that a query gives are copied and compared too.
func TestCopyOfManyOrders(t *testing.T) {
	srv := hooked(t, clienttest.Options{Limits: clienttest.Limits{OrdersPerQuery: 8}})
	s := &shopOf[client.Order]{kind: orders(t, srv.Client()), shelf: &shelf{}, t: t, srv: srv}
	for range 10 {
		s.grow(3)
		srv.Clock().Advance(time.Hour)
	}
	ctx, c := s.process(nil)
	done(t, c.Run(ctx))
	delete(s.rows, s.live[20])
	s.rows[s.live[29]+1] = "{}"
	done(t, c.Reconcile(ctx))
	if len(s.rows) != 30 {
		t.Errorf("%d orders, want 30", len(s.rows))
	}
}

// The state stays small, whatever was deleted.
func TestCopyStateIsBounded(t *testing.T) {
	s := copied(t, 3)
	ctx, c := s.process(nil)
	for id := client.ID(1); id <= 700; id++ {
		done(t, c.Deleted(ctx, 900_000_000_000+id))
	}
	if len(s.state) > 50<<10 {
		t.Errorf("the state has %d bytes", len(s.state))
	}
	ctx, c = s.process(at(2, func() error { // a page that is so old that nothing says what was deleted since
		done(t, s.remove(t.Context(), s.live[0]))
		ctx, other := s.process(nil)
		done(t, other.Deleted(ctx, s.live[0]))
		for id := client.ID(1); id <= 600; id++ {
			done(t, other.Deleted(ctx, 900_000_000_000+id))
		}
		return nil
	}))
	s.state, s.rows = "", nil
	done(t, c.Run(ctx))
	equals(t, s.shelf, s.list, s.id)
}

type brokenMirror struct{ *mirrorOf[client.Product] }

func (brokenMirror) Apply(context.Context, client.CopyStep[client.Product]) error {
	return client.ErrCopyMoved
}

func TestCopyRejects(t *testing.T) {
	s := copied(t, 3)
	ctx, c := s.process(nil)
	api := s.srv.Client()
	second := must[*clienttest.Server](t)(s.srv.AddStore(77))
	mirror := func(state string) client.Mirror[client.Product] {
		return &mirrorOf[client.Product]{shelf: &shelf{state: state, rows: maps.Clone(s.rows)}, id: s.id}
	}
	for name, test := range map[string]struct {
		copy *client.Copy[client.Product]
		says string
	}{
		"no mirror":     {&client.Copy[client.Product]{List: s.list}, "Mirror: must be set"},
		"a filter":      {&client.Copy[client.Product]{List: v202503.Products(api).List(client.ProductFilter{Published: client.Set(true)}), Mirror: c.Mirror}, "selects by published"},
		"another store": {&client.Copy[client.Product]{List: v202503.Products(second.Client()).List(client.ProductFilter{}), Mirror: c.Mirror}, "must be of /products of store 77"},
		"damage":        {&client.Copy[client.Product]{List: s.list, Mirror: mirror("{")}, "delete it, then the copy starts again"},
		"newer":         {&client.Copy[client.Product]{List: s.list, Mirror: mirror(`{"form":2,"born":"x"}`)}, "newer release"},
		"broken mirror": {&client.Copy[client.Product]{List: s.list, Mirror: brokenMirror{c.Mirror.(*mirrorOf[client.Product])}}, "Mirror.Apply returned ErrCopyMoved although"},
	} {
		for method, call := range map[string]func() error{
			"Run": func() error { return test.copy.Run(ctx) }, "Reconcile": func() error { return test.copy.Reconcile(ctx) },
			"Changed": func() error { return test.copy.Changed(ctx, s.live[0]) }, "Deleted": func() error { return test.copy.Deleted(ctx, s.live[0]) },
		} {
			if err := call(); err == nil || !strings.Contains(err.Error(), test.says) || !strings.HasPrefix(err.Error(), "copy of /products: ") {
				t.Errorf("%s, %s: got %v, want %q", name, method, err, test.says)
			}
		}
	}
	if err := c.Changed(ctx, 0); !errors.Is(err, client.ErrValidation) {
		t.Errorf("id 0: %v", err)
	}
}
