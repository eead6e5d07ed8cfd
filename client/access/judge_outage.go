package access

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/client/value"
	"github.com/commerceplatform/commerce-go/internal/rounds"
)

// AuthorizationOutage is a time in which the platform refuses the tokens of many stores.
type AuthorizationOutage struct {
	Since  time.Time // when it was noticed
	Ended  time.Time // zero while it lasts
	Stores int       // stores that refuse their tokens
}

const (
	outageWindow  = time.Minute      // in which stores are compared
	outageStores  = 3                // refused stores that are many
	outagePause   = 15 * time.Second // between two looks at an outage
	outageLongest = 24 * time.Hour   // later refusals count in spite of it

	mostAccepted = 1000            // accepted stores that are remembered
	witnesses    = 8               // stores that are asked whether there is an outage
	witnessTime  = 5 * time.Second // for all of them
	mostHung     = 64              // calls of Probe that have not returned
)

// outage is what a Judge knows of the platform's authorization.
type outage struct {
	since  time.Time // zero if there is none
	asked  time.Time // when witnesses were asked last
	asking bool
	hung   int // calls of Probe in progress
}

// out reports whether there is an outage. It looks again if that is due. The caller holds the lock, which out releases
// while it asks.
func (j *Judge) out(ctx context.Context) bool {
	now := time.Now()
	if j.outage.since.IsZero() {
		return false
	}
	if j.Probe != nil && j.due(now) && !j.many(ctx) {
		j.end(ctx, now)
	}
	return !j.outage.since.IsZero() && now.Sub(j.outage.since) < outageLongest
}

// suspect begins an outage if many stores are refused. The caller holds the lock.
func (j *Judge) suspect(ctx context.Context, now time.Time) {
	if !j.outage.since.IsZero() || !j.suspicious(now) || j.Probe != nil && (!j.due(now) || !j.many(ctx)) {
		return
	}
	j.outage.since = now
	j.report(ctx, AuthorizationOutage{Since: now, Stores: j.doubts.Len()})
}

// relax ends an outage after a store was accepted. The caller holds the lock.
func (j *Judge) relax(ctx context.Context, now time.Time) {
	if !j.outage.since.IsZero() && (j.Probe == nil || j.due(now) && !j.many(ctx)) {
		j.end(ctx, now)
	}
}

// suspicious reports whether more stores were refused than accepted lately, in any time up to a minute. A store counts
// by its last call. Stores that were accepted shortly before an outage began say nothing about it.
func (j *Judge) suspicious(now time.Time) bool {
	type call struct {
		at      time.Time
		refused int
	}
	var calls []call
	for _, d := range j.doubts.All() {
		if !d.tokenless && d.refusals > 0 && now.Sub(d.last) < outageWindow {
			calls = append(calls, call{d.last, 1})
		}
	}
	for _, last := range j.accepted.All() {
		if now.Sub(last) < outageWindow {
			calls = append(calls, call{last, 0})
		}
	}
	slices.SortStableFunc(calls, func(a, b call) int { return b.at.Compare(a.at) })
	refused := 0
	for i, c := range calls {
		if refused += c.refused; refused >= outageStores && 2*refused > i+1 {
			return true
		}
	}
	return false
}

// due reports whether witnesses may be asked, and reserves that.
func (j *Judge) due(now time.Time) bool {
	if j.outage.asking || !j.outage.asked.IsZero() && now.Sub(j.outage.asked) < outagePause {
		return false
	}
	j.outage.asked = now
	return true
}

// many asks some stores that were accepted earlier, and reports whether at least half of them refuse their tokens now.
// The caller holds the lock, which many releases while it asks.
func (j *Judge) many(ctx context.Context) bool {
	asked := j.witnesses()
	if j.outage.hung+len(asked) > mostHung {
		return true
	}
	j.outage.asking = true
	j.outage.hung += len(asked)
	j.mu.Unlock()
	answers := j.ask(ctx, asked)
	j.mu.Lock()
	j.outage.asking = false
	refused := 0
	for store, err := range answers {
		access, undecided := Of(err)
		switch {
		case undecided != nil:
			delete(answers, store)
		case access == Gone && !tokenless(err):
			refused++
		}
	}
	return len(answers) == 0 || 2*refused >= len(answers)
}

// witnesses chooses stores that were accepted earlier.
func (j *Judge) witnesses() []value.ID {
	var all []value.ID
	for store := range j.accepted.All() {
		all = append(all, store)
	}
	for store, d := range j.doubts.All() {
		if d.before && !d.tokenless {
			all = append(all, store)
		}
	}
	rand.Shuffle(len(all), func(a, b int) { all[a], all[b] = all[b], all[a] })
	return all[:min(len(all), witnesses)]
}

// ask probes stores, and returns the answers that have arrived in time.
func (j *Judge) ask(ctx context.Context, stores []value.ID) map[value.ID]error {
	type answer struct {
		store value.ID
		err   error
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), witnessTime)
	defer cancel()
	arrived := make(chan answer, len(stores))
	for _, store := range stores {
		go func() {
			defer j.returned()
			arrived <- answer{store, rounds.Guard(func() error { return j.Probe(ctx, store) })}
		}()
	}
	answers := make(map[value.ID]error, len(stores))
	for range stores {
		select {
		case a := <-arrived:
			answers[a.store] = a.err
		case <-ctx.Done():
			return answers
		}
	}
	return answers
}

// returned records that a call of Probe has returned.
func (j *Judge) returned() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.outage.hung--
}

// end ends the outage. All stores that are still refused require new evidence.
func (j *Judge) end(ctx context.Context, now time.Time) {
	for _, d := range j.doubts.All() {
		if !d.tokenless {
			d.first, d.last, d.refusals = now, now, 0
		}
	}
	o := AuthorizationOutage{Since: j.outage.since, Ended: now, Stores: j.doubts.Len()}
	j.outage.since = time.Time{}
	j.report(ctx, o)
}

// report calls OnOutage without the lock, which the caller holds.
func (j *Judge) report(ctx context.Context, o AuthorizationOutage) {
	j.mu.Unlock()
	defer j.mu.Lock()
	if j.OnOutage != nil {
		_ = rounds.Guard(func() error { j.OnOutage(ctx, o); return nil })
		return
	}
	const begun = "client: the platform refuses the tokens of many stores, so no store counts as uninstalled"
	if o.Ended.IsZero() {
		slog.WarnContext(ctx, begun, "stores", o.Stores)
		return
	}
	slog.WarnContext(ctx, "client: the platform accepts tokens again", "stores", o.Stores, "after", o.Ended.Sub(o.Since))
}
