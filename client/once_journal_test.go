package client_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v1"
	"github.com/commerceplatform/commerce-go/internal/tier"
)

// book is a journal that outlives the process, which here is a goroutine.
type book struct {
	open map[ulid.ULID]client.Intent
	made map[string]client.ID // by key
	// crash is asked at each step whether the process dies there.
	crash func(step string)
	fails error // of End
	full  error // of Begin
}

func newBook() *book {
	return &book{open: map[ulid.ULID]client.Intent{}, made: map[string]client.ID{}, crash: func(string) {}}
}

func (b *book) Begin(_ context.Context, in client.Intent) error {
	if b.full != nil {
		return b.full
	}
	b.open[in.ID] = in
	b.crash("begun")
	return nil
}

func (b *book) End(ctx context.Context, in client.Intent, made *client.Category) error {
	b.crash("ending")
	if b.fails != nil {
		return b.fails
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	delete(b.open, in.ID)
	if made != nil {
		b.made[in.Key] = made.ID
	}
	b.crash("ended")
	return nil
}

// only is the one open intent.
func (b *book) only(t *testing.T) client.Intent {
	t.Helper()
	if len(b.open) != 1 {
		t.Fatalf("%d open intents, want one", len(b.open))
	}
	for _, in := range b.open {
		return in
	}
	return client.Intent{}
}

func categoriesOnce(c *client.Client, b *book) client.Once[client.Category] {
	return client.Once[client.Category]{
		Journal: b,
		Among: func(since time.Time) client.List[client.Category] {
			return v1.Categories(c).List(client.CategoryFilter{Window: client.Window{CreatedMin: since}})
		},
		Match: func(c *client.Category, key string) bool { return c.Name.Get("en") == key },
	}
}

// naming creates a category of the name.
func naming(c *client.Client, name string) func(context.Context) (*client.Category, error) {
	return func(ctx context.Context) (*client.Category, error) {
		return v1.Categories(c).Create(ctx, client.CategoryInput{Name: client.Text{"en": name}})
	}
}

func named(t *testing.T, c *client.Client, name string) (ids []client.ID) {
	t.Helper()
	for c, err := range v1.Categories(c).List(client.CategoryFilter{}).All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if c.Name.Get("en") == name {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// TestProofOnceIsKilled kills the process at every step, again and again while it resumes, on a
// network that loses requests and answers: there is one record for each intent.
func TestProofOnceIsKilled(t *testing.T) {
	random := rand.New(rand.NewPCG(client.Seed(t), 0))
	kills, intents := map[string]int{}, tier.Size(20, 100, 1000)
	onServer(t, func(t *testing.T, srv *clienttest.Server, c *client.Client, _ client.ID) {
		b := newBook()
		b.crash = func(step string) {
			if random.IntN(4) == 0 {
				kills[step]++
				runtime.Goexit()
			}
		}
		once := categoriesOnce(c, b)
		create := func(name string) func(context.Context) (*client.Category, error) {
			return func(ctx context.Context) (*client.Category, error) {
				b.crash("sending")
				c, err := naming(c, name)(ctx)
				b.crash("answered")
				return c, err
			}
		}
		process := func(run func()) {
			done := make(chan struct{})
			go func() {
				defer close(done)
				run()
			}()
			<-done
		}
		for n := 0; n < intents || len(kills) < 5; n++ { // at five steps
			name := fmt.Sprintf("Category %d", n)
			if random.IntN(2) == 0 {
				lost := []clienttest.Fault{{Reset: true}, {Reset: true, After: true}, {Truncate: true, After: true}, {Status: http.StatusServiceUnavailable}, {Status: http.StatusBadGateway, After: true}, {Status: 524, After: true}}[random.IntN(6)]
				lost.Operation, lost.Count = "POST /categories", 1
				if err := srv.Fault(lost); err != nil {
					t.Fatal(err)
				}
			}
			begun := false
			for !begun {
				process(func() { _, _ = once.Create(t.Context(), name, create(name)) })
				_, done := b.made[name]
				begun = done || len(b.open) > 0
			}
			for len(b.open) > 0 {
				in := b.only(t)
				process(func() { _, _ = once.Resume(t.Context(), in, create(in.Key)) })
			}
			ids := named(t, c, name)
			if len(ids) != 1 || b.made[name] != ids[0] {
				t.Errorf("%s: records %v, the journal has %d", name, ids, b.made[name])
			}
			time.Sleep(time.Duration(random.IntN(120)) * time.Second)
		}
	})
}

func TestOnceLooksBeforeItSendsAgain(t *testing.T) {
	for _, test := range []struct {
		name    string
		faults  []clienttest.Fault // of the first create
		posts   int
		created bool
		want    []error
	}{
		{"answered", nil, 1, true, nil},
		{"answer lost", []clienttest.Fault{{Reset: true, After: true}}, 1, true, nil},
		{"answer lost behind a gateway", []clienttest.Fault{{Status: 524, After: true}}, 1, true, nil},
		{"answer lost, reads late", []clienttest.Fault{{Reset: true, After: true}, {Operation: "GET /categories", Skip: 2, Count: 2, Status: 404, Body: `{"code":404,"message":"Not Found","description":"Last page is 0"}`}}, 1, true, nil},
		{"request lost", []clienttest.Fault{{Reset: true}}, 1, false, []error{client.ErrOutcomeUnknown, client.ErrProbablyNotCreated}},
		{"refused", []clienttest.Fault{{Status: 403}}, 1, false, []error{client.ErrForbidden}},
		{"nothing can be read", []clienttest.Fault{{Operation: "GET /categories", Status: 403}}, 0, false, []error{client.ErrForbidden}},
		{"search fails", []clienttest.Fault{{Reset: true, After: true}, {Operation: "GET /categories", Skip: 2, Status: 403}}, 1, false, []error{client.ErrOutcomeUnknown, client.ErrForbidden}},
	} {
		t.Run(test.name, func(t *testing.T) {
			onServer(t, func(t *testing.T, srv *clienttest.Server, api *client.Client, _ client.ID) {
				for _, f := range test.faults {
					if f.Operation == "" {
						f.Operation, f.Count = "POST /categories", 1
					}
					if err := srv.Fault(f); err != nil {
						t.Fatal(err)
					}
				}
				b := newBook()
				c, err := categoriesOnce(api, b).Create(t.Context(), "Mugs", naming(api, "Mugs"))
				for _, want := range test.want {
					if !errors.Is(err, want) {
						t.Errorf("got %v, want %v", err, want)
					}
				}
				if test.created != (err == nil && c.ID == b.made["Mugs"] && c.ID != 0) {
					t.Errorf("got %v, %v; journal %v", c, err, b.made)
				}
				if got := posts(srv, "POST /categories", 0); got != test.posts {
					t.Errorf("%d creates were sent, want %d", got, test.posts)
				}
				if open := errors.Is(err, client.ErrOutcomeUnknown); open != (len(b.open) == 1) {
					t.Errorf("%d intents are open after %v", len(b.open), err)
				}
			})
		})
	}
}

// The record of an old intent is listed by now, so a look without a create needs no wait. An earlier Resume may have
// sent a create just now, so a create is never sent without the waits.
func TestOnceResumesOldIntentsAtOnce(t *testing.T) {
	onServer(t, func(t *testing.T, srv *clienttest.Server, c *client.Client, _ client.ID) {
		b := newBook()
		once := categoriesOnce(c, b)
		if err := srv.Fault(clienttest.Fault{Operation: "POST /categories", Reset: true, Count: 1}); err != nil {
			t.Fatal(err)
		}
		_, err := once.Create(t.Context(), "Mugs", naming(c, "Mugs"))
		if !errors.Is(err, client.ErrProbablyNotCreated) {
			t.Fatalf("got %v, want ErrProbablyNotCreated", err)
		}
		in := b.only(t)
		for _, c := range []struct {
			age    time.Duration
			create func(context.Context) (*client.Category, error)
			waits  bool
		}{{30 * time.Minute, nil, true}, {24 * time.Hour, nil, false}, {24 * time.Hour, naming(c, "Mugs"), true}} {
			if err := in.ID.SetTime(ulid.Timestamp(time.Now().Add(-c.age))); err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			_, err := once.Resume(t.Context(), in, c.create)
			unknown := errors.Is(err, client.ErrProbablyNotCreated) && errors.Is(err, client.ErrOutcomeUnknown)
			if unknown != (c.create == nil) || (time.Since(start) >= 15*time.Second) != c.waits {
				t.Errorf("%v old, create %v: got %v after %v", c.age, c.create != nil, err, time.Since(start))
			}
		}
	})
}

// What was there before is not taken for the new record, even if it looks the same.
func TestOnceIsNotDeceived(t *testing.T) {
	onServer(t, func(t *testing.T, srv *clienttest.Server, c *client.Client, _ client.ID) {
		old := must[*client.Category](t)(naming(c, "Mugs")(t.Context()))
		b := newBook()
		once := categoriesOnce(c, b)
		if err := srv.Fault(clienttest.Fault{Operation: "POST /categories", Reset: true, Count: 1}); err != nil {
			t.Fatal(err)
		}
		if _, err := once.Create(t.Context(), "Mugs", naming(c, "Mugs")); !errors.Is(err, client.ErrProbablyNotCreated) {
			t.Fatalf("got %v: the category was there before", err)
		}
		in := b.only(t)
		if in.Path != "/categories" || in.StoreID != srv.StoreID() || in.After != old.ID || in.Since.IsZero() {
			t.Errorf("intent %+v", in)
		}
		if _, err := once.Resume(t.Context(), in, nil); !errors.Is(err, client.ErrProbablyNotCreated) || len(b.open) != 1 {
			t.Errorf("looked only: got %v, want the intent open", err)
		}
		if err := srv.Fault(clienttest.Fault{Operation: "GET /categories", Status: http.StatusForbidden, Count: 1}); err != nil {
			t.Fatal(err)
		}
		sent := posts(srv, "POST /categories", 0)
		if _, err := once.Resume(t.Context(), in, naming(c, "Mugs")); !errors.Is(err, client.ErrForbidden) || posts(srv, "POST /categories", 0) != sent {
			t.Errorf("a search that fails: got %v, want it sent only after a good look", err)
		}
		made := must[*client.Category](t)(once.Resume(t.Context(), in, naming(c, "Mugs")))
		if made.ID == old.ID || len(b.open) != 0 {
			t.Errorf("resumed: got %d; the old one is %d, %d open", made.ID, old.ID, len(b.open))
		}
		must[*client.Category](t)(naming(c, "Mugs")(t.Context()))
		_, err := once.Resume(t.Context(), in, nil)
		if twice, ok := errors.AsType[*client.DuplicateError[client.Category]](err); !ok || len(twice.Records) != 2 {
			t.Errorf("two match: got %v, want a DuplicateError", err)
		}
		in.Path = "/pages"
		if _, err := once.Resume(t.Context(), in, nil); !errors.Is(err, client.ErrValidation) {
			t.Errorf("an intent of pages: got %v, want ErrValidation", err)
		}
	})
}

// TestOnceFindsTheRecordWhateverTheDate: a Date that was ahead became the start of the search, so the record was not
// found and was created again.
func TestOnceFindsTheRecordWhateverTheDate(t *testing.T) {
	for _, off := range []time.Duration{-24 * time.Hour, -time.Hour, time.Hour, 24 * time.Hour} {
		wrong := func(next http.RoundTripper) http.RoundTripper { return dateOff{next, off} }
		platform(t, clienttest.Options{Wrap: wrong}, func(t *testing.T, srv *clienttest.Server, _ *client.Client) {
			c := srv.Client()
			b := newBook()
			if err := srv.Fault(clienttest.Fault{Operation: "POST /categories", Reset: true, After: true, Count: 1}); err != nil {
				t.Fatal(err)
			}
			made, err := categoriesOnce(c, b).Create(t.Context(), "Mugs", naming(c, "Mugs"))
			if ids := named(t, c, "Mugs"); err != nil || len(ids) != 1 || made.ID != ids[0] || b.made["Mugs"] != made.ID {
				t.Errorf("Date off by %v: got %v, %v; there are %v", off, made, err, ids)
			}
		})
	}
}

// dateOff changes the Date of each response.
type dateOff struct {
	http.RoundTripper
	by time.Duration
}

func (d dateOff) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := d.RoundTripper.RoundTrip(r)
	if err == nil {
		date, _ := http.ParseTime(resp.Header.Get("Date"))
		resp.Header.Set("Date", date.Add(d.by).Format(http.TimeFormat))
	}
	return resp, err
}

func TestOnceTellsOfItsJournal(t *testing.T) {
	onServer(t, func(t *testing.T, srv *clienttest.Server, api *client.Client, _ client.ID) {
		b := newBook()
		once := categoriesOnce(api, b)
		ctx, cancel := context.WithCancel(t.Context())
		c, err := once.Create(ctx, "Left", func(ctx context.Context) (*client.Category, error) {
			defer cancel()
			return naming(api, "Left")(ctx)
		})
		if err != nil || b.made["Left"] != c.ID {
			t.Errorf("a caller that leaves: %v, journal %v; want the outcome written down", err, b.made)
		}
		b.fails = errors.New("disk full")
		if c, err := once.Create(t.Context(), "Full", naming(api, "Full")); c == nil || !errors.Is(err, b.fails) {
			t.Errorf("got %v, %v; want the record and the journal's error", c, err)
		}
		in := b.only(t)
		if c, err := once.Resume(t.Context(), in, nil); c == nil || !errors.Is(err, b.fails) {
			t.Errorf("resumed: got %v, %v; want the record and the journal's error", c, err)
		}
		other := in
		other.Key = "Other"
		if c, err := once.Resume(t.Context(), other, naming(api, "Other")); c == nil || !errors.Is(err, b.fails) {
			t.Errorf("resumed and sent: got %v, %v; want the record and the journal's error", c, err)
		}
		b.fails = nil
		refused := errors.New("refused by the caller")
		c, err = once.Create(t.Context(), "Refused", func(context.Context) (*client.Category, error) { return &client.Category{ID: 7}, refused })
		if _, made := b.made["Refused"]; c != nil || !errors.Is(err, refused) || made || len(b.open) != 1 {
			t.Errorf("a create that fails: got %v, %v, journal %v with %d open; want the intent struck out without a record", c, err, b.made, len(b.open)-1)
		}
		other = in
		other.StoreID++
		if _, err := once.Resume(t.Context(), other, nil); !errors.Is(err, client.ErrValidation) {
			t.Errorf("an intent of another store: got %v, want ErrValidation", err)
		}
	})
}

// Nothing is sent that was not written down first, nor before a good look.
func TestOnceSendsNothingUnwritten(t *testing.T) {
	onServer(t, func(t *testing.T, srv *clienttest.Server, c *client.Client, _ client.ID) {
		b := newBook()
		once := categoriesOnce(c, b)
		b.full = errors.New("disk full")
		if c, err := once.Create(t.Context(), "Mugs", naming(c, "Mugs")); c != nil || !errors.Is(err, b.full) {
			t.Errorf("got %v, %v; want the journal's error", c, err)
		}
		b.full = nil
		for _, skip := range []int{0, 1} { // the first look is for the platform's time
			if err := srv.Fault(clienttest.Fault{Operation: "GET /categories", Skip: skip, Status: http.StatusForbidden}); err != nil {
				t.Fatal(err)
			}
			if c, err := once.Create(t.Context(), "Mugs", naming(c, "Mugs")); c != nil || !errors.Is(err, client.ErrForbidden) {
				t.Errorf("got %v, %v; want what the look met", c, err)
			}
			srv.EndFaults()
		}
		if got := posts(srv, "POST /categories", 0); got != 0 || len(b.open) != 0 {
			t.Errorf("sent %d times, and %d intents are open", got, len(b.open))
		}
	})
}

// holding is a journal of several processes.
type holding struct {
	*book
	busy  error // of Hold
	begun []bool
	held  int // how many claims there are
	lose  context.CancelCauseFunc
}

type claimed struct{}

func (h *holding) Hold(ctx context.Context, _ client.Intent, begun bool) (context.Context, func(), error) {
	if h.busy != nil {
		return nil, nil, h.busy
	}
	h.begun = append(h.begun, begun)
	h.held++
	ctx, h.lose = context.WithCancelCause(context.WithValue(ctx, claimed{}, true))
	return ctx, func() { h.held-- }, nil
}

func (h *holding) End(ctx context.Context, in client.Intent, made *client.Category) error {
	if h.held != 1 || ctx.Value(claimed{}) == nil {
		return errors.New("End without the claim")
	}
	return h.book.End(ctx, in, made)
}

// An intent that another process works on is left alone, and work on it ends with the claim.
func TestOnceHoldsItsIntent(t *testing.T) {
	onServer(t, func(t *testing.T, srv *clienttest.Server, c *client.Client, _ client.ID) {
		h := &holding{book: newBook()}
		once := categoriesOnce(c, h.book)
		once.Journal = h
		must[*client.Category](t)(once.Create(t.Context(), "Mugs", naming(c, "Mugs")))
		lost := errors.New("another process has it")
		_, err := once.Create(t.Context(), "Cups", func(ctx context.Context) (*client.Category, error) {
			h.lose(lost)
			return nil, client.ErrOutcomeUnknown
		})
		if !errors.Is(err, client.ErrOutcomeUnknown) || !strings.Contains(err.Error(), lost.Error()) {
			t.Errorf("the claim is lost: got %v, want an unknown outcome and why", err)
		}
		in := h.only(t)
		must[*client.Category](t)(once.Resume(t.Context(), in, naming(c, "Cups")))
		if fmt.Sprint(h.begun) != "[true true false]" || h.held != 0 {
			t.Errorf("held %v, %d still", h.begun, h.held)
		}
		h.busy = errors.New("busy")
		sent := len(srv.Requests())
		if _, err := once.Resume(t.Context(), in, naming(c, "Cups")); !errors.Is(err, h.busy) || len(srv.Requests()) != sent {
			t.Errorf("another process works on it: got %v, want nothing sent", err)
		}
		if _, err := once.Create(t.Context(), "Jugs", naming(c, "Jugs")); !errors.Is(err, h.busy) || posts(srv, "POST /categories", sent) != 0 {
			t.Errorf("another process took it: got %v, want nothing sent", err)
		}
	})
}

// Records without a since_id cannot be told from those that look the same.
func TestOnceWithoutSinceID(t *testing.T) {
	onServer(t, func(t *testing.T, srv *clienttest.Server, c *client.Client, _ client.ID) {
		in := client.LocationInput{Name: client.Text{"en": "Depot"}, Address: client.Set(client.LocationAddressInput{
			Street: "Mitre", City: "Rosario", Zipcode: "2000",
			Province: client.NamedInput{Code: "S", Name: "Santa Fe"}, Country: client.NamedInput{Code: "AR", Name: "Argentina"}, Region: client.NamedInput{Code: "L", Name: "Litoral"},
		})}
		once := client.Once[client.Location]{
			Journal: ended[client.Location]{},
			Among:   func(time.Time) client.List[client.Location] { return v1.Locations(c).List() },
			Match:   func(l *client.Location, key string) bool { return strings.EqualFold(l.Name.Get("en"), key) },
		}
		create := func(ctx context.Context) (*client.Location, error) { return v1.Locations(c).Create(ctx, in) }
		if err := srv.Fault(clienttest.Fault{Operation: "POST /locations", Reset: true, After: true, Count: 1}); err != nil {
			t.Fatal(err)
		}
		made := must[*client.Location](t)(once.Create(t.Context(), "Depot", create))
		if made.ID == (ulid.ULID{}) {
			t.Error("no id")
		}
		before := posts(srv, "POST /locations", 0)
		if _, err := once.Create(t.Context(), "Depot", create); !errors.Is(err, client.ErrValidation) || posts(srv, "POST /locations", 0) != before {
			t.Errorf("a second one: got %v, want it refused before it is sent", err)
		}
	})
}

// ended is a journal of processes that never die.
type ended[T any] struct{}

func (ended[T]) Begin(context.Context, client.Intent) error   { return nil }
func (ended[T]) End(context.Context, client.Intent, *T) error { return nil }

// TestOnceForOrders: also where the store has more orders than a query gives.
func TestOnceForOrders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv, err := startServer(clienttest.Options{RealTime: true, Limits: clienttest.Limits{OrdersPerQuery: 2}})
		if err != nil {
			t.Fatal(err)
		}
		defer srv.Close()
		c := srv.Client()
		p := must[*client.Product](t)(v1.Products(c).Create(t.Context(), client.ProductInput{Name: client.Plain("Mug"), Variants: []client.VariantInput{{Price: client.Set(client.Cents(500))}}}))
		create := func(note string) func(context.Context) (*client.Order, error) {
			return func(ctx context.Context) (*client.Order, error) {
				in := bought(p.Variants[0].ID)
				in.Note = note
				return v1.Orders(c).Create(ctx, in)
			}
		}
		for range 3 {
			must[*client.Order](t)(create("")(t.Context()))
			time.Sleep(time.Hour)
		}
		once := client.Once[client.Order]{
			Journal: ended[client.Order]{},
			Among: func(since time.Time) client.List[client.Order] {
				return v1.Orders(c).List(client.OrderFilter{AppID: srv.App().ID, Window: client.Window{CreatedMin: since}})
			},
			Match: func(o *client.Order, key string) bool { return o.Note == key },
		}
		if err := srv.Fault(clienttest.Fault{Operation: "POST /orders", Reset: true, After: true, Count: 1}); err != nil {
			t.Fatal(err)
		}
		o := must[*client.Order](t)(once.Create(t.Context(), "import 7", create("import 7")))
		if o.Note != "import 7" || posts(srv, "POST /orders", 0) != 4 {
			t.Errorf("got %q after %d creates", o.Note, posts(srv, "POST /orders", 0))
		}
	})
}
