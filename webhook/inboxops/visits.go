package inboxops

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// mostFailing is the number of stores that the page and the JSON list for each loop.
const mostFailing = 50

// loop is the state of something that visits all stores repeatedly.
type loop struct {
	name    string
	stores  int
	failing []failing // stores whose last visit failed or that were never visited successfully, the longest first
	more    int       // failing stores that are not listed
}

type failing struct {
	store client.ID
	client.Visited
}

// loops returns the state of each loop, by name.
func (h *Handler) loops() (all []loop) {
	for _, name := range slices.Sorted(maps.Keys(h.Visits)) {
		visits := h.Visits[name]()
		l := loop{name: name, stores: len(visits)}
		for store, v := range visits {
			if v.Err != nil && !v.Good.After(v.Failed) {
				l.failing = append(l.failing, failing{store, v})
			}
		}
		slices.SortFunc(l.failing, func(a, b failing) int {
			return cmp.Or(a.Good.Compare(b.Good), cmp.Compare(a.store, b.store))
		})
		shown := min(len(l.failing), mostFailing)
		l.more, l.failing = len(l.failing)-shown, l.failing[:shown]
		all = append(all, l)
	}
	return all
}

type loopData struct {
	Name    string
	Stores  int
	Failing []failingRow
	More    int
}

type failingRow struct {
	ID, Good, Failed, Error string
	Query                   query
}

func (h *Handler) loopData() (all []loopData) {
	since := func(t time.Time) string {
		if t.IsZero() {
			return "never"
		}
		return age(time.Since(t)) + " ago"
	}
	for _, l := range h.loops() {
		d := loopData{Name: l.name, Stores: l.stores, More: l.more}
		for _, f := range l.failing {
			id := f.store.String()
			d.Failing = append(d.Failing, failingRow{id, since(f.Good), since(f.Failed), printable(f.Err.Error()),
				query{Store: id}})
		}
		all = append(all, d)
	}
	return all
}

// loopJSON is a loop in the JSON of the overview.
type loopJSON struct {
	Name    string        `json:"name"`
	Stores  int           `json:"stores"`
	Failing []failingJSON `json:"failing"`
	More    int           `json:"more,omitempty"` // failing stores that are not listed
}

type failingJSON struct {
	Store  int64     `json:"store"`
	Good   time.Time `json:"good,omitzero"`
	Failed time.Time `json:"failed"`
	Error  string    `json:"error"`
}

func (h *Handler) loopJSON() (all []loopJSON) {
	for _, l := range h.loops() {
		j := loopJSON{l.name, l.stores, []failingJSON{}, l.more}
		for _, f := range l.failing {
			j.Failing = append(j.Failing, failingJSON{int64(f.store), f.Good, f.Failed, printable(f.Err.Error())})
		}
		all = append(all, j)
	}
	return all
}
