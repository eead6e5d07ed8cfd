package oauthtest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/oauth"
)

// States tests each rule of oauth.StateStore. For each rule, open returns n handles on one new, empty store, as n
// processes would have. If open fails it calls t.Fatal. It closes the handles by t.Cleanup.
func States(t *testing.T, open func(t *testing.T, n int) []oauth.StateStore) {
	t.Helper()
	run(t, stateRules, open)
}

type states = probe[oauth.StateStore]

var stateRules = []rule[oauth.StateStore]{
	{"Take/nothing", takeNothing},
	{"Take/removes", takeRemoves},
	{"Keys", keysAreApart},
	{"Put/again", putAgain},
	{"Put/after it was taken", putBack},
	{"Fields", stateFields},
	{"Expired", expired},
	{"Race/take", raceTake},
	{"Race/put", racePut},
	{"Context", stateContext},
}

// key returns a key in the form that oauth.Handler uses.
func key(n int) string { return fmt.Sprintf("%064x", n) }

// begun returns a pending installation whose fields are derived from a number, so that a mix of two can be detected.
func begun(n int) oauth.Pending {
	return oauth.Pending{
		ReturnTo: fmt.Sprintf("/%d", n), Ended: fmt.Sprintf("installed:%d", n),
		Expires: soon.Add(time.Duration(n) * time.Minute),
	}
}

// soon is the expiry of states that must not expire in a test.
var soon = time.Now().Add(24 * time.Hour)

func put(p *states, key string, value oauth.Pending) {
	p.Helper()
	if err := p.next().Put(p.Context(), key, value); err != nil {
		p.Fatalf("Put %.80q: %v", key, err)
	}
}

// take fails the test unless Take returns one of the values, or nothing if there are none.
func take(p *states, key string, values ...oauth.Pending) {
	p.Helper()
	got, ok, err := p.next().Take(p.Context(), key)
	if err != nil || ok != (len(values) > 0) {
		p.Fatalf("Take %.80q: got %+v, %v, %v; want one of %+v", key, got, ok, err, values)
	}
	if ok && !oneOf(got, values...) {
		p.Fatalf("Take %.80q: got %+v, want one of %+v", key, got, values)
	}
}

// oneOf reports whether a pending installation is one of the values. Times may be rounded to the second.
func oneOf(got oauth.Pending, values ...oauth.Pending) bool {
	for _, v := range values {
		if got.ReturnTo == v.ReturnTo && got.Ended == v.Ended && got.Expires.Sub(v.Expires).Abs() <= time.Second {
			return true
		}
	}
	return false
}

func takeNothing(p *states) {
	take(p, key(1))
	put(p, key(2), begun(2))
	take(p, key(1))
	take(p, "")
}

func takeRemoves(p *states) {
	put(p, key(1), begun(1))
	take(p, key(1), begun(1))
	for range p.handles {
		take(p, key(1))
	}
}

// keysAreApart uses keys that differ only by case, or by their ends.
func keysAreApart(p *states) {
	keys := []string{key(0xa), strings.ToUpper(key(0xa)), key(0xb), key(0xa) + "0", key(0xa)[1:], " " + key(0xa)}
	for i, k := range keys {
		put(p, k, begun(i))
	}
	for i, k := range keys {
		take(p, k, begun(i))
		take(p, k)
	}
}

func putAgain(p *states) {
	put(p, key(1), begun(1))
	put(p, key(1), begun(2))
	take(p, key(1), begun(1), begun(2))
	take(p, key(1))
}

func putBack(p *states) {
	for n := range 2 * replicas {
		put(p, key(1), begun(n))
		take(p, key(1), begun(n))
	}
	take(p, key(1))
}

func stateFields(p *states) {
	printable := ""
	for c := '!'; c <= '~'; c++ {
		printable += string(c)
	}
	for i, value := range []oauth.Pending{
		{Expires: soon},
		{ReturnTo: "/welcome?from=%C3%B1&x='\"#end", Expires: soon.In(time.FixedZone("", 5*60*60))},
		{ReturnTo: "/" + strings.Repeat(printable, 22)[:2047], Expires: soon},
		{Ended: "installed:" + strings.Repeat("x", 118), Expires: soon},
		{ReturnTo: "/a", Ended: printable, Expires: soon.Add(time.Hour)},
	} {
		put(p, key(i), value)
		take(p, key(i), value)
	}
}

// expired puts many expired states between others. The store may drop the expired states, and must keep the others.
func expired(p *states) {
	const n = 100
	past := time.Now().Add(-24 * time.Hour)
	old := func(i int) oauth.Pending {
		value := begun(i)
		value.Expires = past
		return value
	}
	for i := range n {
		put(p, key(1000+i), old(i))
		if i%5 == 0 {
			put(p, key(i), begun(i))
		}
	}
	for i := range n {
		got, ok, err := p.next().Take(p.Context(), key(1000+i))
		if err != nil || ok && !oneOf(got, old(i)) {
			p.Fatalf("Take of a state that has expired: got %+v, %v, %v; want it or nothing", got, ok, err)
		}
		if i%5 == 0 {
			take(p, key(i), begun(i))
		}
	}
}

func raceTake(p *states) {
	for n := range 4 {
		put(p, key(n), begun(n))
		winners := p.race(func(store oauth.StateStore, i int) bool {
			got, ok, err := store.Take(p.Context(), key(n))
			if err != nil || ok && !oneOf(got, begun(n)) {
				p.Errorf("Take number %d: got %+v, %v, %v", i, got, ok, err)
			}
			return ok
		})
		if len(winners) != 1 {
			p.Fatalf("%d of %d calls took one state, want 1: numbers %v", len(winners), racers, winners)
		}
		take(p, key(n))
	}
}

// racePut makes all racers put and take states of their own at the same time.
func racePut(p *states) {
	winners := p.race(func(_ oauth.StateStore, i int) bool {
		if err := p.next().Put(p.Context(), key(i), begun(i)); err != nil {
			p.Errorf("Put number %d: %v", i, err)
		}
		got, ok, err := p.next().Take(p.Context(), key(i))
		return err == nil && ok && oneOf(got, begun(i))
	})
	if len(winners) != racers {
		p.Errorf("%d of %d states were taken by the goroutine that put them, want all", len(winners), racers)
	}
}

// stateContext makes calls with a context that has ended. A call may succeed or fail, but must not return a wrong
// result.
func stateContext(p *states) {
	for n := range replicas {
		if err := p.next().Put(p.ended(), key(n), begun(n)); err != nil && !errors.Is(err, context.Canceled) {
			p.Fatalf("Put with a context that has ended: got %v; want nil, or an error that matches context.Canceled", err)
		}
		put(p, key(n), begun(n))
		got, ok, err := p.next().Take(p.ended(), key(n))
		if err == nil && (!ok || !oneOf(got, begun(n))) || err != nil && !errors.Is(err, context.Canceled) {
			p.Fatalf("Take with a context that has ended: got %+v, %v, %v; want the state, or an error that matches "+
				"context.Canceled", got, ok, err)
		}
		if _, again, failed := p.next().Take(p.Context(), key(n)); failed != nil || again && ok {
			p.Fatalf("Take after a context has ended: got %v, %v after %v, want the state once", again, failed, ok)
		}
	}
}
