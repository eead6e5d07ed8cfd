package statetest

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/oauth"
	"github.com/commerceplatform/commerce-go/oauth/sqlstore"
)

func tokens() Row {
	return Row{
		Name:   "tokens",
		Rules:  tokenRules(),
		Tables: []string{"commerce_install", "commerce_state"},
		Damage: &Damage{
			Row: "UPDATE commerce_install SET scopes = '{' WHERE store_id = 2", Names: "store 2",
			Scan: func(ctx context.Context, f Face) (all int, failed error) {
				for id, err := range f.(*tokensFace).Stores(ctx) {
					_, unread := f.(*tokensFace).Load(ctx, id)
					if failed = errors.Join(failed, err, unread); err == nil && unread == nil {
						all++
					}
				}
				return all, failed
			},
		},
		Open: func(w *World, db *sql.DB) Face {
			return &tokensFace{w, &sqlstore.Store{DB: db, Keys: []sqlstore.Key{key(1)}, Prefix: w.Prefix, App: w.App}}
		},
	}
}

// tokensFace installs the app in a store: an act is the installation in store n + 1.
type tokensFace struct {
	w *World
	*sqlstore.Store
}

func (f *tokensFace) Act(ctx context.Context, n int) error {
	id, state := client.ID(n+1), rand.Text()
	if err := f.Put(ctx, state, oauth.Pending{Expires: time.Now().Add(time.Hour)}); err != nil {
		return err
	}
	for range 2 { // the merchant reloads the page
		_, ok, err := f.Take(ctx, state)
		if err != nil {
			return err
		}
		if ok {
			if err := f.w.do(ctx, "took %d %s", n, state); err != nil {
				return err
			}
		}
	}
	held, err := f.Load(ctx, id)
	if err != nil && !errors.Is(err, oauth.ErrNotInstalled) {
		return err
	}
	next := held.Generation + 1
	swapped, err := f.Swap(ctx, id, held.Generation, made(id, next))
	if err != nil || !swapped { // another process was faster
		return err
	}
	return f.w.do(ctx, "swapped %d to %d at %d.", n, next, f.w.epoch)
}

func (f *tokensFace) Has(ctx context.Context, n int) (bool, error) {
	in, err := f.Load(ctx, client.ID(n+1))
	if errors.Is(err, oauth.ErrNotInstalled) {
		return false, nil
	}
	if err != nil || in.Token != token(in.StoreID, in.Generation) {
		return false, fmt.Errorf("generation %d does not have its token: %w", in.Generation, err)
	}
	return true, f.w.once(ctx, fmt.Sprintf("took %d %%", n), fmt.Sprintf("swapped %d to %%", n))
}
