package multistore

import (
	"context"
	"crypto/rand"
	"embed"
	"errors"
	"fmt"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/tables"
)

// The platform accepts a second promotion or carrier with the same name, so two processes that prepare a store at the
// same time would each create one. A row of the database is the claim to a store. It holds no connection meanwhile.

//go:embed migrations/*.sql
var migrations embed.FS

var set = tables.Set{Package: "client/multistore", Migrations: migrations}

const (
	// term is how long a claim lasts that is not renewed.
	term = 20 * time.Second
	// pause is the time between two attempts to claim a store that another call prepares.
	pause = 200 * time.Millisecond
	// releaseTime limits the end of a claim. Without it the claim ends after term.
	releaseTime = 5 * time.Second
)

const (
	claimSQL = `INSERT INTO commerce_claim (store, holder, until) VALUES ($1, $2, $3)
ON CONFLICT (store) DO UPDATE SET holder = excluded.holder, until = excluded.until
WHERE commerce_claim.holder = excluded.holder OR commerce_claim.until <= $4`
	renewSQL   = `UPDATE commerce_claim SET until = $1 WHERE store = $2 AND holder = $3`
	releaseSQL = `DELETE FROM commerce_claim WHERE store = $1 AND holder = $2`
)

// errLost is the cause of a context whose claim was not renewed in time.
var errLost = errors.New("the claim to the store was lost: another process may prepare it")

func (a *App) tables() tables.Tables {
	return tables.Tables{Set: set, DB: a.Tokens.DB, Prefix: a.Tokens.Prefix, Ready: &a.ready}
}

// claim waits until this call alone prepares the store. It returns a context that ends when the claim is lost, and a
// function that ends the claim.
func (a *App) claim(ctx context.Context, store client.ID) (context.Context, func(), error) {
	holder := rand.Text()
	for {
		start := time.Now()
		ours, err := a.try(ctx, store, holder)
		if err != nil {
			return nil, nil, fmt.Errorf("client/multistore: claim store %d: %w", store, err)
		}
		if ours {
			held, release := a.hold(ctx, store, holder, start)
			return held, release, nil
		}
		select {
		case <-ctx.Done():
			return nil, nil, fmt.Errorf("client/multistore: store %d is being prepared by another call: %w", store, context.Cause(ctx))
		case <-time.After(pause):
		}
	}
}

// try claims the store if no other call has a claim that still lasts.
func (a *App) try(ctx context.Context, store client.ID, holder string) (bool, error) {
	now, err := tables.Clock(ctx, a.Tokens.DB)
	if err != nil {
		return false, err
	}
	n, err := a.tables().Exec(ctx, a.Tokens.DB, claimSQL, store, holder, now.Add(term).UnixMicro(), now.UnixMicro())
	return n > 0, err
}

// hold renews a claim that was made at start, four times in each term, until it is released.
func (a *App) hold(ctx context.Context, store client.ID, holder string, start time.Time) (context.Context, func()) {
	held, end := context.WithCancelCause(ctx)
	renewed := make(chan struct{})
	go func() {
		defer close(renewed)
		renew := func(ctx context.Context) (bool, error) { return a.renew(ctx, store, holder) }
		tables.Renew(held, start, term, renew, func() { end(errLost) })
	}()
	return held, func() {
		end(nil)
		<-renewed
		ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), releaseTime)
		defer stop()
		_, _ = a.tables().Exec(ctx, a.Tokens.DB, releaseSQL, store, holder)
	}
}

func (a *App) renew(ctx context.Context, store client.ID, holder string) (bool, error) {
	now, err := tables.Clock(ctx, a.Tokens.DB)
	if err != nil {
		return false, err
	}
	n, err := a.tables().Exec(ctx, a.Tokens.DB, renewSQL, now.Add(term).UnixMicro(), store, holder)
	return n > 0, err
}
