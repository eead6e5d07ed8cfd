package shipping

import (
	"encoding/json"
	"fmt"
	"math/big"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

// asked is a step of a sequence: time passes, the app's function changes, and the
// platform asks about one of two parcels in one of two ways that have the same key.
type asked struct {
	Pass   time.Duration
	App    string // rates, nowhere, quota or down
	Parcel int
	Other  bool // another cart, another spelling, the same key
}

func (a asked) String() string {
	return fmt.Sprintf("after %v: parcel %d (other cart %v) while the app says %s", a.Pass, a.Parcel, a.Other, a.App)
}

// kept is an answer that the model remembers.
type kept struct {
	status int
	at     time.Time
}

// answer is what the model says that a request is answered, and from where.
func answer(m map[int]kept, parcel int, app string) (int, Source) {
	k, ok := m[parcel]
	age := time.Since(k.at)
	switch {
	case ok && k.status == 200 && age < 15*time.Minute, ok && k.status == 422 && age < time.Minute:
		return k.status, SourceCached
	case app == "rates":
		m[parcel] = kept{200, time.Now()}
		return 200, SourceCalled
	case app == "nowhere":
		m[parcel] = kept{422, time.Now()}
		return 422, SourceNobody
	case app == "quota": // for now only, so that nothing is remembered
		return 409, SourceNobody
	case ok && k.status == 200 && age < time.Hour:
		return 200, SourceStale
	}
	return 503, SourceNobody
}

func TestModelOfCache(t *testing.T) {
	steps := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) asked {
		return asked{
			Pass:   rapid.SampledFrom([]time.Duration{0, 0, time.Second, time.Minute - 1, time.Minute, 14 * time.Minute, 15*time.Minute - 1, 15 * time.Minute, 45 * time.Minute, time.Hour}).Draw(t, "pass"),
			App:    rapid.SampledFrom([]string{"rates", "rates", "down", "nowhere", "quota"}).Draw(t, "app"),
			Parcel: rapid.IntRange(0, 1).Draw(t, "parcel"),
			Other:  rapid.Bool().Draw(t, "other"),
		}
	}), 1, 30)
	bodies := [2][2][]byte{
		{document(t, "rate_request"), with(t, "cart_id", "another")},
		{with(t, "items.0.quantity", 7), with(t, "items.0.quantity", "7")},
	}
	says := map[string]func(s *script){
		"rates":   func(s *script) { s.set([]Rate{ship(t, "standard")}, nil, 0) },
		"nowhere": func(s *script) { s.set(nil, ErrNoCoverage, 0) },
		"quota":   func(s *script) { s.set(nil, &Refusal{Code: "quota", Passing: true}, 0) },
		"down":    func(s *script) { s.set(nil, errDown, 0) },
	}
	sequences, requests, from := 0, 0, map[Source]int{}
	rapid.Check(t, func(rt *rapid.T) {
		list := steps.Draw(rt, "steps")
		sequences++
		var err error
		synctest.Test(t, func(*testing.T) {
			s, m := &script{}, map[int]kept{}
			p := newProbe(s.do, nil)
			for _, a := range list {
				if s.calls.Load() == upstreamRequests-1 {
					return // a breaker is not what this is about
				}
				time.Sleep(a.Pass)
				says[a.App](s)
				status, source := answer(m, a.Parcel, a.App)
				w := post(p, bodies[a.Parcel][map[bool]int{true: 1}[a.Other]])
				rt.Logf("%v -> %d from %s", a, w.Code, p.last().Source)
				requests, from[source] = requests+1, from[source]+1
				if w.Code != status || p.last().Source != source {
					err = fmt.Errorf("got %d from %s, the model has %d from %s", w.Code, p.last().Source, status, source)
					return
				}
			}
		})
		if err != nil {
			rt.Fatal(err)
		}
	})
	t.Logf("%d sequences of %d requests in all, answered %v", sequences, requests, from)
}

// TestModelOfKeys compares the equality of keys with that of what the contract puts
// into them, read by another reader.
func TestModelOfKeys(t *testing.T) {
	same, pairs := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		a, b := keyed(t), keyed(t)
		if rapid.Bool().Draw(t, "one member differs at most") {
			b = a
			b.Set(rapid.SampledFrom([]string{"width", "city", "quantity", "cart", "floor"}).Draw(t, "member"), rapid.SampledFrom(spellings()).Draw(t, "value"))
		}
		pairs++
		x, y := a.request(t), b.request(t)
		equal := a.contents(t) == b.contents(t)
		if equal {
			same++
		}
		if (x == y) != equal {
			t.Fatalf("%s\n%s\nkeys %s and %s, the same contents: %v", a.body(), b.body(), x, y, equal)
		}
	})
	t.Logf("%d pairs of requests, %d with the same contents", pairs, same)
}

// spellings are values of members, several of which say the same.
func spellings() []string {
	return []string{`null`, `""`, `0`, `0.0`, `1`, `"1"`, `1.0`, `1e0`, `10e-1`, `2`, `"a"`, `"a "`, `"A"`}
}

// wanted is a request of which the spelling of a few members varies.
type wanted struct{ members [5]string }

func names() []string { return []string{"width", "city", "quantity", "cart", "floor"} }

func (w *wanted) Set(member, value string) {
	for i, name := range names() {
		if name == member && fits(member, value) {
			w.members[i] = value
		}
	}
}

// fits reports whether a request may have the value there.
func fits(member, value string) bool {
	var v any
	_ = json.Unmarshal([]byte(value), &v)
	_, text := v.(string)
	switch member {
	case "width":
		return !text || value == `"1"`
	case "quantity":
		return value == "1" || value == "2" || value == `"1"`
	}
	return v == nil || text
}

func keyed(t *rapid.T) wanted {
	w := wanted{[5]string{`1`, `"a"`, `1`, `"1"`, `null`}}
	for _, name := range names() {
		w.Set(name, rapid.SampledFrom(spellings()).Draw(t, name))
	}
	return w
}

func (w wanted) body() string {
	m := w.members
	return fmt.Sprintf(`{"store_id":1,"cart_id":%s,"carrier":{"id":7},"destination":{"city":%s,"floor":%s},"items":[{"id":1,"quantity":%s,"grams":5,"dimensions":{"width":%s}}]}`,
		m[3], m[1], m[4], m[2], m[0])
}

func (w wanted) request(t *rapid.T) Key {
	r, err := ReadRequest([]byte(w.body()))
	if err != nil {
		t.Fatalf("%s: %v", w.body(), err)
	}
	return r.Key()
}

// contents are the members that are in the key, in the one way in which equal ones are
// written: nothing, null and an empty text are the same, and numbers count by value.
func (w wanted) contents(t *rapid.T) string {
	out := ""
	for _, i := range []int{0, 1, 2, 4} {
		var text string
		if err := json.Unmarshal([]byte(w.members[i]), &text); err != nil {
			text = w.members[i]
		}
		if n, ok := new(big.Rat).SetString(text); ok && (i == 0 || i == 2) {
			text = n.RatString()
		}
		out += fmt.Sprintf("%q ", text)
	}
	return out
}
