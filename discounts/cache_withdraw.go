package discounts

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/promotions"
)

// Withdrawals records the promotions that are being or were withdrawn, for all replicas of an app. It can be a table
// with the columns store and promotion. Replicas read it after each load, so none of them requires a notification.
type Withdrawals interface {
	// Withdraw records that a promotion of the store is being withdrawn. It is idempotent.
	Withdraw(ctx context.Context, store client.ID, promotion uuid.UUID) error
	// Withdrawn returns the recorded promotions of the store. Ids are never reused, so a record may be deleted some
	// days after its promotion.
	Withdrawn(ctx context.Context, store client.ID) ([]uuid.UUID, error)
}

// withdrawal is the progress of withdrawing a promotion in this cache.
type withdrawal int

const (
	// switchedOff means that plans do not receive the promotion, and that it is removed from carts.
	switchedOff withdrawal = iota + 1
	// unnamed means that no answer names the promotion, not even to remove it.
	unnamed
)

// Withdraw deletes a promotion of the store safely. First it makes sure that no answer names the promotion any more.
// A command that names a deleted promotion, or one that is disabled on the platform, removes all discounts of the
// cart.
//
// Withdraw records the promotion in Withdrawals, which removes it from carts. It waits until no replica uses its old
// cache (see Settle), and deletes the promotion. This takes about two minutes, so run it in a separate job. If it
// fails, or the process ends, the promotion stays withdrawn. Call Withdraw again to complete it. A promotion that
// does not exist is not an error.
func (c *PromotionCache) Withdraw(ctx context.Context, store client.ID, in *promotions.PromotionService, promotion uuid.UUID) error {
	if c.Withdrawals != nil {
		if err := c.Withdrawals.Withdraw(ctx, store, promotion); err != nil {
			return err
		}
	}
	c.withdraw(store, promotion, switchedOff)
	c.send(note{Store: store, About: aboutWithdrawal, Promotion: promotion, To: switchedOff})
	if err := c.Settle(ctx); err != nil {
		return err
	}
	// Carts that did not change in the meantime still have it. They lose it with the deletion. A command that removes
	// it could now arrive after the deletion.
	c.withdraw(store, promotion, unnamed)
	c.send(note{Store: store, About: aboutWithdrawal, Promotion: promotion, To: unnamed})
	if err := sleep(ctx, AnswerTime); err != nil {
		return err
	}
	if err := in.Delete(ctx, promotion); err != nil && !errors.Is(err, client.ErrNotFound) {
		return err
	}
	return nil
}

// Settle waits until no replica uses promotions that it loaded before the call. This takes twice TTL and the time of
// an answer. Call it before you create promotions in a store that reinstalled the app within that time. Otherwise a
// replica that was not notified would name promotions of the earlier installation.
func (c *PromotionCache) Settle(ctx context.Context) error {
	return sleep(ctx, mostStale*c.ttl()+AnswerTime)
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// withdraw records the progress of a withdrawal, also in the cache of the store.
func (c *PromotionCache) withdraw(store client.ID, promotion uuid.UUID, to withdrawal) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.withdrawn == nil {
		c.withdrawn = map[client.ID]map[uuid.UUID]withdrawal{}
	}
	of := c.withdrawn[store]
	if of == nil {
		of = map[uuid.UUID]withdrawal{}
		c.withdrawn[store] = of
	}
	of[promotion] = max(of[promotion], to)
	if s, ok := c.shelves.Peek(store); ok && s.own != nil {
		c.stamps++
		s.own = newOwn(withdrawnFrom(s.own.list, of), c.stamps)
	}
}

// without returns loaded promotions without those withdrawn by this cache. A record is removed when its promotion
// no longer exists.
func (c *PromotionCache) without(store client.ID, all []promotions.Promotion) []promotions.Promotion {
	of := c.withdrawn[store]
	if len(of) == 0 {
		return all
	}
	there := make(map[uuid.UUID]bool, len(all))
	for i := range all {
		there[all[i].ID] = true
	}
	for id := range of {
		if !there[id] {
			delete(of, id)
		}
	}
	if len(of) == 0 {
		delete(c.withdrawn, store)
	}
	return withdrawnFrom(all, of)
}

// withdrawnFrom returns a copy of the promotions, in which withdrawn ones are removed or disabled.
func withdrawnFrom(all []promotions.Promotion, of map[uuid.UUID]withdrawal) []promotions.Promotion {
	rest := make([]promotions.Promotion, 0, len(all))
	for _, p := range all {
		switch of[p.ID] {
		case unnamed:
			continue
		case switchedOff:
			p.Active = false
		}
		rest = append(rest, p)
	}
	return rest
}

// switchOff returns the loaded promotions. The promotions in Withdrawals are disabled.
func (c *PromotionCache) switchOff(ctx context.Context, store client.ID, all []promotions.Promotion) ([]promotions.Promotion, error) {
	if c.Withdrawals == nil || len(all) == 0 {
		return all, nil
	}
	ids, err := c.Withdrawals.Withdrawn(ctx, store)
	if err != nil || len(ids) == 0 {
		return all, err
	}
	of := make(map[uuid.UUID]withdrawal, len(ids))
	for _, id := range ids {
		of[id] = switchedOff
	}
	return withdrawnFrom(all, of), nil
}
