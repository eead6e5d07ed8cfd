package browser

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/proof/browser/browsertest"
)

// rows is how many rows the first table of a page has.
const rows = `document.querySelector("tbody").rows.length`

// openWebhooks is a stage on the page of webhooks, of which there are n.
func openWebhooks(t *testing.T, n int, view browsertest.View) *stage {
	t.Helper()
	st := openStage(t)
	st.control("POST", "seed", `{"records":[
		{"path":"/webhooks","body":{"event":"domain/updated","url":"https://app.example/hooks"}}]}`, nil)
	st.emit(n)
	st.Page = browser.Open(t, view)
	st.Visit(st.at+"log?kind=webhook", "Update automatically")
	st.Await(fmt.Sprintf("%s === %d", rows, min(n, 50)))
	return st
}

// emit sends n webhooks, and returns when all have arrived.
func (st *stage) emit(n int) {
	st.T.Helper()
	for range n {
		st.control("POST", "stores/1001/emit", `{"event":"domain/updated"}`, nil)
	}
	st.control("POST", "settle", "", nil)
}

// A list gets its new rows in their places: the page is not loaded again, what somebody types stays with the focus and
// the caret, and so do the place of reading and the rows that were there.
func TestListsChangeInPlace(t *testing.T) {
	t.Parallel()
	st := openWebhooks(t, 30, browsertest.View{})
	st.TabTo("Words")
	st.Press("half")
	const state = `(() => {
		const e = document.activeElement;
		const top = Math.round(e.getBoundingClientRect().top);
		return [e.labels?.[0].innerText, e.value, e.selectionStart, top, globalThis.stays].join("|");
	})()`
	browsertest.Value[bool](st.Page, `Boolean(globalThis.stays = document.querySelector("tbody tr").row = true)`)
	before := browsertest.Value[string](st.Page, state)
	if !strings.HasPrefix(before, `Words|half`) {
		t.Fatalf("the field is %q", before)
	}
	st.emit(3)
	st.Await(rows + ` === 33`)
	if after := browsertest.Value[string](st.Page, state); after != before {
		t.Errorf("the field was %q, and is %q", before, after)
	}
	if at := browsertest.Value[int](st.Page, `[...document.querySelectorAll("tbody tr")].findIndex(r => r.row)`); at != 3 {
		t.Errorf("the first row of before is now at %d, want 3", at)
	}
	st.Await(`document.getElementById("news").innerText === "Everything that happened: 3 more rows"`)
	st.emit(2)
	st.Await(rows + ` === 35`)
	news := browsertest.Value[string](st.Page, `document.getElementById("news").innerText`)
	if news != "Everything that happened: 3 more rows" {
		t.Errorf("a screen reader says at once %q too", news)
	}
	st.Check()
	if *pictures != "" {
		st.Picture(*pictures, "console-live")
	}
}

// The focus stays on the link of a row while rows come before it, and after it has left the list.
func TestFocusStaysOnARow(t *testing.T) {
	t.Parallel()
	st := openWebhooks(t, 50, browsertest.View{})
	const focus, first = `document.activeElement.getAttribute("href")`, `document.querySelector("tbody a").getAttribute("href")`
	st.Act(`document.querySelectorAll("tbody tr")[48].querySelector("a").focus()`)
	was := browsertest.Value[string](st.Page, focus)
	for _, n := range []int{1, 5} {
		top := browsertest.Value[string](st.Page, first)
		st.emit(n)
		st.Await(fmt.Sprintf("%s !== %q", first, top))
		if got := browsertest.Value[string](st.Page, focus); got != was {
			t.Errorf("the focus is on %q, want %q, whose row %d others have moved", got, was, n)
		}
	}
	top := browsertest.Value[string](st.Page, first)
	st.Act(`[...document.querySelectorAll("a")].find(a => a.innerText === "Older entries").focus()`)
	st.emit(1)
	st.Await(fmt.Sprintf("%s !== %q", first, top))
	st.Await(rows + " === 50")
}

// A page is asked for once a second at most, whatever happens; not while it is hidden or turned off; and again after.
func TestUpdatesAreBounded(t *testing.T) {
	t.Parallel()
	st := openWebhooks(t, 1, browsertest.View{})
	const asked = `performance.getEntriesByType("resource").filter(e => new URL(e.name).pathname === "/log").length`
	before, began := browsertest.Value[int](st.Page, asked), time.Now()
	for range 40 {
		st.emit(1)
		time.Sleep(50 * time.Millisecond)
	}
	st.Await(rows + ` === 41`)
	n := browsertest.Value[int](st.Page, asked) - before
	if most := int(time.Since(began)/time.Second) + 2; n > most || n < 2 {
		t.Errorf("the page was asked for %d times in %v", n, time.Since(began))
	}
	turn := func(on bool) {
		st.Act(`document.querySelector("#live input").click()`)
		st.Await(fmt.Sprintf(`document.querySelector("#live input").checked === %v`, on))
	}
	hide := func(hidden bool) {
		st.Act(fmt.Sprintf(`Object.defineProperty(document, "hidden", { value: %v, configurable: true });
			document.dispatchEvent(new Event("visibilitychange"))`, hidden))
	}
	for name, pause := range map[string]func(bool){"turned off": turn, "hidden": func(on bool) { hide(!on) }} {
		pause(false)
		before := browsertest.Value[int](st.Page, rows)
		st.emit(1)
		time.Sleep(1500 * time.Millisecond)
		if n := browsertest.Value[int](st.Page, rows); n != before {
			t.Errorf("a page that is %s was brought up to date", name)
		}
		pause(true)
		st.Await(fmt.Sprintf("%s === %d", rows, before+1))
	}
	turn(false) // what was chosen holds for other pages of the tab
	st.Visit(st.at, "Newest problems")
	if browsertest.Value[bool](st.Page, `document.querySelector("#live input").checked`) {
		t.Error("the next page is brought up to date")
	}
}

// A stream that is lost begins again, with what has changed meanwhile.
func TestStreamsBeginAgain(t *testing.T) {
	t.Parallel()
	st := openWebhooks(t, 1, browsertest.View{})
	front := httptest.NewServer(st.handler)
	t.Cleanup(func() { front.CloseClientConnections(); front.Close() })
	st.Visit(front.URL+"/log?kind=webhook", "Update automatically")
	st.emit(1)
	st.Await(rows + ` === 2`)
	front.CloseClientConnections()
	st.Await(`document.getElementById("news").innerText.startsWith("The platform does not answer")`)
	st.emit(1)
	st.Await(rows + ` === 3 && !document.getElementById("news").innerText.includes("answer")`)
}

// Nothing moves if somebody prefers that; otherwise a new row does.
func TestReducedMotion(t *testing.T) {
	t.Parallel()
	for _, still := range []bool{true, false} {
		st := openWebhooks(t, 1, browsertest.View{Still: still})
		browsertest.Value[bool](st.Page, `(() => { // in the page's own time: the row moves for a second
			globalThis.moved = 0;
			new MutationObserver(() => { globalThis.moved += document.getAnimations().length; })
				.observe(document.body, { childList: true, subtree: true });
			return true;
		})()`)
		st.emit(1)
		st.Await(rows + ` === 2`)
		if moved := browsertest.Value[int](st.Page, `globalThis.moved`); still == (moved > 0) {
			t.Errorf("reduced motion %v: %d elements moved", still, moved)
		}
	}
}

// What is open stays open while its text changes.
func TestDetailsStayOpen(t *testing.T) {
	t.Parallel()
	st := openStage(t)
	n := 0
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/log" {
			st.handler.ServeHTTP(w, r)
			return
		}
		page := httptest.NewRecorder()
		st.handler.ServeHTTP(page, r)
		n++
		maps.Copy(w.Header(), page.Header())
		const parts = `<div id="parts">`
		fmt.Fprint(w, strings.Replace(page.Body.String(), parts,
			fmt.Sprintf(`%s<details><summary>More</summary>page %d</details>`, parts, n), 1))
	}))
	t.Cleanup(func() { front.CloseClientConnections(); front.Close() })
	st.Visit(front.URL+"/log?kind=webhook", "More")
	st.Act(`document.querySelector("#parts > details").open = true`)
	st.emit(1)
	st.Await(`document.querySelector("#parts > details").innerText.includes("page 2")`)
	if !browsertest.Value[bool](st.Page, `document.querySelector("#parts > details").open`) {
		t.Error("it was closed")
	}
}
