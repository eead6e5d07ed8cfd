package client_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/internal/hostile"
	"github.com/commerceplatform/commerce-go/internal/tier"
)

// hookKey is the context key of a function that is called before a request is sent and after it was answered.
type hookKey struct{}

// hooked is a platform whose clients call the hook of their context.
func hooked(t *testing.T, o clienttest.Options) *clienttest.Server {
	o.Wrap = func(server http.RoundTripper) http.RoundTripper {
		return hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
			hook, _ := r.Context().Value(hookKey{}).(func() error)
			if hook == nil {
				return server.RoundTrip(r)
			}
			if err := hook(); err != nil {
				return nil, err
			}
			answer, err := server.RoundTrip(r)
			if err == nil {
				if err = hook(); err != nil {
					_ = answer.Body.Close()
				}
			}
			return answer, err
		})
	}
	return newServer(t, o)
}

// kind is a kind of record that is copied.
type kind[T any] struct {
	list   client.List[T]
	id     func(*T) client.ID
	create func(ctx context.Context, n int) (client.ID, error)
	update func(ctx context.Context, id client.ID, n int) error
	remove func(ctx context.Context, id client.ID) error // nil if the platform deletes none
}

// shopOf is a store that changes at random while processes copy it, and are killed.
type shopOf[T any] struct {
	kind[T]
	*shelf
	t       *testing.T
	srv     *clienttest.Server
	rng     *rand.Rand
	n       int
	live    []client.ID
	late    []event // webhooks that were not delivered yet
	lossy   bool    // webhooks of deletions may be lost
	depth   int
	changes int
}

// event is a webhook.
type event struct {
	id      client.ID
	deleted bool
}

// process returns a copy as another process has it. Its hook is called at each step of it.
func (s *shopOf[T]) process(hook func() error) (context.Context, *client.Copy[T]) {
	ctx := s.t.Context()
	if hook != nil {
		ctx = context.WithValue(ctx, hookKey{}, hook)
	}
	return ctx, &client.Copy[T]{List: s.list, Mirror: &mirrorOf[T]{s.shelf, s.id, hook}}
}

// grow creates records without webhooks.
func (s *shopOf[T]) grow(n int) {
	for range n {
		s.n++
		s.live = append(s.live, must[client.ID](s.t)(s.create(s.t.Context(), s.n)))
	}
}

// change changes a record at random, and delivers its webhook now, late or never.
func (s *shopOf[T]) change() {
	s.n++
	s.changes++
	ctx := s.t.Context()
	var e event
	i := s.rng.IntN(len(s.live))
	switch what := s.rng.IntN(4); {
	case what == 0:
		e.id = must[client.ID](s.t)(s.create(ctx, s.n))
		s.live = append(s.live, e.id)
	case what == 1 && s.remove != nil && len(s.live) > 1:
		e = event{s.live[i], true}
		s.live = slices.Delete(s.live, i, i+1)
		if err := s.remove(ctx, e.id); err != nil {
			s.t.Fatal(err)
		}
	default:
		e.id = s.live[i]
		if err := s.update(ctx, e.id, s.n); err != nil {
			s.t.Fatal(err)
		}
	}
	switch fate := s.rng.IntN(4); {
	case fate == 0 && (s.lossy || !e.deleted): // lost
	case fate == 1:
		s.late = append(s.late, e)
	default:
		s.deliver(e)
	}
}

// deliver gives a webhook to another process, in which the store may change again.
func (s *shopOf[T]) deliver(e event) {
	ctx, other := s.process(s.meanwhile)
	var err error
	if e.deleted {
		err = other.Deleted(ctx, e.id)
	} else {
		err = other.Changed(ctx, e.id)
	}
	if err != nil {
		s.t.Fatal(err)
	}
}

// meanwhile is what happens between two steps of a process.
func (s *shopOf[T]) meanwhile() error {
	if s.depth++; s.depth <= 2 && s.rng.IntN(3) == 0 {
		s.srv.Clock().Advance(time.Duration(s.rng.IntN(15)) * time.Minute)
		s.change()
		if len(s.late) > 0 && s.rng.IntN(2) == 0 {
			i := s.rng.IntN(len(s.late))
			e := s.late[i]
			s.late = slices.Delete(s.late, i, i+1)
			s.deliver(e)
		}
	}
	s.depth--
	return nil
}

// killed does some work of a process that dies at the given step, counted from 1, and reports whether it was alive at
// the end.
func (s *shopOf[T]) killed(at int, work func(context.Context, *client.Copy[T]) error) (ended bool) {
	steps := 0
	ctx, process := s.process(nil)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	hook := func() error {
		if steps++; steps < at {
			return s.meanwhile()
		}
		cancel()
		return errKilled
	}
	process.Mirror.(*mirrorOf[T]).hook = hook
	err := work(context.WithValue(ctx, hookKey{}, hook), process)
	if err != nil && !errors.Is(err, errKilled) && !errors.Is(err, context.Canceled) && !errors.Is(err, client.ErrCopyMoved) {
		s.t.Fatal(err)
	}
	return err == nil
}

// story lets processes be killed at random steps, and fails the test unless the mirror equals the store afterwards.
func (s *shopOf[T]) story() {
	s.grow(25)
	works := []func(context.Context, *client.Copy[T]) error{
		func(ctx context.Context, c *client.Copy[T]) error { return c.Run(ctx) },
		func(ctx context.Context, c *client.Copy[T]) error { return c.Run(ctx) },
		func(ctx context.Context, c *client.Copy[T]) error { return c.Reconcile(ctx) },
	}
	if !s.lossy {
		works = works[:2]
	}
	for kills := tier.Size(2, 20, 500); kills > 0; {
		if !s.killed(1+s.rng.IntN(30), works[s.rng.IntN(len(works))]) {
			kills--
		}
		for range s.rng.IntN(3) {
			s.change()
		}
	}
	for len(s.late) > 0 {
		e := s.late[0]
		s.late = s.late[1:]
		s.deliver(e)
	}
	s.srv.Clock().Advance(time.Hour)
	ctx, last := s.process(nil)
	if err := last.Run(ctx); err != nil {
		s.t.Fatal(err)
	}
	if s.lossy {
		if err := last.Reconcile(ctx); err != nil {
			s.t.Fatal(err)
		}
	}
	equals(s.t, s.shelf, s.list, s.id)
	s.t.Logf("%d records after %d changes", len(s.rows), s.changes)
}

// TestProofCopyKilled: processes are killed at random steps of Run and Reconcile while the store changes, webhooks come
// early, late, twice at a time or never, and other processes write the same records. The mirror equals the store
// afterwards. Only where webhooks of deletions are lost, Reconcile is called for that.
func TestProofCopyKilled(t *testing.T) {
	seed := client.Seed(t)
	for _, lossy := range []bool{false, true} {
		name := fmt.Sprintf("lossy %v", lossy)
		t.Run("products "+name, func(t *testing.T) { copyStory(t, seed, lossy, products) })
		t.Run("customers "+name, func(t *testing.T) { copyStory(t, seed, lossy, customers) })
		t.Run("orders "+name, func(t *testing.T) { copyStory(t, seed, lossy, orders) })
	}
}

func copyStory[T any](t *testing.T, seed uint64, lossy bool, of func(*testing.T, *client.Client) kind[T]) {
	s := newShop(t, seed, of)
	s.lossy = lossy
	s.story()
}

func newShop[T any](t *testing.T, seed uint64, of func(*testing.T, *client.Client) kind[T]) *shopOf[T] {
	srv := hooked(t, clienttest.Options{Limits: clienttest.Limits{OrdersPerQuery: 1000}})
	return &shopOf[T]{kind: of(t, srv.Client()), shelf: &shelf{}, t: t, srv: srv, rng: rand.New(rand.NewPCG(seed, 0))}
}

// five is a small page.
var five = client.Paging{PerPage: 5}

func products(_ *testing.T, c *client.Client) kind[client.Product] {
	return kind[client.Product]{
		list: v202503.Products(c).List(client.ProductFilter{Paging: five}),
		id:   func(p *client.Product) client.ID { return p.ID },
		create: func(ctx context.Context, n int) (client.ID, error) {
			p, err := v202503.Products(c).Create(ctx, client.ProductInput{Name: client.Plain(fmt.Sprint("Mug ", n)), Variants: []client.VariantInput{{Price: client.Set(client.Cents(500))}}})
			if err != nil {
				return 0, err
			}
			return p.ID, nil
		},
		update: func(ctx context.Context, id client.ID, n int) error {
			_, err := v202503.Products(c).Update(ctx, id, client.ProductInput{Brand: client.Set(fmt.Sprint("Brand ", n))})
			return err
		},
		remove: v202503.Products(c).Delete,
	}
}

func customers(_ *testing.T, c *client.Client) kind[client.Customer] {
	return kind[client.Customer]{
		list: v202503.Customers(c).List(client.CustomerFilter{Paging: five}),
		id:   func(c *client.Customer) client.ID { return c.ID },
		create: func(ctx context.Context, n int) (client.ID, error) {
			c, err := v202503.Customers(c).Create(ctx, client.CustomerInput{Name: fmt.Sprint("Ana ", n), Email: fmt.Sprintf("ana-%d@shop.example", n)})
			if err != nil {
				return 0, err
			}
			return c.ID, nil
		},
		update: func(ctx context.Context, id client.ID, n int) error {
			_, err := v202503.Customers(c).Update(ctx, id, client.CustomerInput{Note: client.Set(fmt.Sprint("Note ", n))})
			return err
		},
		remove: v202503.Customers(c).Delete,
	}
}

func orders(t *testing.T, c *client.Client) kind[client.Order] {
	variant := product(t.Context(), c)
	return kind[client.Order]{
		list: v202503.Orders(c).List(client.OrderFilter{Paging: five}),
		id:   func(o *client.Order) client.ID { return o.ID },
		create: func(ctx context.Context, n int) (client.ID, error) {
			in := bought(variant)
			in.Customer.Email = fmt.Sprintf("ana-%d@shop.example", n)
			o, err := v202503.Orders(c).Create(ctx, in)
			if err != nil {
				return 0, err
			}
			return o.ID, nil
		},
		update: func(ctx context.Context, id client.ID, n int) error {
			_, err := v202503.Orders(c).Update(ctx, id, client.OrderUpdate{OwnerNote: client.Set(fmt.Sprint("Note ", n))})
			return err
		},
	}
}
