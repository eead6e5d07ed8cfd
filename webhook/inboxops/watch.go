package inboxops

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/webhook"
)

const (
	mostSamples  = 60              // that sparklines show
	mostTracked  = 200             // groups whose history is stored
	mostShown    = 50              // groups and stores on the page
	longestCount = 5 * time.Minute // until a count of groups is abandoned
	// share is the part of the time that counting groups may take: a count of two seconds is made every 40.
	share = 20
	// patience is how long a page waits for new figures before it shows the previous ones.
	patience = 300 * time.Millisecond
)

// figures are the last counts.
type figures struct {
	stats     webhook.Stats
	at        time.Time  // of stats, by the clock of this process; zero if there are none
	samples   []sample   // the newest last
	groups    []groupSum // problems first
	more      int        // groups that are not in groups
	stores    []storeSum // stores with the most dead entries first
	allStore  map[client.ID]storeSum
	counted   time.Time // of groups, by the clock of this process; zero if there are none
	engine    time.Time // of groups, by the clock of the engine
	err       error     // of the last attempt; nil if it succeeded
	uncounted error     // the same for groups
}

// sample is the statistics at a time, by the clock of this process.
type sample struct {
	webhook.Stats
	at                time.Time
	accepted, handled int64 // by this process
}

// counts are the entries of each group at a time.
type counts struct {
	of map[group]int
	at time.Time
}

// watch takes samples, at most one at a time. The zero value is ready once inbox, every and logger are set.
type watch struct {
	inbox  inbox
	every  time.Duration
	logger *slog.Logger
	seldom callback.Seldom

	mu      sync.Mutex
	last    figures
	past    []counts      // the newest last
	recount time.Time     // when the groups may be counted again; only sample uses it
	busy    chan struct{} // closed when the sample in progress is taken; nil if there is none
	next    time.Time     // when the next one may begin
}

// figures returns the last figures. It takes new ones if those are old.
func (s *watch) figures(ctx context.Context) figures {
	s.mu.Lock()
	busy := s.busy
	if busy == nil && !time.Now().Before(s.next) {
		busy = s.begin()
		go s.sample(context.WithoutCancel(ctx), busy)
	}
	wait := patience
	if s.last.at.IsZero() && s.last.err == nil {
		wait *= 10 // there are no figures to show yet
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

// expire makes the next page take new figures, because entries have changed.
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

// sample takes one sample. It ends within longestCount. If the inbox panics, the sample has failed.
func (s *watch) sample(ctx context.Context, busy chan struct{}) {
	ctx, cancel := context.WithTimeout(ctx, longestCount)
	defer cancel()
	s.mu.Lock()
	f := s.last
	s.mu.Unlock()
	defer func() { // even if the inbox ends the goroutine
		s.mu.Lock()
		defer s.mu.Unlock()
		s.last, s.busy = f, nil
		close(busy)
	}()
	f.err = callback.ErrExit
	stats, err := guard(func() (webhook.Stats, error) { return s.inbox.Stats(ctx) })
	if f.err = err; err != nil {
		s.logPanic(ctx, err)
	}
	if err != nil && stats == (webhook.Stats{}) { // otherwise a part of the inbox has answered
		return
	}
	f.stats, f.at = stats, time.Now()
	f.samples = tail(append(slices.Clone(f.samples), s.flow(sample{Stats: stats, at: f.at})))
	began := time.Now()
	if began.Before(s.recount) {
		return
	}
	f.uncounted = callback.ErrExit
	all, err := guard(func() (webhook.EntryGroups, error) { return s.inbox.Groups(ctx, webhook.EntryFilter{}) })
	s.recount = time.Now().Add(share * time.Since(began))
	if f.uncounted = err; err != nil {
		s.logPanic(ctx, err)
	}
	if err != nil && len(all.Groups) == 0 {
		return
	}
	f.counted, f.engine = time.Now(), all.At
	s.arrange(&f, all.Groups)
}

// flow adds the counters of this process to a sample.
func (s *watch) flow(one sample) sample {
	if f, ok := s.inbox.(webhook.Flow); ok {
		one.accepted, one.handled = f.Flow()
	}
	return one
}

// guard turns a panic into an error.
func guard[T any](ask func() (T, error)) (answer T, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = callback.Recovered(v)
		}
	}()
	return ask()
}

// logPanic logs the stack of a panic, at most once a minute. The page shows only its message.
func (s *watch) logPanic(ctx context.Context, err error) {
	stack := callback.Stack(err)
	if stack == nil {
		return
	}
	if _, due := s.seldom.Due("panic"); due {
		callback.Panics(func() {
			s.logger.LogAttrs(ctx, slog.LevelError, "webhook/inboxops: the inbox panicked",
				slog.String("error", printable(err.Error())), slog.String("stack", string(stack)))
		})
	}
}
