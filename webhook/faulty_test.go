package webhook_test

import (
	"context"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// faulty is an inbox whose calls can be made to fail.
type faulty struct {
	webhook.Inbox
	mu   sync.Mutex
	fail map[string]error
	seen map[string]int
}

func newFaulty(inbox webhook.Inbox) *faulty {
	return &faulty{Inbox: inbox, fail: map[string]error{}, seen: map[string]int{}}
}

func (f *faulty) set(call string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fail[call] = err
}

func (f *faulty) count(call string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.seen[call]
}

func (f *faulty) meet(call string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.seen[call]++
	return f.fail[call]
}

func (f *faulty) Accept(ctx context.Context, e ...webhook.Entry) ([]webhook.Outcome, error) {
	if err := f.meet("accept"); err != nil {
		return nil, err
	}
	return f.Inbox.Accept(ctx, e...)
}

func (f *faulty) Lease(ctx context.Context, q webhook.LeaseQuery) ([]webhook.Lease, error) {
	if err := f.meet("lease"); err != nil {
		return nil, err
	}
	return f.Inbox.Lease(ctx, q)
}

func (f *faulty) Extend(ctx context.Context, l webhook.Lease, d time.Duration) error {
	if err := f.meet("extend"); err != nil {
		return err
	}
	return f.Inbox.Extend(ctx, l, d)
}

func (f *faulty) Commit(ctx context.Context, l webhook.Lease) (bool, error) {
	if err := f.meet("commit"); err != nil {
		return false, err
	}
	return f.Inbox.Commit(ctx, l)
}

func (f *faulty) Fail(ctx context.Context, l webhook.Lease, why webhook.Failed) error {
	if err := f.meet("fail"); err != nil {
		return err
	}
	return f.Inbox.Fail(ctx, l, why)
}
