package deviate_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"reflect"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/internal/deviate"
)

// tour calls every method of every service once or more, in one order, and keeps what each call returned.
type tour struct {
	ctx       context.Context
	searching context.Context // of calls that create a record unless a search finds it
	srv       *clienttest.Server
	client    *client.Client
	plans     *client.PlanService
	sale      *client.Product // nil until something is sold

	plain      []entry             // of the tour without deviations; nil for that one
	rows       []deviate.Deviation // what deviates
	deviator   *deviate.Deviator
	unread     int // items that no client can read, up to the call that was recorded last
	made       []entry
	findings   []string
	operations []string     // what the server was asked for: "GET /products/{id}"
	asked      atomic.Int64 // requests since the last call was recorded
}

// entry is what a call returned.
type entry struct {
	name  string // "Product.Get"
	value any
	err   error
}

// mostRequests is how many requests a call may make before the list counts as one without an end.
const mostRequests = 150

// gate is the server as the tour sees it. The ids of requests do not depend on how many requests came before, and a
// list that does not end is cut off.
type gate struct {
	next  http.RoundTripper
	asked *atomic.Int64
}

func (g gate) RoundTrip(q *http.Request) (*http.Response, error) {
	if g.asked.Add(1) > mostRequests {
		return nil, errors.New("the call made more than 150 requests")
	}
	res, err := g.next.RoundTrip(q)
	if err == nil && res.Header.Get("X-Request-Id") != "" {
		res.Header.Set("X-Request-Id", q.Method+q.URL.Path)
	}
	return res, err
}

// run makes the parts of a tour with what d deviates from, in a bubble with a server of its own. It compares each call
// with plain.
func run(t *testing.T, plain []entry, rows []deviate.Deviation, d *deviate.Deviator, parts ...func(*tour)) *tour {
	t.Helper()
	made := &tour{plain: plain, rows: rows, deviator: d}
	synctest.Test(t, func(t *testing.T) {
		srv, err := clienttest.Start(clienttest.Options{
			Demo: true, RealTime: true, Features: []string{client.FeatureFulfillmentLabels},
			Wrap: func(next http.RoundTripper) http.RoundTripper { return d.Wrap(gate{next, &made.asked}) },
		})
		if err != nil {
			t.Fatal(err)
		}
		defer srv.Close()
		made.ctx, made.searching, made.srv = t.Context(), deviate.Searching(t.Context()), srv
		made.client = srv.Client()
		app, err := client.NewApp(client.AppConfig{ID: srv.App().ID, Secret: srv.App().Secret, Config: client.Config{
			BaseURL: srv.URL(), UserAgent: "Tests (tests@app.example)", HTTPClient: &http.Client{Transport: d.Wrap(gate{srv.Transport(), &made.asked})},
		}})
		if err != nil {
			t.Fatal(err)
		}
		made.plans = v202503.Plans(app)
		made.visit(parts)
		for _, r := range srv.Requests() {
			made.operations = append(made.operations, r.Operation)
		}
	})
	return made
}

// everything are the parts of the whole tour.
var everything = []func(*tour){
	(*tour).catalog, (*tour).customFields, (*tour).people, (*tour).purchases, (*tour).parcels, (*tour).store, (*tour).money, (*tour).pagesOfLists, (*tour).changes,
	(*tour).failures,
}

// visit makes all the calls. A deviation that spoils what later calls need ends the tour early, which is a finding.
func (t *tour) visit(parts []func(*tour)) {
	defer func() {
		if t.plain == nil {
			return
		}
		if failed, ok := recover().(error); ok {
			t.findings = append(t.findings, fmt.Sprintf("the tour ended after call %d: %v", len(t.made), failed))
		}
	}()
	for _, part := range parts {
		part(t)
		t.settle()
	}
	if t.plain != nil && len(t.made) < len(t.plain) {
		t.findings = append(t.findings, fmt.Sprintf("%d calls, want %d", len(t.made), len(t.plain)))
	}
}

// settle waits until the next minute has begun. How long calls waited before that does not change times of records.
func (t *tour) settle() { time.Sleep(time.Until(time.Now().Truncate(time.Minute).Add(time.Minute))) }

// returned is what a call returned, before it is recorded.
type returned[T any] struct {
	value T
	err   error
}

func see[T any](value T, err error) returned[T] { return returned[T]{value, err} }

// seeMade is see for a CreateOrGet.
func seeMade[T any](value T, made bool, err error) returned[T] {
	if made && err != nil {
		panic(fmt.Sprintf("made, and %v", err))
	}
	return see(value, err)
}

// done is a call that returns nothing but an error.
func done(err error) returned[struct{}] { return returned[struct{}]{err: err} }

// as records a call that must succeed, and returns its value: that of the tour without deviations if this one differs.
func (r returned[T]) as(t *tour, name string) T {
	t.record(entry{name, r.value, r.err})
	if t.plain == nil {
		if r.err != nil {
			panic(fmt.Sprintf("%s: %v", name, r.err))
		}
		return r.value
	}
	if at := len(t.made) - 1; r.err != nil && at < len(t.plain) {
		if v, ok := t.plain[at].value.(T); ok {
			return v
		}
	}
	return r.value
}

// fails records a call that must fail.
func (r returned[T]) fails(t *tour, name string) error {
	if t.plain == nil && r.err == nil {
		panic(name + ": succeeded")
	}
	t.record(entry{name, r.value, r.err})
	return r.err
}

func (t *tour) record(e entry) {
	t.made = append(t.made, e)
	t.asked.Store(0)
	if t.plain == nil {
		return
	}
	at := len(t.made) - 1
	if at >= len(t.plain) || t.plain[at].name != e.name {
		t.findings = append(t.findings, fmt.Sprintf("call %d is %s: not a call of the tour without deviations", at, e.name))
		return
	}
	if found := t.compare(t.plain[at], e); found != "" {
		t.findings = append(t.findings, fmt.Sprintf("%s (call %d): %s", e.name, at, found))
	}
}

// compare returns the first difference, or "".
func (t *tour) compare(plain, got entry) string {
	err := got.err
	if t.allowed(func(d deviate.Deviation) bool { return d.Unreadable }) {
		if t.met() && reflect.ValueOf(got.value).Kind() == reflect.Slice && !errors.Is(err, client.ErrUnreadableItem) {
			return fmt.Sprintf("an item that cannot be read\n\t got %v\n\twant an error that says so", err)
		}
		err = readable(err)
	}
	if found := differentErrors(plain.err, err); found != "" {
		return found
	}
	return difference(plain.value, got.value, t.allowed(func(d deviate.Deviation) bool { return d.HidesTotal }))
}

// met reports whether the responses to a call had items that no client can read.
func (t *tour) met() bool {
	before := t.unread
	met := t.deviator.Met()
	t.unread = 0
	for _, d := range t.rows {
		if d.Unreadable {
			t.unread += met[d.Name]
		}
	}
	return t.unread > before
}

func (t *tour) allowed(which func(deviate.Deviation) bool) bool {
	for _, d := range t.rows {
		if which(d) {
			return true
		}
	}
	return false
}

// readable returns the parts of an error that are not about unreadable items.
func readable(err error) error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var rest []error
		for _, e := range joined.Unwrap() {
			rest = append(rest, readable(e))
		}
		return errors.Join(rest...)
	}
	if errors.Is(err, client.ErrUnreadableItem) {
		return nil
	}
	return err
}

// gathered returns the records of an iterator, and its errors joined.
func gathered[T any](records iter.Seq2[*T, error]) (all []T, err error) {
	var errs []error
	for r, err := range records {
		if r != nil {
			all = append(all, *r)
		}
		errs = append(errs, err)
	}
	return all, errors.Join(errs...)
}

// walk reads a list in every way that lists have, and returns its records. Where nothing deviates about lists one way
// is enough.
func walk[T any](t *tour, name string, l client.List[T]) []T {
	all := see(l.Collect(t.ctx)).as(t, name)
	every := t.plain == nil || t.allowed(func(d deviate.Deviation) bool { return d.Lists })
	if !every {
		t.made = append(t.made, t.plain[len(t.made):][:3]...)
		return all
	}
	see(gathered(l.All(t.ctx))).as(t, name+" All")
	see(gathered(l.Ahead(t.ctx, 3))).as(t, name+" Ahead")
	see(paged(l.Pages(t.ctx))).as(t, name+" Pages")
	return all
}

// crawl is walk for a list that knows since_id.
func crawl[T any](t *tour, name string, l client.List[T]) []T {
	see(gathered(l.Since(t.ctx, 0))).as(t, name+" Since")
	return walk(t, name, l)
}

// paged returns the records of all pages: how many are on a page is up to the server.
func paged[T any](pages iter.Seq2[*client.Page[T], error]) (all []T, err error) {
	var errs []error
	for p, err := range pages {
		if p != nil {
			all = append(all, p.Items...)
		}
		errs = append(errs, err)
	}
	return all, errors.Join(errs...)
}
