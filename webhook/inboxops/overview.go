package inboxops

import (
	"net/http"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// figure is a number with its history.
type figure struct {
	ID, Name, Value, Hint string
	Trend                 trend
	Alarm                 bool
}

type overviewData struct {
	Figures    []figure
	Problem    string // why there are no newer figures
	Age        string // of the figures
	GroupsAge  string
	Uncounted  string // why there are no newer groups
	Groups     []groupRow
	More       int
	Stores     []storeRow // at most shownStores
	MoreStores []storeRow // which are folded
	HaveGroups bool

	Installations installationsData
	Loops         []loopData
}

// shownStores is how many stores the page shows at first. Stores with dead entries come first.
const shownStores = 10

type groupRow struct {
	ID, Event, Cause, Age string
	State                 webhook.EntryState
	Protected, Dead       bool
	Count, Stores, Rank   int
	Trend                 trend
	Query                 query
}

type storeRow struct {
	ID                         string
	Dead, Due, Waiting, Leased int
	Age                        string
	Query, Died                query
}

func (h *Handler) overview(_ http.ResponseWriter, r *http.Request) (int, string, any, error) {
	f := h.watch.figures(r.Context())
	d := overviewData{Figures: f.rows(), HaveGroups: !f.counted.IsZero(), More: f.more,
		Installations: h.installationsData(r.Context()), Loops: h.loopData()}
	status := http.StatusOK
	if f.err != nil {
		d.Problem = printable(f.err.Error())
		if f.at.IsZero() {
			status = http.StatusServiceUnavailable
		}
	}
	if f.uncounted != nil {
		d.Uncounted = printable(f.uncounted.Error())
	}
	if !f.at.IsZero() {
		d.Age = age(time.Since(f.at))
	}
	if d.HaveGroups {
		d.GroupsAge = age(time.Since(f.counted))
	}
	for _, g := range f.groups {
		d.Groups = append(d.Groups, g.row(f.engine))
	}
	for _, s := range f.stores {
		q := query{Store: s.id.String()}
		row := storeRow{ID: q.Store, Dead: s.dead, Due: s.due, Waiting: s.waiting, Leased: s.leased, Query: q,
			Died: query{Store: q.Store, State: "dead"}}
		if !s.oldest.IsZero() {
			row.Age = age(f.engine.Sub(s.oldest))
		}
		d.Stores = append(d.Stores, row)
	}
	if len(d.Stores) > shownStores {
		d.Stores, d.MoreStores = d.Stores[:shownStores], d.Stores[shownStores:]
	}
	return status, "overview", d, nil
}

// id is the id of the group on the page.
func (g group) id() string {
	values := queryFor(g.State, g.Event, g.Cause).values()
	if g.Protected {
		values.Set("protected", "1")
	}
	return values.Encode()
}

func (g groupSum) row(now time.Time) groupRow {
	q := queryFor(g.State, g.Event, g.Cause)
	return groupRow{
		ID: g.id(), State: g.State, Event: string(g.Event), Cause: g.Cause, Age: age(now.Sub(g.oldest)),
		Protected: g.Protected,
		Dead:      g.State == webhook.EntryDead, Count: g.count, Stores: g.stores, Rank: g.rank(), Trend: g.past, Query: q,
	}
}

// rows are the figures of the page.
func (f figures) rows() []figure {
	s := f.stats
	duration := func(of func(s webhook.Stats) time.Duration) trend {
		return f.trend(func(s webhook.Stats) int { return int(of(s).Round(time.Second) / time.Second) },
			func(n int) string { return age(time.Duration(n) * time.Second) })
	}
	count := func(of func(s webhook.Stats) int) trend { return f.trend(of, number) }
	in, out := f.rate(func(s sample) int64 { return s.accepted }), f.rate(func(s sample) int64 { return s.handled })
	rows := []figure{
		{"pending", "Pending", number(s.Pending), "to be handled",
			count(func(s webhook.Stats) int { return s.Pending }), false},
		{"due", "Due", number(s.Due), "wait for a worker", count(func(s webhook.Stats) int { return s.Due }), false},
		{"leased", "Leased", number(s.Leased), "in progress", count(func(s webhook.Stats) int { return s.Leased }), false},
		{"dead", "Dead", number(s.Dead), "not tried again", count(func(s webhook.Stats) int { return s.Dead }), s.Dead > 0},
		{"done", "Done", number(s.Done), "facts remembered", count(func(s webhook.Stats) int { return s.Done }), false},
		{"lag", "Lag", age(s.Lag), "since the first due entry was due",
			duration(func(s webhook.Stats) time.Duration { return s.Lag }), s.Lag > 10*time.Minute},
		{"oldest", "Oldest pending", age(s.Oldest), "if this is minutes, workers are slow or down",
			duration(func(s webhook.Stats) time.Duration { return s.Oldest }), s.Oldest > 10*time.Minute},
		{"protected", "Oldest privacy request", age(s.OldestProtected), "there is a legal deadline",
			duration(func(s webhook.Stats) time.Duration { return s.OldestProtected }), s.OldestProtected > time.Hour},
	}
	if len(f.samples) > 0 { // a command has no past
		rows = append(rows, figure{"in", "Arrivals", perMinute(in.now), "accepted by this process", in.trend, false},
			figure{"out", "Handled", perMinute(out.now), "by workers of this process", out.trend, false})
	}
	return rows
}
