package webhook

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/commerceplatform/commerce-go/client/value"
)

// Prefix returns the prefix of the keys that [Handler.App] and [Registry.Entry] make for an app and a store.
func Prefix(app string, store value.ID) string { return keyText(app) + ":" + store.String() + ":" }

// forget deletes entries from the inbox that are pointless, or unlawful to store, after a delivery was handled:
//
//   - app/uninstalled, which requires a Probe, drops the pending entries of the store;
//   - store/redact purges its dead entries;
//   - customers/redact purges its dead entries that concern the customer.
//
// Entries that arrived after the lease stay, because they may belong to a later installation.
func (a *attempt) forget(ctx context.Context) error {
	if a.run.committed.Load() { // the lease is over, but there may be entries left to delete
		detached, cancel := context.WithTimeout(context.WithoutCancel(ctx), cmp.Or(a.Timeout, DefaultTimeout))
		defer cancel()
		ctx = detached
	}
	app, ours := a.prefix()
	concerns := func(DeadLetter) bool { return true }
	switch payload := a.m.payload.(type) {
	case *App:
		if !ours {
			return nil
		}
		if err := a.drop(ctx, app); err != nil {
			return fmt.Errorf("handled, but pending entries of the store remain: %w", err)
		}
		return nil
	case *StoreRedact:
	case *CustomerRedact:
		concerns = payload.concerning()
	default:
		return nil
	}
	letters, ok := a.Inbox.(DeadLetters)
	if !ok {
		return nil
	}
	before := a.lease.Until.Add(-a.term)
	n, err := letters.PurgeStore(ctx, a.m.store, func(d DeadLetter) bool {
		return strings.HasPrefix(d.Key, app) && !d.LastSeen.After(before) && concerns(d)
	})
	a.purged += n
	if err != nil {
		return fmt.Errorf("handled, but dead letters remain: %w", err)
	}
	return nil
}

// drop probes once more, so that nothing is dropped if the app was installed again while the handler ran.
func (a *attempt) drop(ctx context.Context, app string) error {
	stores, ok := a.Inbox.(Stores)
	if !ok {
		return nil
	}
	if gone, _ := a.inspector.gone(ctx, a.m.store); !gone {
		return nil // entries of an ended installation fail and are dropped one by one
	}
	n, err := stores.DropStore(ctx, a.m.store, app, a.lease.Until.Add(-a.term))
	a.dropped += n
	return err
}

// prefix returns the prefix of the keys of the same app and store, if the key of the lease was made by Registry.Entry.
func (a *attempt) prefix() (string, bool) {
	store := ":" + a.m.store.String() + ":"
	i := strings.LastIndex(a.lease.Key, store+string(a.m.event)+":")
	if i < 0 {
		return "", false
	}
	return a.lease.Key[:i+len(store)], true
}
