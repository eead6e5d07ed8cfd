package control

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
	"github.com/commerceplatform/commerce-go/internal/refserver/work"
)

// logPage is a page of the log.
type logPage struct {
	list
	// Total counts the entries so far, Forgotten the ones that are no longer kept.
	Total     int64 `json:"total"`
	Forgotten int64 `json:"forgotten"`
	// Rev is the after of a follower who requires the changes from now on.
	Rev int64 `json:"rev"`
	// Matching counts the kept entries that the parameters select, also on other pages. States counts by state the
	// entries that the parameters other than state select.
	Matching int64            `json:"matching"`
	States   map[string]int64 `json:"states"`
}

// logOf answers the entries of the log, the newest first unless the call says otherwise.
func logOf(c *call) (any, error) {
	q := c.r.URL.Query()
	if q.Get("order") == "" {
		q.Set("order", "newest")
		c.r.URL.RawQuery = q.Encode()
	}
	r := logReader{journal: c.server.Journal()}
	var err error
	if r.part, err = c.part(); err != nil {
		return nil, err
	}
	if r.pager, err = c.pager(); err != nil {
		return nil, err
	}
	if r.keep, err = c.selection(); err != nil {
		return nil, err
	}
	totals := r.journal.Totals()
	r.page = logPage{Rev: r.journal.Mark(), Total: totals.Entries, Forgotten: totals.Entries - totals.Kept, States: map[string]int64{}}
	now, names := c.server.Clock().Now(), c.nameCache()
	err = r.read(c, func(e traffic.Entry) any { return showEntry(e, now, names) })
	r.page.list = r.pager.list
	return r.page, err
}

// logReader reads all of the log, to count the entries and to fill a page.
type logReader struct {
	journal *traffic.Journal
	part    work.Part // where the page begins
	keep    selection
	pager   *pager
	page    logPage
	full    bool
}

// read looks at the log piece by piece.
func (r *logReader) read(c *call, show func(traffic.Entry) any) error {
	all := work.Part{After: 0, Newest: r.part.Newest, Most: mostScanned}
	if all.Newest {
		all.After = math.MaxInt64
	}
	for looked := mostScanned; looked == mostScanned && c.ctx.Err() == nil; {
		var some []traffic.Entry
		some, looked, all.After = r.journal.Part(all, r.look)
		r.pager.Searched += looked
		for i := 0; i < len(some) && !r.full; i++ {
			more, err := r.pager.add(text(some[i].ID), func() any { return show(some[i]) })
			if err != nil {
				return err
			}
			r.full = !more
		}
	}
	return c.ctx.Err()
}

// look counts an entry, and reports whether it may be on the page.
func (r *logReader) look(e *traffic.Entry) bool {
	if !r.keep.others(e) {
		return false
	}
	r.page.States[string(e.State)]++
	if !r.keep.state(e) {
		return false
	}
	r.page.Matching++
	if r.full {
		return false
	}
	if r.part.Newest {
		return e.ID < r.part.After
	}
	return e.ID > r.part.After
}

// mostScanned is how many entries are looked at while the log is locked.
const mostScanned = 4096

// selection says which entries a call asks for.
type selection struct {
	state  func(e *traffic.Entry) bool
	others func(e *traffic.Entry) bool
}

// all reports whether the call asks for an entry.
func (s selection) all(e *traffic.Entry) bool { return s.others(e) && s.state(e) }

// selection reads the parameters search, kind, app, store and state.
func (c *call) selection() (s selection, err error) {
	q := c.r.URL.Query()
	kind, state := strings.TrimSuffix(q.Get("kind"), "s"), q.Get("state") // as /series has it, or in the singular
	if names := textsOf(traffic.Kinds()); kind != "" && !slices.Contains(names, kind) {
		return s, misnamed("kind", q.Get("kind"), "a kind of entries", names)
	}
	if names := append(textsOf(traffic.States()), "problem"); state != "" && !slices.Contains(names, state) {
		return s, misnamed("state", state, "a state of entries", names)
	}
	words, err := wordsOf(q.Get("search"))
	if err != nil {
		return s, err
	}
	named := make([]map[place]bool, len(words))
	for i, word := range words {
		named[i] = c.recordsNamed(word)
	}
	app, store := q.Get("app"), q.Get("store")
	s.state = func(e *traffic.Entry) bool {
		return matches(state, string(e.State)) || state == "problem" && e.State.Bad()
	}
	s.others = func(e *traffic.Entry) bool {
		if kind != "" && kind != string(e.Kind) || app != "" && app != text(e.App) || store != "" && store != text(e.Store) {
			return false
		}
		for i, word := range words {
			if !e.Has(word) && (len(named[i]) == 0 || !named[i][place{e.Store, e.Record}]) {
				return false
			}
		}
		return true
	}
	return s, nil
}

// textsOf are constants as text.
func textsOf[T ~string](all []T) []string {
	var out []string
	for _, one := range all {
		out = append(out, string(one))
	}
	return out
}

// showEntry is an entry of the log in a list.
func showEntry(e traffic.Entry, now time.Time, names func(place) string) map[string]any {
	out := map[string]any{
		"id": e.ID, "rev": e.Rev, "at": stamp(e.At), "kind": e.Kind, "name": e.Name, "record": nil, "app": e.App,
		"store": e.Store, "status": e.Status, "state": e.State, "words": inWords(e, now), "problem": e.State.Bad(),
		"ms": ms(e.Took), "of_ms": nil, "tries": e.Tries, "next": stamp(e.Next), "line": e.Line,
	}
	if e.Limit > 0 {
		out["of_ms"] = ms(e.Limit)
	}
	if e.Record.Resource != "" {
		at := place{e.Store, e.Record}
		out["record"] = map[string]any{
			"store": e.Store, "resource": e.Record.Resource, "key": e.Record.Key, "name": names(at),
		}
	}
	return out
}

// inWords is the state of an entry in words.
func inWords(e traffic.Entry, now time.Time) string {
	if e.Next.IsZero() {
		return e.Word
	}
	return fmt.Sprintf("%s, retry %s", e.Word, in(e.Next.Sub(now)))
}

// in is a time from now in words.
func in(d time.Duration) string {
	switch {
	case d <= 0:
		return "now"
	case d < time.Minute:
		return fmt.Sprintf("in %d s", (d+time.Second-1)/time.Second)
	case d < 2*time.Hour:
		return fmt.Sprintf("in %d min", (d+time.Minute/2)/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("in %d h", (d+time.Hour/2)/time.Hour)
	}
	return "in " + traffic.Count(int((d+12*time.Hour)/(24*time.Hour)), "day")
}

// followLog streams each entry when it is new or has changed.
func followLog(c *call) (any, error) {
	journal := c.server.Journal()
	keep, err := c.selection()
	if err != nil {
		return nil, err
	}
	names := c.nameCache()
	return c.stream(func(after int64) []change {
		var out []change
		for _, e := range journal.Since(after, piece) {
			one := change{rev: e.Rev}
			if keep.all(&e) {
				one.show = func() any { return showEntry(e, c.server.Clock().Now(), names) }
			}
			out = append(out, one)
		}
		return out
	}, journal.Changed.Next)
}

// entry is the entry of the path.
func (c *call) entry() (traffic.Entry, error) {
	journal := c.server.Journal()
	e, ok := journal.Find(c.id("entry"))
	if ok {
		return e, nil
	}
	known, _, _ := journal.Part(lastKnown, func(*traffic.Entry) bool { return true })
	missing := unknown("entry", c.r.PathValue("entry"), ids(known, func(e traffic.Entry) int64 { return e.ID }))
	if id := c.id("entry"); id > 0 && id <= journal.Totals().Entries {
		missing.Message = strings.TrimSuffix(missing.Message, "does not exist") + "is no longer kept"
	}
	return e, missing
}
