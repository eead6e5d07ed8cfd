package webhook

import (
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/client/value"
)

// While runs take less than fast on average, a worker leases ahead: entries wait in it for a place, so that a free
// place need not wait for the inbox. None waits longer than aheadTime, or a tenth of the term of its lease. Then it is
// given back for other workers, and no entry is leased ahead until runs are fast again.
const (
	fast      = 5 * time.Millisecond
	aheadTime = 100 * time.Millisecond
	leastHead = 8 // the least number of entries that may wait
)

// leased is a lease of a worker.
type leased struct {
	Lease
	asked time.Time // when it was requested
	late  *time.Timer

	alone, left bool // see crowd
}

// ahead are leases that wait for a place. It is guarded by places.
type ahead struct {
	most    int
	patient time.Duration // how long a lease may wait
	average time.Duration // of runs
	late    func(l *leased)
	waiting []*leased // in the order of their leases
}

func newAhead(places int, term time.Duration) ahead {
	return ahead{most: max(places, leastHead), patient: min(aheadTime, term/10), average: 2 * fast}
}

// room is the number of leases that may be added. It is 0 until half of the waiting ones are gone, because leasing many
// at a time costs an inbox little more than leasing one.
func (a *ahead) room() int {
	if a.average >= fast || len(a.waiting) > a.most/2 {
		return 0
	}
	return a.most - len(a.waiting)
}

// ran notes how long a run took.
func (a *ahead) ran(took time.Duration) { a.average += (min(took, time.Second) - a.average) / 8 }

func (a *ahead) add(l *leased) {
	l.late = time.AfterFunc(a.patient, func() { a.late(l) })
	a.waiting = append(a.waiting, l)
}

// first removes the first lease whose store may have a place, and returns it, nil if there is none.
func (a *ahead) first(may func(store value.ID) bool) *leased {
	for _, l := range a.waiting {
		if may(l.StoreID) {
			a.remove(l)
			return l
		}
	}
	return nil
}

// remove removes the lease, and reports whether it was waiting.
func (a *ahead) remove(l *leased) bool {
	i := slices.Index(a.waiting, l)
	if i < 0 {
		return false
	}
	a.waiting = slices.Delete(a.waiting, i, i+1)
	l.late.Stop()
	return true
}

// giveUp removes a lease that has waited too long, and calls out before end returns.
func (p *places) giveUp(l *leased, out func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ahead.remove(l) {
		p.ahead.average = max(p.ahead.average, 2*fast)
		out()
	}
}

// end removes all leases that wait.
func (p *places) end() (waiting []*leased) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.ahead.waiting) > 0 {
		l := p.ahead.waiting[0]
		p.ahead.remove(l)
		waiting = append(waiting, l)
	}
	return waiting
}
