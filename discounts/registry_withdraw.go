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

// withdrawal is the progress of withdrawing a promotion in this registry.
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
func (r *Registry) Withdraw(ctx context.Context, store client.ID, in *promotions.PromotionService, promotion uuid.UUID) error {
	if r.Withdrawals != nil {
		if err := r.Withdrawals.Withdraw(ctx, store, promotion); err != nil {
			return err
		}
	}
	r.withdraw(store, promotion, switchedOff)
	r.send(note{Store: store, About: aboutWithdrawal, Promotion: promotion, To: switchedOff})
	if err := r.Settle(ctx); err != nil {
		return err
	}
	// Carts that did not change in the meantime still have it. They lose it with the deletion. A command that removes
	// it could now arrive after the deletion.
	r.withdraw(store, promotion, unnamed)
	r.send(note{Store: store, About: aboutWithdrawal, Promotion: promotion, To: unnamed})
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
func (r *Registry) Settle(ctx context.Context) error { return sleep(ctx, mostStale*r.ttl()+AnswerTime) }

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
func (r *Registry) withdraw(store client.ID, promotion uuid.UUID, to withdrawal) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.withdrawn == nil {
		r.withdrawn = map[client.ID]map[uuid.UUID]withdrawal{}
	}
	of := r.withdrawn[store]
	if of == nil {
		of = map[uuid.UUID]withdrawal{}
		r.withdrawn[store] = of
	}
	of[promotion] = max(of[promotion], to)
	if s, ok := r.shelves.Peek(store); ok && s.own != nil {
		r.stamps++
		s.own = newOwn(withdrawnFrom(s.own.list, of), r.stamps)
	}
}

// without returns loaded promotions without those withdrawn by this registry. A record is removed when its promotion
// no longer exists.
func (r *Registry) without(store client.ID, all []promotions.Promotion) []promotions.Promotion {
	of := r.withdrawn[store]
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
		delete(r.withdrawn, store)
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
func (r *Registry) switchOff(ctx context.Context, store client.ID, all []promotions.Promotion) ([]promotions.Promotion, error) {
	if r.Withdrawals == nil || len(all) == 0 {
		return all, nil
	}
	ids, err := r.Withdrawals.Withdrawn(ctx, store)
	if err != nil || len(ids) == 0 {
		return all, err
	}
	of := make(map[uuid.UUID]withdrawal, len(ids))
	for _, id := range ids {
		of[id] = switchedOff
	}
	return withdrawnFrom(all, of), nil
}
