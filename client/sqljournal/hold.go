package sqljournal

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/tables"
)

const (
	renewSQL = `UPDATE commerce_intent SET until = $1
WHERE name = $2 AND store = $3 AND path = $4 AND key = $5 AND id = $6 AND ended = 0 AND holder = $7`

	takeSQL = `UPDATE commerce_intent SET until = $1, holder = $2
WHERE name = $3 AND store = $4 AND path = $5 AND key = $6 AND id = $7 AND ended = 0
AND (holder = $2 OR holder = '' OR until <= $8)`

	// restSQL ends a claim, and sets until, before which the intent is not resumed.
	restSQL = `UPDATE commerce_intent SET until = $1, holder = ''
WHERE name = $2 AND store = $3 AND path = $4 AND key = $5 AND id = $6 AND ended = 0 AND holder = $7`
)

// releaseTime limits the time for the end of a claim. If it is exceeded, the claim ends after Term.
const releaseTime = 5 * time.Second

// hold is a claim to an intent. It is a value of the context of the work.
type hold struct {
	intent ulid.ULID
	token  string      // value of the column holder
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
// The claim is renewed four times in each Term. The returned context ends if no renewal succeeds for three quarters of
// Term, or if another process has claimed the intent.
func (j *Journal[T]) Hold(ctx context.Context, in client.Intent, begun bool) (context.Context, func(), error) {
	if err := j.check(ctx, j.DB); err != nil {
		return nil, nil, err
	}
	start := time.Now()
	h := &hold{intent: in.ID, token: in.ID.String()} // the value of the column holder after Begin
	claim := j.renew
	if !begun {
		h.token, claim = rand.Text(), j.take
	}
	var ours bool
	err := twice(ctx, func() (err error) {
		ours, err = claim(ctx, in, h.token)
		return err
	})
	if err == nil && !ours {
		err = j.whoHolds(ctx, in)
	}
	if err != nil {
		return nil, nil, err
	}
	work, end := context.WithCancelCause(context.WithValue(ctx, holdKey{}, h))
	renewed := make(chan struct{})
	go func() {
		defer close(renewed)
		renew := func(ctx context.Context) (bool, error) { return j.renew(ctx, in, h.token) }
		tables.Renew(work, start, j.term(), renew, func() { end(errLost) })
	}()
	return work, func() {
		end(nil)
		<-renewed
		if !h.ended.Load() {
			j.release(ctx, in, h.token)
		}
	}, nil
}

// renew makes a claim end later, and reports whether it still holds.
func (j *Journal[T]) renew(ctx context.Context, in client.Intent, token string) (bool, error) {
	return j.claim(ctx, renewSQL, in, token)
}

// claim runs renewSQL or restSQL.
func (j *Journal[T]) claim(ctx context.Context, statement string, in client.Intent, token string) (bool, error) {
	now, err := clock(ctx, j.DB)
	if err != nil {
		return false, err
	}
	args := append([]any{j.until(now)}, j.key(in)...)
	return j.exec(ctx, j.DB, statement, append(args, in.ID.String(), token)...)
}

// take claims an intent that no process works on.
func (j *Journal[T]) take(ctx context.Context, in client.Intent, token string) (bool, error) {
	now, err := clock(ctx, j.DB)
	if err != nil {
		return false, err
	}
	args := append([]any{j.until(now), token}, j.key(in)...)
	return j.exec(ctx, j.DB, takeSQL, append(args, in.ID.String(), now.UnixMicro())...)
}

// release lets others resume an intent, even if the caller's context has ended.
func (j *Journal[T]) release(ctx context.Context, in client.Intent, token string) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), releaseTime)
	defer stop()
	_, _ = j.claim(ctx, restSQL, in, token) // if it fails, the claim ends after Term
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
	return there.held()
}

// held returns the error of an intent that cannot be claimed.
func (r *row) held() error {
	if r.open() {
		return fmt.Errorf("intent %s: %w", r.in.ID, ErrHeld)
	}
	return errors.Join(ErrHeld, r.taken())
}
