package webhook_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/commerceplatform/commerce-go/webhook"
)

// errKilled is what a process that was killed hears of its inbox; nobody reads it.
var errKilled = errors.New("killed")

// process is a worker in a process that can be killed: from then on nothing that it
// does has an effect.
type process struct {
	webhook.Inbox
	killed atomic.Bool
	stop   func()
}

func (p *process) Lease(ctx context.Context, q webhook.LeaseQuery) ([]webhook.Lease, error) {
	if p.killed.Load() {
		return nil, errKilled
	}
	return p.Inbox.Lease(ctx, q)
}

func (p *process) Extend(ctx context.Context, l webhook.Lease, d time.Duration) error {
	return p.unless(func() error { return p.Inbox.Extend(ctx, l, d) })
}

func (p *process) Commit(ctx context.Context, l webhook.Lease) (again bool, err error) {
	err = p.unless(func() error { again, err = p.Inbox.Commit(ctx, l); return err })
	return again, err
}

func (p *process) Fail(ctx context.Context, l webhook.Lease, f webhook.Failed) error {
	return p.unless(func() error { return p.Inbox.Fail(ctx, l, f) })
}

func (p *process) unless(do func() error) error {
	if p.killed.Load() {
		return errKilled
	}
	return do()
}

// moment is something that happens, some time after what happened before.
type moment struct {
	What    string
	Product int
	Pass    time.Duration
	Takes   time.Duration // the next run, between reading and writing
}

func (m moment) String() string {
	return fmt.Sprintf("after %v: %s (product %d, the next run takes %v)", m.Pass, m.What, m.Product, m.Takes)
}

func moments() *rapid.Generator[[]moment] {
	ms := time.Millisecond
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) moment {
		return moment{
			What: rapid.SampledFrom([]string{"change", "change", "change", "deliver again", "fail", "kill",
				"join"}).Draw(t, "what"),
			Product: rapid.IntRange(1, 2).Draw(t, "product"),
			Pass: rapid.SampledFrom([]time.Duration{0, ms, 10 * ms, 50 * ms, time.Second, 3 * time.Second,
				12 * time.Second}).Draw(t, "pass"),
			Takes: rapid.SampledFrom([]time.Duration{0, 2 * ms, 40 * ms, time.Second, 12 * time.Second}).Draw(t,
				"takes"),
		}
	}), 1, 30)
}

// mirror is a shop whose products change, and an app with a copy of them.
type mirror struct {
	*house
	shop, copied [3]atomic.Int64
	fences       [3]uint64 // guarded by the lanes
	takes        atomic.Int64
	failures     atomic.Int64
	processes    []*process
}

// open begins another process with a worker. Its handler reads the product, takes its
// time, and writes what it read, guarded by the fence.
func (m *mirror) open() {
	p := &process{Inbox: m.inbox}
	var events webhook.Registry
	webhook.On(&events, webhook.ProductUpdated, func(ctx context.Context, d webhook.Delivery[webhook.Entity]) error {
		product := int(d.Payload.ID)
		read := m.shop[product].Load()
		time.Sleep(time.Duration(m.takes.Load()))
		fence := webhook.Fence(ctx)
		if p.killed.Load() || fence < m.fences[product] {
			return webhook.ErrStale
		}
		m.fences[product] = fence
		m.copied[product].Store(read)
		if m.failures.Add(-1) >= 0 {
			return errors.New("failed after it wrote")
		}
		return nil
	})
	worker := &webhook.Worker{Inbox: p, Registry: &events, Lease: 5 * time.Second, Poll: time.Minute,
		OnFailure: m.report}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = worker.Run(ctx)
	}()
	p.stop = func() { cancel(); <-done }
	m.processes = append(m.processes, p)
}

// deliver tells the app of a product until it is answered 2xx, as the platform does.
func (m *mirror) deliver(product int) error {
	body := fmt.Sprintf(`{"store_id":1,"event":"product/updated","id":%d}`, product)
	for range 16 {
		if status, err := m.Deliver(context.Background(), []byte(body)); err == nil && status == http.StatusOK {
			return nil
		}
		time.Sleep(time.Minute)
	}
	return fmt.Errorf("product %d: not accepted", product)
}

func (m *mirror) play(log func(string, ...any), list []moment) error {
	for _, s := range list {
		log("%v", s)
		time.Sleep(s.Pass)
		m.takes.Store(int64(s.Takes))
		switch s.What {
		case "change":
			m.shop[s.Product].Add(1)
			if err := m.deliver(s.Product); err != nil {
				return err
			}
		case "deliver again":
			if err := m.deliver(s.Product); err != nil {
				return err
			}
		case "fail":
			m.failures.Store(1)
		case "kill":
			m.processes[len(m.processes)-1].killed.Store(true)
			m.open()
		case "join":
			m.open()
		}
	}
	m.takes.Store(0)
	m.failures.Store(0)
	time.Sleep(10 * time.Minute) // every lease ends, every attempt is made
	return nil
}

func (m *mirror) compare() error {
	for product := range m.shop {
		if got, want := m.copied[product].Load(), m.shop[product].Load(); got != want {
			return fmt.Errorf("product %d was copied at version %d, the shop has %d; %+v", product, got, want,
				m.stats())
		}
	}
	return nil
}

// TestModelOfLostUpdates changes products while deliveries are repeated, workers fail
// and are killed, and wants the copy to be what the shop has in the end.
func TestModelOfLostUpdates(t *testing.T) {
	sequences, changes, kills := 0, 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		list := moments().Draw(rt, "moments")
		sequences++
		for _, s := range list {
			switch s.What {
			case "change":
				changes++
			case "kill":
				kills++
			}
		}
		var err error
		synctest.Test(t, func(t *testing.T) {
			m := &mirror{house: newHouse(t)}
			// so that it is accepted
			webhook.On(m.events, webhook.ProductUpdated,
				func(context.Context, webhook.Delivery[webhook.Entity]) error { return nil })
			m.open()
			err = m.play(rt.Logf, list)
			for _, p := range m.processes {
				p.stop()
			}
			if err == nil {
				err = m.compare()
			}
		})
		if err != nil {
			rt.Fatal(err)
		}
	})
	t.Logf("%d sequences, %d changes, %d kills, 0 lost updates", sequences, changes, kills)
}
