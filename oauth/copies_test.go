package oauth_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/oauth"
)

// refusedCopy is the copy of a store whose token may be refused.
type refusedCopy struct {
	client.Copier
	refused func() bool
}

func (c refusedCopy) Run(context.Context) error {
	if c.refused() {
		return fmt.Errorf("GET /products: %w", client.ErrUnauthorized)
	}
	return nil
}

func (c refusedCopy) Reconcile(ctx context.Context) error { return c.Run(ctx) }

// Copies and a Handler share a Judge, as client/multistore connects them. No event arrives. An outage costs no store
// its token, and a store that has removed the app loses it within an hour, also after an outage.
func TestCopiesRetireTokens(t *testing.T) {
	const stores, gone = 50, client.ID(7)
	for _, lasts := range []time.Duration{0, 3 * time.Second, 3 * time.Minute, time.Hour} {
		t.Run(lasts.String(), bubble(func(t *testing.T) {
			tokens, judge := &oauth.MemoryStore{}, &client.Judge{OnOutage: func(context.Context, client.AuthorizationOutage) {}}
			begins := time.Now().Add(10*time.Minute - time.Second) // a run meets the beginning
			ends := begins.Add(lasts)
			refused := func(id client.ID) bool {
				now := time.Now()
				return !now.Before(begins) && now.Before(ends) || id == gone && !now.Before(ends)
			}
			h := &oauth.Handler{Tokens: tokens, Judge: judge, OnError: func(context.Context, error) {}}
			h.Verify = func(_ context.Context, in oauth.Install) (bool, error) { return !refused(in.StoreID), nil }
			left := func(yield func(client.ID, error) bool) {
				for id := client.ID(1); id <= stores; id++ {
					if _, err := tokens.Load(t.Context(), id); err == nil && !yield(id, nil) {
						return
					}
				}
			}
			for id := client.ID(1); id <= stores; id++ {
				swapped, err := tokens.Swap(t.Context(), id, 0, &oauth.Install{StoreID: id, Token: "t", Generation: 1})
				if err != nil || !swapped {
					t.Fatal(swapped, err)
				}
			}
			ctx, stop := context.WithDeadline(t.Context(), ends.Add(time.Hour))
			defer stop()
			copies := &client.Copies{
				Stores: func(context.Context) iter.Seq2[client.ID, error] { return left },
				Of: []func(context.Context, client.ID) (client.Copier, error){
					func(_ context.Context, id client.ID) (client.Copier, error) {
						return refusedCopy{refused: func() bool { return refused(id) }}, nil
					},
				},
				OnGone: h.Uninstall, Judge: judge, OnFailure: func(context.Context, client.ID, error) {},
			}
			ran := make(chan error)
			go func() { ran <- copies.Run(ctx) }()
			time.Sleep(time.Until(ends))
			for id := client.ID(1); id <= stores; id++ {
				if _, err := tokens.Load(t.Context(), id); err != nil {
					t.Errorf("at the end of the outage: %v", err)
				}
			}
			must(t, <-ran)
			for id := client.ID(1); id <= stores; id++ {
				if _, err := tokens.Load(t.Context(), id); errors.Is(err, oauth.ErrNotInstalled) != (id == gone) {
					t.Errorf("an hour later: store %d: %v", id, err)
				}
			}
		}))
	}
}
