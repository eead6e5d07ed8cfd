package browser

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/proof/browser/browsertest"
	"github.com/commerceplatform/commerce-go/webhook"
)

// overview is what /api/overview answers.
type overview struct {
	Figures []struct{ ID, Value, Spark string }
	Groups  []struct {
		ID, Spark       string
		Entries, Stores int
	}
	Stores []struct{ Store, Dead, Due, Waiting, Leased int }
}

func get(t testing.TB, address string, to any) {
	t.Helper()
	answer, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	if err := json.NewDecoder(answer.Body).Decode(to); err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: status %d, %v", address, answer.StatusCode, err)
	}
}

// settled returns the figures when there are groups and trends of all of them.
func settled(t testing.TB, at string) (o overview) {
	t.Helper()
	full := func() bool {
		for _, g := range o.Groups {
			if g.Spark == "" {
				return false
			}
		}
		return len(o.Groups) > 0
	}
	for ; !full(); time.Sleep(10 * time.Millisecond) {
		if t.Context().Err() != nil {
			t.Fatal(t.Context().Err())
		}
		o = overview{}
		get(t, at+"api/overview", &o)
	}
	return o
}

// shownFigures are the numbers on the page, by what they are of.
func shownFigures(p *browsertest.Page) map[string]string {
	return browsertest.Value[map[string]string](p, `Object.fromEntries([
		...[...document.querySelectorAll("[data-figure]")].map(e => [e.dataset.figure, e.querySelector(".value").innerText]),
		...[...document.querySelectorAll("[data-group]")].flatMap(e => [
			[e.dataset.group, e.querySelector(".value").innerText],
			[e.dataset.group + " stores", e.querySelector("[data-label=Stores]").innerText]]),
		...[...document.querySelectorAll("table[aria-labelledby=stores] tbody tr")].map(e =>
			["store " + e.cells[0].innerText, [...e.cells].slice(1, 5).map(c => c.innerText).join(" ")]),
	])`)
}

// The figures of the page are those of the JSON.
func TestFigures(t *testing.T) {
	t.Parallel()
	in := newInbox(t)
	fill(t, in)
	at := serve(t, in)
	o := settled(t, at)
	p := browser.Open(t, browsertest.View{})
	p.Visit(at, "Groups that need attention")
	got, want := shownFigures(p), map[string]string{}
	for _, f := range o.Figures {
		want[f.ID] = f.Value
	}
	for _, g := range o.Groups {
		want[g.ID], want[g.ID+" stores"] = fmt.Sprint(g.Entries), fmt.Sprint(g.Stores)
	}
	for _, s := range o.Stores {
		want[fmt.Sprint("store ", s.Store)] = fmt.Sprint(s.Dead, s.Due, s.Waiting, s.Leased)
	}
	for _, id := range []string{"lag", "oldest", "protected"} { // which grow
		delete(want, id)
		delete(got, id)
	}
	if !maps.Equal(got, want) {
		t.Errorf("the page shows %q, and the JSON has %q", got, want)
	}
	for id, value := range map[string]string{"pending": "52", "due": "40", "leased": "5", "dead": "300", "done": "6"} {
		if want[id] != value {
			t.Errorf("%s %s, want %s", id, want[id], value)
		}
	}
	if len(o.Groups) < 7 || len(o.Stores) < 8 {
		t.Errorf("%d groups and %d stores", len(o.Groups), len(o.Stores))
	}
}

// With a script the figures, the groups and their trends are brought up to date, unless somebody has turned that off.
// Nothing moves meanwhile.
func TestLive(t *testing.T) {
	t.Parallel()
	in := newInbox(t)
	fill(t, in)
	at := serve(t, in)
	settled(t, at)
	paused := browser.Open(t, browsertest.View{})
	paused.Visit(at, "Groups that need attention")
	paused.TabTo("Update every 5 s")
	paused.Press(" ")
	paused.Await(`!document.querySelector("#live input").checked`)
	p := browser.Open(t, browsertest.View{Still: true})
	p.Visit(at, "Groups that need attention")
	const points = `[...document.querySelectorAll("[data-figure=due] polyline, .rank1 polyline")].map(e =>
		e.getAttribute("points"))`
	before := browsertest.Value[[]string](p, points)
	accept(t, in, 1060, func(n int) webhook.Entry { return entry(1003, "order/updated", 50_000+n) })
	accept(t, in, 1, func(n int) webhook.Entry { return entry(1003, "order/fulfilled", n) })
	p.Await(`document.querySelector("[data-figure=due] .value").innerText === "1,101"`)
	p.Await(`document.querySelector("#news").innerText.startsWith("1 more group since")`)
	p.Await(`[...document.querySelectorAll("[data-group]")].some(e => e.querySelector(".value").innerText === "1,100")`)
	if after := browsertest.Value[[]string](p, points); len(before) < 2 || slices.Equal(before, after) {
		t.Errorf("the trends are %q as before", after)
	}
	due := browsertest.Value[string](paused, `document.querySelector("[data-figure=due] .value").innerText`)
	if due != "40" {
		t.Errorf("a page that is not to be brought up to date shows %s due entries, want 40", due)
	}
	const moving = `document.getAnimations().length + [...document.querySelectorAll("*")].filter(e =>
		parseFloat(getComputedStyle(e).transitionDuration) || getComputedStyle(e).scrollBehavior === "smooth").length`
	if n := browsertest.Value[int](p, moving); n != 0 {
		t.Errorf("%d elements move, though reduced motion is preferred", n)
	}
	if messages := p.Messages(); len(messages) > 0 {
		t.Errorf("logged %q", messages)
	}
}
