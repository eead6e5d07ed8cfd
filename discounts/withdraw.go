package discounts

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
)

// Withdrawals records which promotions are being withdrawn, or were, for all replicas of an app: a table with the
// columns store and promotion. Replicas read it after each load, so none of them needs a notification.
type Withdrawals interface {
	// Withdraw records that a promotion of the store is being withdrawn. Recording it again is no error.
	Withdraw(ctx context.Context, store client.ID, promotion uuid.UUID) error
	// Withdrawn returns the recorded promotions of the store. Ids are never used again, so a record may be deleted some
	// days after its promotion.
	Withdrawn(ctx context.Context, store client.ID) ([]uuid.UUID, error)
}

// withdrawal is how far a promotion of this registry is withdrawn.
type withdrawal int

const (
	// switchedOff: plans do not get it, and it is removed from carts.
	switchedOff withdrawal = iota + 1
	// unnamed: no answer names it, not even to remove it.
	unnamed
)

// Withdraw deletes a promotion of the store so that no answer names it any more: a command that names a deleted
// promotion, or one that is switched off at the platform, costs the cart all its discounts.
//
// It records the promotion in Withdrawals, has carts lose it from then on, waits until no replica uses what it knew
// before (see Settle), and deletes it. So it takes some two minutes, and belongs in a job of its own. If it fails, or
// the process ends, the promotion stays withdrawn; call Withdraw again to complete it. A promotion that is not there is
// no error.
func (r *Registry) Withdraw(ctx context.Context, store client.ID, in *PromotionService, promotion uuid.UUID) error {
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
	// Carts that did not change meanwhile have it still. They lose it with the deletion; what removes it from them now
	// could arrive after that.
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

// Settle waits until no replica uses promotions that it loaded before the call, which is twice TTL and the time of an
// answer. Use it before promotions are created in a store that installed the app again within that time after it
// uninstalled it: a replica that was not notified would name those of the earlier installation.
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

// withdraw notes how far a promotion is withdrawn, also for what is known of the store.
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

// without returns what was loaded without what this registry withdraws. A promotion that is not there any more needs no
// note.
func (r *Registry) without(store client.ID, all []Promotion) []Promotion {
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

// withdrawnFrom returns a copy of promotions without those that are withdrawn, or with those switched off.
func withdrawnFrom(all []Promotion, of map[uuid.UUID]withdrawal) []Promotion {
	rest := make([]Promotion, 0, len(all))
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

// switchOff returns what was loaded with the promotions switched off that Withdrawals has.
func (r *Registry) switchOff(ctx context.Context, store client.ID, all []Promotion) ([]Promotion, error) {
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
