package inboxops

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

const (
	mostSamples  = 60              // that sparklines show
	mostTracked  = 200             // groups of which the past is kept
	mostShown    = 50              // groups and stores on the page
	longestCount = 5 * time.Minute // until a count of groups is abandoned
	// share is the part of the time that the groups may be counted in: a count of two seconds is made every 40.
	share = 20
	// patience is how long a page waits for new figures before it shows those from before.
	patience = 300 * time.Millisecond
)

// group is what the page shows of groups: those of all stores together.
type group struct {
	State     webhook.EntryState
	Event     webhook.Name
	Cause     string
	Protected bool
}

// groupSum is how many entries a group has.
type groupSum struct {
	group
	count  int
	stores int
	oldest time.Time
	past   []int // the newest last
}

// storeSum is how many entries a store has.
type storeSum struct {
	id                            client.ID
	due, leased, waiting, dead, n int
	oldest                        time.Time // of those that are pending
}

// figures are what was counted.
type figures struct {
	stats     webhook.Stats
	at        time.Time // of stats, by the clock of this process; zero: there are none
	samples   []webhook.Stats
	groups    []groupSum // problems first
	more      int        // groups that are not in groups
	stores    []storeSum // those with the most dead entries first
	allStore  map[client.ID]storeSum
	counted   time.Time // of groups, by the clock of this process; zero: there are none
	engine    time.Time // of groups, by the clock of the engine
	err       error     // of the last try; nil if it succeeded
	uncounted error     // the same for groups
}

// watch takes samples, at most one at a time. The zero value but for inbox and every is ready.
type watch struct {
	inbox inbox
	every time.Duration

	mu      sync.Mutex
	last    figures
	past    []map[group]int // the newest last
	recount time.Time       // when the groups may be counted again. Only sample uses it
	busy    chan struct{}   // closed when the sample in progress is taken; nil: there is none
	next    time.Time       // when the next one may begin
}

// figures returns the last figures, and has new ones taken if those are old.
func (s *watch) figures(ctx context.Context) figures {
	s.mu.Lock()
	busy := s.busy
	if busy == nil && !time.Now().Before(s.next) {
		busy = s.begin()
		go s.sample(context.WithoutCancel(ctx), busy)
	}
	wait := patience
	if s.last.at.IsZero() && s.last.err == nil {
		wait *= 10 // there is nothing to show
	}
	s.mu.Unlock()
	if busy != nil {
		late := time.NewTimer(wait)
		defer late.Stop()
		select {
		case <-busy:
		case <-late.C:
		case <-ctx.Done():
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}

// take takes a sample, or waits for the one in progress.
func (s *watch) take(ctx context.Context) {
	s.mu.Lock()
	busy, begins := s.busy, s.busy == nil
	if begins {
		busy = s.begin()
	}
	s.mu.Unlock()
	if begins {
		s.sample(ctx, busy)
		return
	}
	select {
	case <-busy:
	case <-ctx.Done():
	}
}

// expire has the next page take new figures: somebody has changed something.
func (s *watch) expire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next = time.Time{}
}

// begin must be called with the lock held.
func (s *watch) begin() chan struct{} {
	s.busy = make(chan struct{})
	s.next = time.Now().Add(s.every)
	return s.busy
}

// sample takes one sample. It ends within longestCount.
func (s *watch) sample(ctx context.Context, busy chan struct{}) {
	ctx, cancel := context.WithTimeout(ctx, longestCount)
	defer cancel()
	s.mu.Lock()
	f := s.last
	s.mu.Unlock()
	stats, err := s.inbox.Stats(ctx)
	if f.err = err; err == nil {
		f.stats, f.at = stats, time.Now()
		f.samples = tail(append(slices.Clone(f.samples), stats))
	}
	if began := time.Now(); err == nil && !began.Before(s.recount) {
		all, err := s.inbox.Groups(ctx, webhook.EntryFilter{})
		s.recount = time.Now().Add(share * time.Since(began))
		if f.uncounted = err; err == nil {
			f.counted, f.engine = time.Now(), all.At
			s.arrange(&f, all.Groups)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last, s.busy = f, nil
	close(busy)
}

// sumUp sums groups up by group, problems first, and by store.
func sumUp(all []webhook.EntryGroup) (groups []groupSum, stores map[client.ID]storeSum) {
	sums := map[group]groupSum{}
	stores = map[client.ID]storeSum{}
	for _, g := range all {
		id := group{g.State, g.Event, g.Cause, g.Protected}
		sum := sums[id]
		sum.group, sum.count, sum.stores = id, sum.count+g.Count, sum.stores+1
		sum.oldest = earlier(sum.oldest, g.Oldest)
		sums[id] = sum
		store := stores[g.StoreID]
		store.id = g.StoreID
		store.add(g)
		stores[g.StoreID] = store
	}
	for _, sum := range sums {
		groups = append(groups, sum)
	}
	slices.SortFunc(groups, func(a, b groupSum) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(b.count, a.count), cmp.Compare(a.Event, b.Event),
			cmp.Compare(a.Cause, b.Cause))
	})
	return groups, stores
}

// arrange makes the groups and stores of the page. Only sample calls it.
func (s *watch) arrange(f *figures, all []webhook.EntryGroup) {
	groups, stores := sumUp(all)
	now := make(map[group]int)
	for _, sum := range groups[:min(len(groups), mostTracked)] {
		now[sum.group] = sum.count
	}
	s.past = tail(append(s.past, now))
	f.more = max(0, len(groups)-mostShown)
	f.groups, f.stores, f.allStore = groups[:len(groups)-f.more], nil, stores
	for i, sum := range f.groups {
		for _, then := range s.past {
			f.groups[i].past = append(f.groups[i].past, then[sum.group])
		}
	}
	for _, store := range stores {
		f.stores = append(f.stores, store)
	}
	slices.SortFunc(f.stores, func(a, b storeSum) int {
		return cmp.Or(cmp.Compare(b.dead, a.dead), cmp.Compare(b.due+b.waiting+b.leased, a.due+a.waiting+a.leased),
			cmp.Compare(a.id, b.id))
	})
	f.stores = f.stores[:min(len(f.stores), mostShown)]
}

func (s *storeSum) add(g webhook.EntryGroup) {
	s.n += g.Count
	switch g.State {
	case webhook.EntryDead:
		s.dead += g.Count
		return
	case webhook.EntryDone:
		return
	case webhook.EntryDue:
		s.due += g.Count
	case webhook.EntryLeased:
		s.leased += g.Count
	default:
		s.waiting += g.Count
	}
	s.oldest = earlier(s.oldest, g.Oldest)
}

// rank is lower for what somebody should look at.
func (g group) rank() int {
	switch {
	case g.State == webhook.EntryDead && g.Protected:
		return 0
	case g.State == webhook.EntryDead:
		return 1
	case g.State != webhook.EntryDone && g.Cause != "":
		return 2
	case g.State != webhook.EntryDone:
		return 3
	}
	return 4
}

func earlier(known, t time.Time) time.Time {
	if known.IsZero() || t.Before(known) {
		return t
	}
	return known
}

func tail[T any](all []T) []T { return all[max(0, len(all)-mostSamples):] }
