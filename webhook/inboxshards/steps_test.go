package inboxshards_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxshards"
)

// plan is something that happens at one of the calls that Move makes to its shards.
type plan struct {
	at    int // of calls
	after bool
	act   func() error // an error kills Move

	calls int
	dead  error
}

type planned struct{}

func planOf(ctx context.Context) *plan {
	p, _ := ctx.Value(planned{}).(*plan)
	return p
}

func (p *plan) around(call func() error) error {
	if p == nil {
		return call()
	}
	if p.dead != nil {
		return p.dead
	}
	p.calls++
	if p.calls == p.at && !p.after {
		if p.dead = p.act(); p.dead != nil {
			return p.dead
		}
	}
	err := call()
	if p.calls == p.at && p.after {
		p.dead = p.act()
		err = errors.Join(err, p.dead)
	}
	return err
}

// steps is a shard at whose calls a plan is carried out.
type steps struct{ inboxshards.Engine }

func (s steps) Accept(ctx context.Context, e ...webhook.Entry) (all []webhook.Outcome, err error) {
	err = planOf(ctx).around(func() (err error) { all, err = s.Engine.Accept(ctx, e...); return err })
	return all, err
}

func (s steps) Mark(ctx context.Context, name string) (at time.Time, err error) {
	err = planOf(ctx).around(func() (err error) { at, err = s.Engine.Mark(ctx, name); return err })
	return at, err
}

func (s steps) SetMark(ctx context.Context, name string, at time.Time) error {
	return planOf(ctx).around(func() error { return s.Engine.SetMark(ctx, name, at) })
}

func (s steps) RaiseToken(ctx context.Context, above uint64) error {
	return planOf(ctx).around(func() error { return s.Engine.RaiseToken(ctx, above) })
}

func (s steps) Browse(ctx context.Context, q webhook.BrowseQuery) (page webhook.BrowsePage, err error) {
	err = planOf(ctx).around(func() (err error) { page, err = s.Engine.Browse(ctx, q); return err })
	return page, err
}

func (s steps) Dead(ctx context.Context, after string, limit int) (all []webhook.DeadLetter, err error) {
	err = planOf(ctx).around(func() (err error) { all, err = s.Engine.Dead(ctx, after, limit); return err })
	return all, err
}

func (s steps) Purge(ctx context.Context, keys ...string) (n int, err error) {
	err = planOf(ctx).around(func() (err error) { n, err = s.Engine.Purge(ctx, keys...); return err })
	return n, err
}

// shop is one store that is moved from shard a to shard b, by an app of two processes.
type shop struct {
	t         *testing.T
	a, b      inboxshards.Shard
	processes []*inboxshards.Inbox
	store     client.ID
	pace      time.Duration // of facts
	ran       []string
	token     uint64
}

func newShop(t *testing.T) *shop {
	s := &shop{t: t, pace: 300 * time.Millisecond, a: inboxshards.Shard{Name: "a", Inbox: steps{memory(t, 0)}},
		b: inboxshards.Shard{Name: "b", Inbox: steps{memory(t, 0)}}}
	for range 2 {
		s.processes = append(s.processes, changed(t, "steps", []string{"a"}, s.a, s.b))
	}
	s.store = storeOn(t, s.processes[0], s.b)
	return s
}

// fact returns the nth fact of the only record.
func (s *shop) fact(n int) webhook.Entry {
	e := signal(s.store)
	e.Kind, e.Window, e.Key = webhook.KindFact, time.Hour, e.Key+fmt.Sprintf(":%03d", n)
	return e
}

// letter returns an entry that no handler can have.
func (s *shop) letter() webhook.Entry {
	e := s.fact(0)
	e.Key, e.Unhandled = e.Key+" letter", "no handler"
	return e
}

// move moves the store while facts arrive and are run, and returns their keys.
func (s *shop) move(moves ...func()) (sent []string) {
	ctx, stop := context.WithCancel(s.t.Context())
	var all, movers sync.WaitGroup
	all.Go(func() { s.work(ctx) })
	all.Go(func() {
		for n := 1; ctx.Err() == nil; n++ {
			e := s.fact(n)
			for i := 0; ; i++ {
				_, err := s.processes[(n+i)%2].Accept(s.t.Context(), e)
				if err == nil {
					break
				}
				s.refused(err)
				time.Sleep(700 * time.Millisecond)
			}
			sent = append(sent, e.Key)
			time.Sleep(s.pace)
		}
	})
	for _, move := range moves {
		movers.Go(move)
	}
	movers.Wait()
	if _, err := s.processes[1].Move(s.t.Context(), "app", those(s.store), nil); err != nil {
		s.t.Error(err)
	}
	time.Sleep(3 * time.Second)
	stop()
	all.Wait()
	return sent
}

// work runs entries of both processes in turns.
func (s *shop) work(ctx context.Context) {
	for i, idle := 0, 0; ctx.Err() == nil || idle < 30; i++ {
		in := s.processes[i%2]
		leases, err := in.Lease(s.t.Context(), webhook.LeaseQuery{Limit: 2, Term: 30 * time.Second})
		if err != nil {
			s.t.Error(err)
		}
		if idle++; len(leases) > 0 {
			idle = 0
		}
		for _, l := range leases {
			if l.Token <= s.token {
				s.t.Errorf("%s: token %d after %d", l.Key, l.Token, s.token)
			}
			s.ran, s.token = append(s.ran, l.Key), l.Token
			time.Sleep(s.pace / 6)
			if _, err := in.Commit(s.t.Context(), l); err != nil {
				s.t.Error(err)
			}
		}
		time.Sleep(s.pace / 3)
	}
}

// ended checks that all facts were run once and in order, and that the new shard knows them all.
func (s *shop) ended(sent []string) {
	s.t.Helper()
	if !slices.Equal(s.ran, sent) {
		s.t.Errorf("ran %v, want %v", s.ran, sent)
	}
	last := s.fact(len(sent) + 1)
	accept(s.t, s.processes[0], last)
	if _, err := s.b.Inbox.Lookup(s.t.Context(), last.Key, false); err != nil {
		s.t.Errorf("the next fact: %v", err)
	}
	for n := range sent {
		if out, err := s.processes[1].Accept(s.t.Context(), s.fact(n+1)); err != nil || out[0] != webhook.OutcomeKnown {
			s.t.Errorf("fact %d again: %v, %v", n+1, out, err)
		}
	}
}

// letters returns in how many shards the letter is.
func (s *shop) letters() (n int) {
	for _, shard := range []inboxshards.Shard{s.a, s.b} {
		if e, err := shard.Inbox.Lookup(s.t.Context(), s.letter().Key, false); err == nil && e.State == webhook.EntryDead {
			n++
		}
	}
	return n
}

var errKilled = errors.New("the process was killed")

// everyStep calls a story for each call of Move to its shards, before and after it.
func everyStep(t *testing.T, story func(s *shop, p *plan)) {
	for at, last := 1, false; !last; at++ {
		for _, after := range []bool{false, true} {
			t.Run(fmt.Sprint(at, after), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					s, p := newShop(t), &plan{at: at, after: after}
					accept(t, s.processes[0], s.letter())
					story(s, p)
					last = p.calls < at
				})
			})
		}
		if at == 500 {
			t.Fatal("Move makes too many calls")
		}
	}
}

func (s *shop) planned(p *plan, stores iter.Seq2[client.ID, error]) error {
	_, err := s.processes[0].Move(context.WithValue(s.t.Context(), planned{}, p), "app", stores, nil)
	return err
}

// purge deletes the dead entries of the store.
func (s *shop) purge() error {
	_, err := s.processes[1].PurgeStore(s.t.Context(), s.store, func(webhook.DeadLetter) bool { return true })
	return err
}

// refused checks why a delivery was refused.
func (s *shop) refused(err error) {
	if !errors.Is(err, inboxshards.ErrMoving) {
		s.t.Error(err)
	}
}

// A Move that is killed at any of its steps loses and doubles nothing when it is called again.
func TestMoveKilledAtEachStep(t *testing.T) {
	everyStep(t, func(s *shop, p *plan) {
		p.act = func() error { return errKilled }
		s.ended(s.move(func() {
			if err := s.planned(p, those(s.store)); !errors.Is(err, p.dead) {
				t.Errorf("killed: %v", err)
			}
		}))
		if e, err := s.b.Inbox.Lookup(t.Context(), s.letter().Key, false); s.letters() != 1 || e.State != webhook.EntryDead {
			s.t.Errorf("%d letters; in the new shard it is %q, %v", s.letters(), e.State, err)
		}
	})
}

// Nor do two calls at once, of which one stops at a step until the other has returned.
func TestTwoMoves(t *testing.T) {
	everyStep(t, func(s *shop, p *plan) {
		p.act = func() error {
			_, err := s.processes[1].Move(s.t.Context(), "app", those(s.store), nil)
			return err
		}
		s.ended(s.move(func() {
			if err := s.planned(p, those(s.store)); err != nil {
				s.t.Error(err)
			}
		}))
		if s.letters() != 1 {
			s.t.Errorf("%d letters", s.letters())
		}
	})
}

// A dead entry that is purged at any step of Move does not come back: not for a store that is redacted.
func TestPurgeStoreWhileMoving(t *testing.T) {
	everyStep(t, func(s *shop, p *plan) {
		p.act = s.purge
		s.ended(s.move(func() {
			if err := s.planned(p, those(s.store)); err != nil {
				s.t.Error(err)
			}
		}))
		if s.letters() != 0 && p.calls >= p.at {
			s.t.Errorf("%d letters", s.letters())
		}
	})
}

// An entry that rests is run once when it is due, and not at all if the app was uninstalled at any step of it.
func TestDropStoreWhileMoving(t *testing.T) {
	everyStep(t, func(s *shop, p *plan) {
		later := s.fact(1)
		later.Settle = 30 * time.Second
		accept(s.t, s.processes[0], later)
		p.act = func() error {
			_, err := s.processes[1].DropStore(s.t.Context(), s.store, "", time.Now().Add(time.Hour))
			return err
		}
		if err := s.planned(p, those(s.store)); err != nil {
			s.t.Error(err)
		}
		s.pace = 3 * time.Second
		ctx, cancel := context.WithTimeout(s.t.Context(), 40*time.Second)
		defer cancel()
		s.work(ctx)
		if dropped := p.calls >= p.at; dropped && len(s.ran) != 0 || !dropped && len(s.ran) != 1 {
			s.t.Errorf("dropped: %t, ran %v", dropped, s.ran)
		}
	})
}

// A dead entry that is replayed at any step of Move is run, and a fact is run once.
func TestReplayWhileMoving(t *testing.T) {
	everyStep(t, func(s *shop, p *plan) {
		key := s.letter().Key
		p.act = func() error {
			_, err := s.processes[1].Replay(s.t.Context(), key)
			return err
		}
		sent := s.move(func() {
			if err := s.planned(p, those(s.store)); err != nil {
				s.t.Error(err)
			}
		})
		runs := len(s.ran)
		s.ran = slices.DeleteFunc(s.ran, func(ran string) bool { return ran == key })
		s.ended(sent)
		if p.calls >= p.at && (runs-len(s.ran) != 1 || s.letters() != 0) {
			s.t.Errorf("%d runs, %d letters", runs-len(s.ran), s.letters())
		}
	})
}

// A store that is installed at any step of Move belongs to its new shard when Move has returned, and the former shard
// does not run its first fact any more.
func TestStoreInstalledWhileMoving(t *testing.T) {
	everyStep(t, func(s *shop, p *plan) {
		if err := s.purge(); err != nil {
			s.t.Fatal(err)
		}
		var run sync.WaitGroup
		p.act = func() error {
			if _, err := s.processes[1].Accept(s.t.Context(), s.fact(1)); err != nil {
				s.refused(err)
				return nil
			}
			all, err := s.processes[1].Lease(s.t.Context(), webhook.LeaseQuery{Limit: 1, Term: 30 * time.Second})
			if err != nil || len(all) != 1 {
				s.t.Errorf("leased %v, %v", all, err)
			}
			run.Go(func() {
				time.Sleep(20 * time.Second)
				for _, l := range all {
					if _, err := s.processes[1].Commit(s.t.Context(), l); err != nil {
						s.t.Error(err)
					}
				}
			})
			return nil
		}
		if err := s.planned(p, those()); err != nil {
			s.t.Error(err)
		}
		if e, err := s.a.Inbox.Lookup(s.t.Context(), s.fact(1).Key, false); err == nil && e.State != webhook.EntryDone {
			s.t.Errorf("the former shard has the fact: %s", e.State)
		}
		run.Wait()
		time.Sleep(time.Second)
		accept(s.t, s.processes[0], s.fact(2))
		if _, err := s.b.Inbox.Lookup(s.t.Context(), s.fact(2).Key, false); err != nil {
			s.t.Errorf("the next fact: %v", err)
		}
	})
}

// Its facts are run in order, whenever they arrive.
func TestFactsWhileMoving(t *testing.T) {
	for after := time.Second; after < 2*time.Second; after += 40 * time.Millisecond {
		synctest.Test(t, func(t *testing.T) {
			s := newShop(t)
			s.pace = 30 * time.Millisecond
			s.ended(s.move(func() {
				time.Sleep(after)
				if _, err := s.processes[0].Move(t.Context(), "app", those(), nil); err != nil {
					t.Error(err)
				}
			}))
		})
	}
}

// meanwhile is a shard that answers after something has happened.
type meanwhile struct {
	inboxshards.Engine
	do func()
}

func (m meanwhile) Lookup(ctx context.Context, key string, body bool) (webhook.StoredEntry, error) {
	m.do()
	return m.Engine.Lookup(ctx, key, body)
}

func (m meanwhile) Purge(ctx context.Context, keys ...string) (int, error) {
	m.do()
	return m.Engine.Purge(ctx, keys...)
}

// A dead entry is found and purged although it moves after the new shard has answered and before the former one does.
func TestEntryMovesBetweenCalls(t *testing.T) {
	for name, act := range map[string]func(*inboxshards.Inbox, string) (int, error){
		"Purge": func(in *inboxshards.Inbox, key string) (int, error) { return in.Purge(t.Context(), key) },
		"Lookup": func(in *inboxshards.Inbox, key string) (int, error) {
			e, err := in.Lookup(t.Context(), key, false)
			return e.Count, err
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newShop(t)
			letter := s.letter()
			accept(t, s.processes[0], letter)
			former := s.a
			former.Inbox = meanwhile{s.a.Inbox, func() {
				if _, err := s.processes[0].Move(t.Context(), "app", those(s.store), nil); err != nil {
					t.Error(err)
				}
			}}
			if n, err := act(changed(t, "steps", []string{"a"}, former, s.b), letter.Key); n != 1 || err != nil {
				t.Errorf("%s: %d, %v", name, n, err)
			}
		})
	}
}

// An entry in a shard that is not its store's is run once.
func TestEntryInOtherShard(t *testing.T) {
	a, b := inboxshards.Shard{Name: "a", Inbox: memory(t, 0)}, inboxshards.Shard{Name: "b", Inbox: memory(t, 0)}
	in, err := inboxshards.Open(t.Context(), inboxshards.Options{Shards: []inboxshards.Shard{a, b}})
	if err != nil {
		t.Fatal(err)
	}
	accept(t, a.Inbox, signal(storeOn(t, in, b)))
	for range 2 { // the first call may forward it after the other shard was asked
		leases, err := in.Lease(t.Context(), webhook.LeaseQuery{Limit: 2, Term: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range leases {
			if _, err := in.Commit(t.Context(), l); err != nil {
				t.Error(err)
			}
		}
	}
	if s, err := in.Stats(t.Context()); err != nil || s.Pending != 0 {
		t.Errorf("remaining: %+v, %v", s, err)
	}
}
