package multistore_test

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// The acts of internal/contract/testdata/irreversible.tsv that evidence from outside decides in a running app.
const (
	judgedGone     = "the judge decides that the app is not installed"
	handlerCalled  = "the handler of app/uninstalled or store/redact is called"
	entriesDropped = "pending entries of a store are dropped"
	entryDead      = "an entry becomes dead"
	cartEnded      = "a cart is answered 310, which ends the store's promotions"
	tokenEnded     = "a token is not used any more"
	tokenErased    = "a token is erased"
	stateUsed      = "a state of an install is used up"
	recordDeleted  = "a record is deleted from a copy"
	stateDeleted   = "the state of a copy is deleted"
)

// evidence is what arrives from outside about one store of a running app.
type evidence struct {
	name  string
	says  hostile.Answer   // to the calls to the store, before the platform; nil means the platform alone
	lasts time.Duration    // of says; 0 means 25 minutes
	stays bool             // says does not end
	tick  time.Duration    // between two carts; 0 means ten seconds
	sends func(w *witness) // when it begins
	again bool             // also at each later tick
	// may and must are the acts that this is the evidence of. Those of must happen, and in that time.
	may  []string
	must in
}

// play gives a running app the evidence, and fails unless its acts follow, and no others.
func (e evidence) play(t *testing.T) {
	t.Helper()
	w, stop := start(t)
	defer stop()
	ends := w.began.Add(cmp.Or(e.lasts, 25*time.Minute))
	if e.says != nil {
		w.platform.answers(suspect, func(r *http.Request) (*http.Response, error) {
			if !e.stays && !time.Now().Before(ends) {
				return nil, nil
			}
			return e.says(r)
		})
	}
	for first := true; time.Now().Before(ends); first = false {
		if e.sends != nil && (first || e.again) {
			e.sends(w)
		}
		w.look()
		time.Sleep(min(cmp.Or(e.tick, 10*time.Second), max(time.Second, time.Until(ends)/2)))
		w.look()
	}
	for range 20 {
		w.look()
		time.Sleep(time.Minute)
	}
	w.look()
	for act, after := range w.acts {
		latest, must := e.must[act]
		switch {
		case !must && !slices.Contains(e.may, act):
			t.Errorf("%s: %s after %v", e.name, act, after)
		case must && after > latest:
			t.Errorf("%s: %s after %v, want %v", e.name, act, after, latest)
		}
	}
	for act := range e.must {
		if _, happened := w.acts[act]; !happened {
			t.Errorf("%s: it never happened that %s", e.name, act)
		}
	}
}

const soon = 5 * time.Minute

const unauthorized = `{"code":401,"message":"Unauthorized","description":"Invalid access token"}`

// in is the time within which an act must happen.
type in = map[string]time.Duration

var (
	refused = hostile.Status(http.StatusUnauthorized, unauthorized)

	// ended are the acts that a refusal of the token over an hour is evidence of.
	ended = []string{judgedGone, cartEnded, entriesDropped, tokenEnded}

	// late are events that were true when the platform sent them.
	late = delivered(event("app/uninstalled", 1), event("store/redact", 1), event("product/updated", 2), paid)
	paid = event("order/paid", 9)
)

// delivered delivers signed bodies.
func delivered(bodies ...string) func(w *witness) { return func(w *witness) { w.deliver(bodies...) } }

// ofOther is the same event of another store.
func ofOther(body string, store client.ID) string {
	return strings.Replace(body, `"store_id":1,`, fmt.Sprintf(`"store_id":%d,`, store), 1)
}

// forged sends events that the platform has not signed for this app and this body, and callbacks of strangers.
func forged(w *witness) {
	for _, name := range []string{"app/uninstalled", "store/redact", "product/deleted", "app/suspended"} {
		body := event(name, 2)
		for kind, status := range map[string]int{
			"no signature":                w.receive(body, "", body),
			"signature of another app":    w.receive(body, "another secret of another app....", body),
			"signature for another store": w.receive(body, secret, ofOther(body, 3)),
			"signature of a shorter body": w.receive(body, secret, body[:len(body)-1]),
			"signature of a longer body":  w.receive(body, secret, body+"\n"),
		} {
			if status/100 == 2 {
				w.t.Errorf("%s, %s: status %d", name, kind, status)
			}
		}
	}
	stranger := []*http.Cookie{{Name: w.bake[0].Name, Value: strings.Repeat("A", len(w.bake[0].Value))}}
	w.visit(callback(w.state))
	w.visit(callback(w.state), stranger...)
	w.visit(callback(strings.Repeat("A", len(w.state))), w.bake...)
	w.visit(callback(""), w.bake...)
}

// forgeries are forged events, for a store that has the app and for one that has removed it.
func forgeries() []evidence {
	others := delivered(ofOther(event("app/uninstalled", 2), 3), ofOther(event("store/redact", 2), 3),
		ofOther(event("product/updated", 2), 3))
	unknown := func(w *witness) { w.deliver(ofOther(event("app/uninstalled", 2), 99)); w.cart(99) }
	return []evidence{
		{name: "forged: the store has the app", sends: forged, again: true, lasts: time.Minute},
		{name: "forged: the store has removed it", says: refused, stays: true, sends: forged, lasts: time.Minute,
			may: ended},
		{name: "forged: another store", sends: others, says: refused, stays: true, may: ended},
		{name: "forged: a store without the app", sends: unknown, may: []string{"neighbour 99: " + handlerCalled}},
		{name: "forged: another app of the partner", sends: delivered(event("app/uninstalled", 4711))},
		{name: "forged: about a customer",
			sends: delivered(event("customers/redact", 2), event("customers/data_request", 2))},
	}
}

// passing are refusals in the platform's own words that end before they are evidence, while late events arrive.
func passing() (all []evidence) {
	for status, may := range map[int][]string{401: nil,
		402: {entryDead}, 403: {entryDead}, 404: {entryDead, recordDeleted}, // three failures of the handler's own
	} {
		body := strings.ReplaceAll(unauthorized, "401", fmt.Sprint(status))
		answer := hostile.Status(status, strings.ReplaceAll(body, "Unauthorized", http.StatusText(status)))
		var asked atomic.Bool
		add := func(name string, lasts time.Duration, when func() bool) {
			all = append(all, evidence{
				name:  fmt.Sprintf("passing: %s of %d", name, status),
				sends: late, again: lasts > 0, lasts: lasts, may: may,
				says: func(r *http.Request) (*http.Response, error) {
					if when() {
						return answer(r)
					}
					return nil, nil
				},
			})
		}
		always := func() bool { return true }
		add("one answer", 0, func() bool { return !asked.Swap(true) })
		add("three seconds", 3*time.Second, always)
		add("29 seconds", 29*time.Second, always)
		add("three seconds of each minute", 25*time.Minute, func() bool { return time.Now().Second() < 3 })
	}
	return all
}

// proxied are answers that the contract does not describe, in the place of the platform.
func proxied(t *testing.T) (all []evidence) {
	add := func(name string, a hostile.Answer, may ...string) {
		all = append(all, evidence{name: "proxied: " + name, says: a, sends: late, may: may, tick: 30 * time.Second})
	}
	for _, r := range hostile.Refusals(t, "../../internal/engine/testdata/refusals.tsv") {
		if !r.Platform {
			add(r.String(), r.Answer())
		}
	}
	for _, status := range []int{200, 201, 203, 302, 307, 500, 502, 503, 504} {
		location := []string{"Location", "https://login.example.net/"}
		add(fmt.Sprint(status, " empty"), hostile.Status(status, "", location...))
		page := append(location, "Content-Type", "text/html")
		add(fmt.Sprint(status, " page"), hostile.Status(status, "<html>Sign in to the network</html>", page...))
		var may []string
		if status < 300 { // JSON of another form fails as the entry does
			may = []string{entryDead}
		}
		for _, body := range []string{`[{"id":1`, `{"error":"upstream"}`, "null", "[]"} {
			add(fmt.Sprint(status, " ", body), hostile.Status(status, body, location...), may...)
		}
	}
	all = append(all, evidence{
		name: "proxied: lists of nothing for a day", lasts: 25 * time.Hour, tick: 10 * time.Minute,
		says: func(r *http.Request) (*http.Response, error) {
			if strings.HasSuffix(r.URL.Path, "/products") {
				return hostile.Status(200, "[]")(r)
			}
			return nil, nil
		},
	})
	add("no connection", hostile.Fails(errors.New("dial tcp: connection refused")))
	return all
}

// repeated are many equal events and answers, and events that arrive after a new install.
func repeated() []evidence {
	install := func(w *witness) { w.visit(callback(w.state), w.bake...) }
	storm := func(w *witness) {
		for range 100 {
			late(w)
			w.Judge.Observe(w.t.Context(), suspect, w.Stores.Probe(w.t.Context(), suspect))
		}
	}
	installed := []string{stateUsed, stateDeleted}
	return []evidence{
		{name: "repeated: events of a store that has the app", sends: storm, lasts: time.Minute},
		{name: "repeated: refusals of three seconds", says: refused, lasts: 3 * time.Second, sends: storm},
		{name: "late: after a new install", sends: func(w *witness) { install(w); storm(w) }, may: installed},
		{name: "repeated: a callback", sends: install, again: true, lasts: time.Minute,
			must: in{stateUsed: 0, stateDeleted: 0}},
	}
}

// unknown are refusals of a new token, while events arrive that were true of an earlier installation.
func unknown() (all []evidence) {
	install := func(w *witness) { w.visit(callback(w.state), w.bake...); late(w) }
	for _, lasts := range []time.Duration{3 * time.Second, 25 * time.Second, 2 * time.Minute, 9 * time.Minute} {
		all = append(all, evidence{
			name: fmt.Sprint("late: after a new install whose token is refused for ", lasts), says: refused, lasts: lasts,
			sends: install, must: in{stateUsed: soon, stateDeleted: 2*lasts + 90*time.Second},
		})
	}
	const after = 12 * time.Minute // the judge requires ten
	return append(all, evidence{
		name: "late: after a new install whose token is revoked", says: refused, lasts: 40 * time.Minute, sends: install,
		may: append([]string{handlerCalled}, ended...), must: in{
			stateUsed: soon, judgedGone: after, cartEnded: after, entriesDropped: after, tokenEnded: after,
			handlerCalled: after, tokenErased: after, stateDeleted: after,
		},
	})
}

// truth is the evidence of each act.
func truth() []evidence {
	const hour = time.Hour
	gone := func(w *witness) { w.platform.mu.Lock(); defer w.platform.mu.Unlock(); w.platform.deleted = 2 }
	return []evidence{
		{name: "true: the app is removed, and no event arrives", says: refused, stays: true, lasts: hour,
			sends: delivered(paid),
			must:  in{judgedGone: soon, cartEnded: soon, entriesDropped: soon, tokenEnded: hour}},
		{name: "true: app/uninstalled", says: refused, stays: true, sends: delivered(event("app/uninstalled", 1)),
			may: ended, must: in{handlerCalled: soon, tokenEnded: soon}},
		{name: "true: store/redact", says: refused, stays: true, sends: delivered(event("store/redact", 1)), may: ended,
			must: in{handlerCalled: soon, tokenEnded: soon, tokenErased: soon, stateDeleted: soon}},
		{name: "true: product/deleted", must: in{recordDeleted: soon},
			sends: func(w *witness) { gone(w); w.deliver(event("product/deleted", 2)) }},
		{name: "true: 404 of the record", must: in{recordDeleted: soon},
			sends: func(w *witness) { gone(w); w.deliver(event("product/updated", 2)) }},
		{name: "true: the record is missing, and no event arrives", must: in{recordDeleted: 25 * hour},
			sends: gone, lasts: 25 * hour, tick: 10 * time.Minute},
		{name: "true: the app's own failures", says: hostile.Status(422, `{"name":["is invalid"]}`), stays: true,
			sends: delivered(paid), must: in{entryDead: soon}},
	}
}

// Of each act that evidence from outside decides, forged, passing, proxied, late and repeated evidence causes none, and
// the true evidence causes it on time.
func TestEvidenceOfActs(t *testing.T) {
	all := slices.Concat(forgeries(), passing(), proxied(t), repeated(), unknown(), truth())
	caused := map[string]bool{}
	for _, e := range all {
		t.Run(e.name, func(t *testing.T) { synctest.Test(t, e.play) })
		for act := range e.must {
			caused[act] = true
		}
	}
	t.Logf("%d kinds of evidence", len(all))
	data, err := os.ReadFile("../../internal/contract/testdata/irreversible.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		act, _, _ := strings.Cut(line, "\t")
		if strings.Contains(line, "client/multistore."+t.Name()) && !caused[act] {
			t.Errorf("irreversible.tsv: no evidence of this test causes that %s", act)
		}
		delete(caused, act)
	}
	for _, act := range slices.Sorted(maps.Keys(caused)) {
		t.Errorf("irreversible.tsv has no act %q", act)
	}
}
