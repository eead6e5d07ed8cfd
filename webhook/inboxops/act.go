package inboxops

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// action is an action on dead entries.
type action string

const (
	replay action = "replay"
	purge  action = "purge"
)

func (a action) valid() bool { return a == replay || a == purge }

// done returns the past participle of the action.
func (a action) done() string {
	if a == purge {
		return "purged"
	}
	return "replayed"
}

var errNotDead = errors.New("the entry is not dead, or has changed since")

// mostActed is the largest number of entries that a transaction changes.
const mostActed = 200

// counted is the number of entries that an action on a group would change.
type counted struct {
	n         int
	protected int       // privacy requests, which a purge skips
	at        time.Time // entries that died later are skipped
}

// count returns the number of dead entries that a filter selects for an action. Entries that die meanwhile are not
// counted.
func count(ctx context.Context, in webhook.Browser, do action, f webhook.EntryFilter) (c counted, err error) {
	now, err := in.Browse(ctx, webhook.BrowseQuery{}) // for the time of the engine
	if err != nil {
		return c, err
	}
	f.State = webhook.EntryDead
	if f.Until.IsZero() || now.At.Before(f.Until) {
		f.Until = now.At
	}
	groups, err := in.Groups(ctx, f)
	if err != nil {
		return c, err
	}
	c.n, c.at = groups.Others, f.Until
	for _, g := range groups.Groups {
		if do == purge && g.Protected {
			c.protected += g.Count
		} else {
			c.n += g.Count
		}
	}
	return c, nil
}

// act replays or purges the dead entries that f selects, at most most of them. It returns the cursor of where to
// continue, "" at the end. f.Until must be set. If it fails, n entries are done already. It stops when budget is
// over, if that is above 0.
func act(ctx context.Context, in webhook.Browser, do action, f webhook.EntryFilter, most int, after string,
	budget time.Duration) (n int, next string, err error) {
	f.State = webhook.EntryDead
	began := time.Now()
	for n < most {
		page, err := in.Browse(ctx, webhook.BrowseQuery{Filter: f, After: after, Limit: min(mostActed, most-n)})
		if err != nil {
			return n, after, err
		}
		if len(page.Entries) > 0 {
			change := in.ReplayListed
			if do == purge {
				change = in.PurgeListed
			}
			changed, err := change(ctx, page.Entries...)
			n += changed
			if err != nil {
				return n, after, err
			}
		}
		if after = page.Next; after == "" || n >= most { // or the time is over
			return n, "", nil
		}
		if budget > 0 && time.Since(began) > budget {
			return n, after, nil
		}
	}
	return n, "", nil // no entry was confirmed
}

// actOn replays or purges one dead entry that died at a given time.
func actOn(ctx context.Context, in inbox, do action, key string, died time.Time) error {
	e, err := in.Lookup(ctx, key, false)
	if err != nil {
		return err
	}
	if e.State != webhook.EntryDead || !e.DiedAt.Equal(died) {
		return fmt.Errorf("%s %q: %w", do, key, errNotDead)
	}
	n := 0
	switch {
	case do == replay:
		n, err = in.ReplayListed(ctx, e)
	case e.Protected: // PurgeListed skips it
		n, err = in.Purge(ctx, key)
	default:
		n, err = in.PurgeListed(ctx, e)
	}
	if err == nil && n == 0 {
		err = fmt.Errorf("%s %q: %w", do, key, errNotDead)
	}
	return err
}
