package inboxops

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// mostDoubts is the number of stores in doubt that the page and the JSON list, those with the oldest refusals first.
const mostDoubts = 100

// installations is the state of a Judge: which stores refuse the app's token.
type installations struct {
	outage client.AuthorizationOutage
	doubts []doubt
	more   int // stores that are not listed
}

type doubt struct {
	store client.ID
	client.Verdict
}

// installations asks the Judge, if there is one.
func (h *Handler) installations(ctx context.Context) (all installations) {
	if h.Judge == nil {
		return all
	}
	verdicts := h.Judge.Doubts(ctx)
	all.outage = h.Judge.Outage()
	for _, store := range slices.Sorted(maps.Keys(verdicts)) {
		all.doubts = append(all.doubts, doubt{store, verdicts[store]})
	}
	slices.SortStableFunc(all.doubts, func(a, b doubt) int { return a.Since.Compare(b.Since) })
	shown := min(len(all.doubts), mostDoubts)
	all.more, all.doubts = len(all.doubts)-shown, all.doubts[:shown]
	return all
}

// installationsData is the part of the overview about installations.
type installationsData struct {
	Judged bool
	Outage string // age of the outage; empty if there is none
	Stores int    // of the outage
	Doubts []doubtRow
	More   int
}

type doubtRow struct {
	ID       string
	Access   client.Access
	Age      string // of the first refusal
	Refusals int
	Query    query
}

func (h *Handler) installationsData(ctx context.Context) installationsData {
	all := h.installations(ctx)
	d := installationsData{Judged: h.Judge != nil, Stores: all.outage.Stores, More: all.more}
	if !all.outage.Since.IsZero() {
		d.Outage = cmp.Or(age(time.Since(all.outage.Since)), "0 s")
	}
	for _, of := range all.doubts {
		id := of.store.String()
		d.Doubts = append(d.Doubts, doubtRow{id, of.Access, age(time.Since(of.Since)), of.Refusals, query{Store: id}})
	}
	return d
}

// installationsJSON is the state of the Judge in the JSON of the overview.
type installationsJSON struct {
	OutageSince time.Time   `json:"outage_since,omitzero"`
	Doubts      []doubtJSON `json:"doubts"`
	More        int         `json:"more,omitempty"` // stores in doubt that are not listed
}

type doubtJSON struct {
	Store    int64         `json:"store"`
	Access   client.Access `json:"access"`
	Since    time.Time     `json:"since"`
	Refusals int           `json:"refusals"`
}

func (h *Handler) installationsJSON(ctx context.Context) *installationsJSON {
	if h.Judge == nil {
		return nil
	}
	all := h.installations(ctx)
	j := &installationsJSON{OutageSince: all.outage.Since, Doubts: []doubtJSON{}, More: all.more}
	for _, of := range all.doubts {
		j.Doubts = append(j.Doubts, doubtJSON{int64(of.store), of.Access, of.Since, of.Refusals})
	}
	return j
}
