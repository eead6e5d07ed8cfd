package multistore

import (
	"cmp"
	"context"
	"embed"
	"fmt"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/tables"
)

// The platform accepts a second promotion or carrier with the same name, so two processes that prepare a store at the
// same time would each create one. A row of the database is the claim to a store. It holds no connection meanwhile.

//go:embed migrations/*.sql
var migrations embed.FS

var set = tables.Set{Package: "client/multistore", Migrations: migrations, Apps: "commerce_claim"}

const (
	// term is how long a claim lasts that is not renewed.
	term = 20 * time.Second
	// pause is the time between two attempts to claim a store that another call prepares.
	pause = 200 * time.Millisecond
	// defaultWait is how long an installation waits for the claim if oauth.App has no Timeout.
	defaultWait = 15 * time.Second
)

// rowSQL adds the row of a store. It stays after the claim.
const rowSQL = `INSERT INTO commerce_claim (app, store, holder, taken, until, term) VALUES ($1, $2, '', 0, 0, 0)
ON CONFLICT (app, store) DO NOTHING`

func (a *App) tables() tables.Tables {
	return tables.Tables{Set: set, DB: a.Tokens.DB, Prefix: a.Tokens.Prefix, App: int64(a.Tokens.App), Ready: &a.ready}
}

// claim waits until this call alone prepares the store, for App.Timeout at most. It returns a context that ends when
// the claim is lost, and a function that ends the claim.
func (a *App) claim(ctx context.Context, store client.ID) (context.Context, func(), error) {
	c := tables.Claim{
		Tables: a.tables(), Table: "commerce_claim", Key: []string{"app", "store"}, Values: []any{a.Tokens.App, store},
		Term: term, Holder: tables.Holder(""),
	}
	start, err := a.wait(ctx, c, store)
	if err != nil {
		return nil, nil, fmt.Errorf("client/multistore: claim store %d: %w", store, err)
	}
	work, release := c.Hold(ctx, start, func() bool { return false })
	return work, release, nil
}

// wait returns the time before the claim was made.
func (a *App) wait(ctx context.Context, c tables.Claim, store client.ID) (start time.Time, err error) {
	limited, cancel := context.WithTimeout(ctx, cmp.Or(a.Install.App.Timeout, defaultWait))
	defer cancel()
	if err := c.Tables.Check(limited); err != nil {
		return start, err
	}
	if _, err := c.Tables.Exec(limited, c.Tables.DB, rowSQL, a.Tokens.App, store); err != nil {
		return start, err
	}
	for {
		start = time.Now()
		ours, err := c.Take(limited)
		if ours || err != nil && limited.Err() == nil {
			return start, err
		}
		select {
		case <-limited.Done():
			return start, fmt.Errorf("another call prepares it: %s: %w", a.who(ctx, c), limited.Err())
		case <-time.After(pause):
		}
	}
}

// who describes who has the claim, even if the context has ended.
func (a *App) who(ctx context.Context, c tables.Claim) string {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer stop()
	who, err := c.Who(ctx, a.Tokens.DB)
	if err != nil {
		return err.Error()
	}
	return who
}
