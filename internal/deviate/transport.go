package deviate

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
)

// Deviator applies deviations to responses. It is safe for concurrent use, also by several transports.
type Deviator struct {
	seed   uint64
	steady []Deviation
	mixed  int // how many others each response gets, chosen by the seed and the request

	mu  sync.Mutex
	met map[string]int
}

// Always applies the rows to every response. The seed decides about details such as the order of members.
func Always(seed uint64, rows ...Deviation) *Deviator {
	return &Deviator{seed: seed, steady: rows, met: make(map[string]int)}
}

// Mixed applies n deviations to each response, chosen by the seed and the request, and one Steady deviation to all of
// them. All of them are Invisible.
func Mixed(seed uint64, n int) *Deviator {
	d := Always(seed, Pick(rand.New(rand.NewPCG(seed, 0)), 1, func(d Deviation) bool { return d.Steady && d.Invisible() })...)
	d.mixed = n
	return d
}

// Met returns how many calls each deviation changed, by name.
func (d *Deviator) Met() map[string]int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(d.met)
}

// trusted reports whether the deviation has been seen to change a response. Until then its own word does not count.
func (d *Deviator) trusted(name string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.met[name] > 0
}

// Wrap returns a transport that deviates from the responses of next.
func (d *Deviator) Wrap(next http.RoundTripper) http.RoundTripper { return &transport{d, next} }

type transport struct {
	*Deviator
	next http.RoundTripper
}

// Searching returns a context for calls that create a record unless a search finds it. The responses to its requests
// get no unreadable items: one of them could be the record, so such a call must not create another one.
func Searching(ctx context.Context) context.Context {
	return context.WithValue(ctx, searching{}, true)
}

type searching struct{}

// rows returns the deviations of one call, and the source of their details.
func (d *Deviator) rows(q *http.Request) ([]Deviation, *rand.Rand) {
	h := fnv.New64a()
	fmt.Fprint(h, q.Method, " ", q.URL.Path, "?", q.URL.RawQuery)
	r := rand.New(rand.NewPCG(d.seed, h.Sum64()))
	if d.mixed == 0 {
		return d.steady, r
	}
	fits := func(o Deviation) bool {
		fits := !o.Steady && o.Invisible()
		for _, s := range d.steady {
			fits = fits && o.goesWith(s)
		}
		return fits
	}
	return slices.Concat(d.steady, Pick(r, d.mixed, fits)), r
}

// RoundTrip sends the request and returns the response in another form. A response that breaks off, and one of more
// than 8 MiB, is returned as it came.
func (t *transport) RoundTrip(q *http.Request) (*http.Response, error) {
	rows, r := t.rows(q)
	sent, left := q, make(map[string]bool)
	var met []string
	for _, row := range rows {
		if row.ask == nil {
			continue
		}
		if sent == q {
			sent = q.Clone(q.Context())
		}
		left[row.Name] = !row.ask(sent)
	}
	res, err := t.next.RoundTrip(sent)
	if err != nil {
		return nil, err
	}
	a, err := readAnswer(q, res)
	if err != nil || a == nil {
		return res, err
	}
	for _, row := range rows {
		if left[row.Name] || row.Unreadable && q.Context().Value(searching{}) != nil {
			continue
		}
		change := func() bool { return row.change(a, r) > 0 }
		if row.ask == nil && !t.trusted(row.Name) {
			change = func() bool {
				before := a.image()
				return row.change(a, r) > 0 && !bytes.Equal(before, a.image())
			}
		}
		if change() {
			met = append(met, row.Name)
		}
	}
	t.mu.Lock()
	for _, name := range met {
		t.met[name]++
	}
	t.mu.Unlock()
	return a.deliver()
}
