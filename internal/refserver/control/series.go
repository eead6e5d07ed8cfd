package control

import (
	"math"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
	"github.com/commerceplatform/commerce-go/internal/refserver/work"
)

// Bounds of a series.
const (
	seriesParts = 60
	usualOver   = 10 * time.Minute
	leastOver   = time.Minute
	mostOver    = 366 * 24 * time.Hour
)

// figures are those of a part of a series, or of all of it.
type figures struct {
	From     *string          `json:"from"`
	N        int64            `json:"n"`
	States   map[string]int64 `json:"states"`
	Problems int64            `json:"problems"`
	P50      float64          `json:"p50_ms"`
	P95      float64          `json:"p95_ms"`
	Max      float64          `json:"max_ms"`
	Waiting  int64            `json:"waiting"`
	Failing  int64            `json:"failing"`

	took []time.Duration
}

// seriesJSON are figures about a kind of entries, over a time until now. N, States, Problems and the times count the
// entries that began in a part, as they are now. Waiting and Failing count the webhooks that were open at its end.
type seriesJSON struct {
	Of    string  `json:"of"`
	Clock string  `json:"clock"` // that of all times: virtual, ahead or machine
	From  *string `json:"from"`
	To    *string `json:"to"`
	// Seconds is the length of a part.
	Seconds float64 `json:"seconds"`
	// Limit is that of the last call with one, null if there was none.
	Limit *float64 `json:"of_ms"`
	// Complete is false if entries of this time were forgotten.
	Complete bool      `json:"complete"`
	Total    *figures  `json:"total"`
	Parts    []figures `json:"parts"`

	begin time.Time
	part  time.Duration
}

// series answers figures for a chart.
func series(c *call) (any, error) {
	q := c.r.URL.Query()
	kinds := map[string]traffic.Kind{}
	var names []string
	for _, kind := range traffic.Kinds() {
		names = append(names, string(kind)+"s")
		kinds[string(kind)+"s"], kinds[string(kind)] = kind, kind
	}
	kind, ok := kinds[q.Get("of")]
	if !ok {
		return nil, misnamed("of", q.Get("of"), "a kind of entries", names)
	}
	over := usualOver
	if value := q.Get("over"); value != "" {
		var err error
		if over, err = time.ParseDuration(value); err != nil || over < leastOver || over > mostOver {
			return nil, wrong("over", cut(value), "must be a duration of 1m to 8784h, such as 10m")
		}
	}
	s := newSeries(string(kind)+"s", over, c.server.Clock())
	journal := c.server.Journal()
	keep := func(e *traffic.Entry) bool {
		if s.Complete = s.Complete || e.ID == 1 || e.At.Before(s.begin); e.Kind != kind {
			return false
		}
		if matches(q.Get("store"), text(e.Store)) && matches(q.Get("app"), text(e.App)) {
			s.add(e)
		}
		return false
	}
	s.Complete = journal.Totals().Entries == 0
	for p := (work.Part{Most: mostScanned}); c.ctx.Err() == nil; {
		_, looked, last := journal.Part(p, keep)
		if p.After = last; looked < p.Most {
			break
		}
	}
	s.finish()
	return s, c.ctx.Err()
}

func newSeries(of string, over time.Duration, by clock.Clock) *seriesJSON {
	now := by.Now()
	s := &seriesJSON{
		Of: of, Clock: "machine", Seconds: (over / seriesParts).Seconds(), Total: &figures{States: map[string]int64{}},
		begin: now.Add(-over), part: over / seriesParts,
	}
	switch by.(type) {
	case *clock.Virtual:
		s.Clock = "virtual"
	case *clock.Ahead:
		s.Clock = "ahead"
	}
	s.From, s.To = stamp(s.begin), stamp(now)
	s.Total.From = s.From
	for i := range seriesParts {
		s.Parts = append(s.Parts, figures{From: stamp(s.begin.Add(time.Duration(i) * s.part)), States: map[string]int64{}})
	}
	return s
}

// place is the part of a time: below 0 before the first. The last part has the present.
func (s *seriesJSON) place(t time.Time) int {
	if t.Before(s.begin) {
		return -1
	}
	return min(int(t.Sub(s.begin)/s.part), seriesParts-1)
}

// add counts an entry in its part, and in every part at whose end it was open.
func (s *seriesJSON) add(e *traffic.Entry) {
	if e.Limit > 0 {
		limit := ms(e.Limit)
		s.Limit = &limit
	}
	at := s.place(e.At)
	if at >= 0 {
		s.Total.count(e)
		s.Parts[at].count(e)
	}
	if e.Kind != traffic.KindWebhook {
		return
	}
	tried, ended := seriesParts, seriesParts
	if !e.Tried.IsZero() {
		tried = max(s.place(e.Tried), 0)
	}
	if !e.Ended.IsZero() {
		ended = max(s.place(e.Ended), 0)
	}
	for i := max(at, 0); i < ended; i++ {
		if i < tried {
			s.Parts[i].Waiting++
		} else {
			s.Parts[i].Failing++
		}
	}
}

func (f *figures) count(e *traffic.Entry) {
	f.N++
	f.States[string(e.State)]++
	if e.State.Bad() {
		f.Problems++
	}
	if e.Tries > 0 {
		f.took = append(f.took, e.Took)
	}
}

// finish computes the times.
func (s *seriesJSON) finish() {
	last := s.Parts[seriesParts-1]
	s.Total.Waiting, s.Total.Failing = last.Waiting, last.Failing
	s.Total.finish()
	for i := range s.Parts {
		s.Parts[i].finish()
	}
}

func (f *figures) finish() {
	if len(f.took) == 0 {
		return
	}
	slices.Sort(f.took)
	at := func(share float64) float64 { return ms(f.took[int(math.Ceil(share*float64(len(f.took))))-1]) }
	f.P50, f.P95, f.Max = at(0.5), at(0.95), at(1)
}
