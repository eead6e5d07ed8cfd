package webhook

import (
	"context"
	"errors"
	"time"

	"github.com/commerceplatform/commerce-go/client/access"
	"github.com/commerceplatform/commerce-go/client/value"
	"github.com/commerceplatform/commerce-go/internal/condition"
)

// ErrGone is the reason of deliveries that were dropped because the app is not installed in the store. Probes have
// confirmed it, so no attempt can succeed.
var ErrGone = errors.New("app is not installed in the store")

// inspector finds out whether the app is installed in a store. A probe finds what the platform answers now; the judge
// decides what that means.
type inspector struct {
	probe func(ctx context.Context, store value.ID) (Installation, error)
	judge *access.Judge
}

// newInspector returns nil if there is no probe.
func newInspector(probe func(context.Context, value.ID) (Installation, error), judge *access.Judge) *inspector {
	if probe == nil {
		return nil
	}
	if judge == nil {
		judge = new(access.Judge)
	}
	return &inspector{probe, judge}
}

// decide returns the state of the installation. As long as it is doubtful, the error is a wait.
func (i *inspector) decide(ctx context.Context, store value.ID) (Installation, error) {
	found, v, err := i.ask(ctx, store)
	if err == nil && v.Access == access.Doubtful {
		err = RetryAfter(v.Wait, v.Err())
	}
	return found, err
}

// ask probes a store.
func (i *inspector) ask(ctx context.Context, store value.ID) (Installation, access.Verdict, error) {
	found, err := i.probe(ctx, store)
	if err != nil {
		return Installation{}, access.Verdict{}, err
	}
	refusal := found.refusal
	if found.Access == AccessGone && refusal == nil {
		refusal = condition.ErrUnauthorized
	}
	i.judge.Observe(ctx, store, refusal)
	return found, i.judge.Verdict(ctx, store, access.ActErase), nil
}

// gone probes a store after an error. It reports whether the app is not installed there, and otherwise the time after
// which that may be certain, 0 if the app is installed or the platform did not answer.
func (i *inspector) gone(ctx context.Context, store value.ID) (gone bool, unsure time.Duration) {
	var v access.Verdict
	err := guard(ctx, func(ctx context.Context) (err error) {
		_, v, err = i.ask(ctx, store)
		return err
	})
	return err == nil && v.Access == AccessGone, v.Wait
}

// saysGone reports whether a handler failed because the app is not installed.
func saysGone(err error) bool {
	access, _ := AccessOf(err)
	return access == AccessGone
}
