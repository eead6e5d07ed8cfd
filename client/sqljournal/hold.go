package sqljournal

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/tables"
)

// hold is a claim to an intent. It is a value of the context of the work.
type hold struct {
	tables.Claim
	intent ulid.ULID
	ended  atomic.Bool // set by End; there is nothing to release then
}

type holdKey struct{}

// holdOf returns the claim to an intent in ctx, nil if there is none.
func holdOf(ctx context.Context, in client.Intent) *hold {
	if h, _ := ctx.Value(holdKey{}).(*hold); h != nil && h.intent == in.ID {
		return h
	}
	return nil
}

// Hold claims an intent, for client.Once. It fails with ErrHeld if another process works on the intent or has ended it.
// The error names the host, the process and the time of its claim. The claim is renewed four times in each Term. The
// returned context ends if no renewal succeeds for three quarters of
// Term, or if another process has claimed the intent.
func (j *Journal[T]) Hold(ctx context.Context, in client.Intent, begun bool) (context.Context, func(), error) {
	if err := j.check(ctx, j.DB); err != nil {
		return nil, nil, err
	}
	start := time.Now()
	h := &hold{intent: in.ID, Claim: j.claim(in, in.ID.String())} // the holder after Begin
	claim := h.Renew
	if !begun {
		h.Claim = j.claim(in, "")
		claim = h.Take
	}
	var ours bool
	err := twice(ctx, func() (err error) {
		ours, err = claim(ctx)
		return failed(err)
	})
	if err == nil && !ours {
		err = j.whoHolds(ctx, in)
	}
	if err != nil {
		return nil, nil, err
	}
	work, release := h.Hold(context.WithValue(ctx, holdKey{}, h), start, h.ended.Load)
	return work, release, nil
}

// claim returns the claim to an intent. Its holder has this id, or a random one.
func (j *Journal[T]) claim(in client.Intent, id string) tables.Claim {
	return tables.Claim{
		Tables: j.tables(), Table: "commerce_intent", Term: j.term(), Holder: tables.Holder(id),
		Key:    []string{"app", "name", "store", "path", "key", "id", "ended"},
		Values: append(j.key(in), in.ID.String(), 0),
	}
}

// whoHolds returns the error that describes why an intent cannot be claimed.
func (j *Journal[T]) whoHolds(ctx context.Context, in client.Intent) error {
	there, err := j.find(ctx, j.DB, in)
	switch {
	case err != nil:
		return err
	case there == nil || there.in.ID != in.ID:
		return fmt.Errorf("intent %s is not in the journal: %w", in.ID, ErrHeld)
	}
	return j.held(ctx, j.DB, there)
}

// held returns the error of an intent that cannot be claimed.
func (j *Journal[T]) held(ctx context.Context, db tables.DB, r *row) error {
	if !r.open() {
		return errors.Join(ErrHeld, r.taken())
	}
	who, err := j.claim(r.in, "").Who(ctx, db)
	if err != nil {
		return failed(err)
	}
	return fmt.Errorf("intent %s: %w: %s", r.in.ID, ErrHeld, who)
}
