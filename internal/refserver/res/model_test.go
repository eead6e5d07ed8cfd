package res_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"time"

	"pgregory.net/rapid"
)

// play is a random sequence of calls to a shop, which a model follows.
type play struct {
	*rapid.T
	shop  *shop
	token string
	told  *tally
	// changed is set if a call was accepted since the last comparison.
	changed bool
}

// tally is what the sequences of a test came to.
type tally struct{ sequences, calls, refusals int }

// sequences plays acts in random order, sequence after sequence, each of which begins
// with the shop as it is now. begin returns the acts of a sequence, in which "" is the
// comparison with the model; it follows each act that changed something.
func sequences(f *shop, token string, begin func(p *play) map[string]func(*rapid.T)) {
	f.Helper()
	f.Logf("-rapid.seed=%v", flag.Lookup("rapid.seed").Value)
	start, told := f.World().Snapshot(), &tally{}
	rapid.Check(f.T, func(t *rapid.T) {
		f.World().Restore(start)
		told.sequences++
		p := &play{T: t, shop: f, token: token, told: told, changed: true}
		acts := begin(p)
		compare := acts[""]
		acts[""] = func(t *rapid.T) {
			if p.changed {
				compare(t)
			}
			p.changed = false
		}
		t.Repeat(acts)
	})
	// A few short sequences can be without one.
	if told.calls >= 50 && (told.refusals == 0 || told.refusals == told.calls) {
		f.Errorf("of %d calls in %d sequences %d were refused; want some", told.calls, told.sequences, told.refusals)
	}
}

// want plays a call that has to be answered with the status. A call that is refused
// must leave nothing behind.
func (p *play) want(status int, call string, body any) any {
	before := p.shop.moment()
	w := p.shop.serve(p.token, call, body)
	sent, _ := json.Marshal(body)
	p.Logf("%s %s -> %d", call, sent, w.Code)
	p.told.calls++
	if w.Code != status {
		p.Fatalf("got %d %s, want %d", w.Code, w.Body, status)
	}
	if p.changed = p.changed || w.Code < http.StatusBadRequest; w.Code >= http.StatusBadRequest {
		p.told.refusals++
		if p.shop.left(before) {
			p.Fatalf("the call was refused and changed something")
		}
	}
	if w.Body.Len() == 0 {
		return nil
	}
	var out any
	if err := json.Unmarshal(w.Body.Bytes(), &out); err != nil {
		p.Fatalf("%s: %v", w.Body, err)
	}
	return out
}

// get reads what the shop says, which no log needs.
func (p *play) get(path string, to any) {
	w := p.shop.serve(p.token, "GET "+path, nil)
	if w.Code == http.StatusNotFound && json.Valid(w.Body.Bytes()) {
		return // a list without elements
	}
	if err := json.Unmarshal(w.Body.Bytes(), to); w.Code != http.StatusOK || err != nil {
		p.Fatalf("GET %s: %d %s", path, w.Code, w.Body)
	}
}

// equal compares what the shop has with what the model has.
func (p *play) equal(what string, got, want any) {
	if !reflect.DeepEqual(got, want) {
		p.Fatalf("%s: got %v, the model has %v", what, got, want)
	}
}

// tick lets a second pass, so that two changes have two times.
func (p *play) tick() { p.shop.clock.Advance(time.Second) }

// pick draws one of some values.
func pick[T any](p *play, what string, of ...T) T { return rapid.SampledFrom(of).Draw(p.T, what) }

// sorted are the keys of a model's map, in an order that is the same in each run.
func sorted[V any](m map[int64]V) []int64 { return slices.Sorted(maps.Keys(m)) }

// status is the answer that a model expects of a call that may be refused.
func status(refused bool, otherwise int) int {
	if refused {
		return http.StatusUnprocessableEntity
	}
	return otherwise
}

// missing is an id that nothing has.
const missing = int64(1) << 40

func path(format string, args ...any) string { return fmt.Sprintf(format, args...) }
