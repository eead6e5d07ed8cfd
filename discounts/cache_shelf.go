package discounts

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/promotions"
)

// shelf holds the promotions of one store. The lock is that of the PromotionCache.
type shelf struct {
	store client.ID
	own   *own // nil if unknown
	// gone is true if the last load returned ErrUninstalled.
	gone bool
	// begun is the stamp of the load that own and gone are from, or whose refusal is no evidence yet.
	begun uint64
	// void is the stamp up to which loads do not count, because they began before a change.
	void   uint64
	loaded time.Time // start of that load
	due    time.Time // when the promotions must be loaded again
	failed time.Time // when the last load failed; zero if it did not
	err    error     // of the last load
	load   *loading  // waiting or in progress; nil if there is none
}

// forget clears the entry. Loads that began earlier do not count.
func (s *shelf) forget(stamp uint64) {
	s.own, s.gone, s.err, s.failed, s.void = nil, false, nil, time.Time{}, stamp
	if s.load != nil && s.load.cancel != nil {
		s.load.cancel()
	}
}

// rests reports whether the next load must wait because the last one failed recently.
func (s *shelf) rests(now time.Time) bool {
	return !s.failed.IsZero() && now.Sub(s.failed) < retryAfter
}

// known returns the promotions, or an error that explains why there are none: the last load failed, or why.
func (s *shelf) known(why error) (*own, error) {
	switch {
	case s.own != nil:
		return s.own, nil
	case s.err != nil:
		return nil, fmt.Errorf("%w: %w", ErrNoPromotions, s.err)
	}
	return nil, fmt.Errorf("%w: %w", ErrNoPromotions, why)
}

// settle stores the result of a load, unless a later load has ended earlier or something changed in the meantime. The
// promotions are due again after age.
func (s *shelf) settle(stamp uint64, began time.Time, all []promotions.Promotion, err error, age time.Duration) {
	if stamp < s.begun || stamp <= s.void {
		return
	}
	if errors.Is(err, client.ErrDoubtful) {
		s.begun, s.own, s.gone, s.err, s.failed = stamp, nil, false, err, time.Time{}
		return
	}
	if failed(err) {
		s.err, s.failed = err, time.Now() // the result of an earlier load is still useful
		return
	}
	gone := errors.Is(err, ErrUninstalled)
	s.begun, s.loaded, s.due, s.failed, s.err, s.gone = stamp, began, began.Add(age), time.Time{}, nil, gone
	switch {
	case s.gone:
		s.own = nil
	case s.own == nil || !slices.EqualFunc(s.own.list, all, samePromotion):
		s.own = newOwn(slices.Clone(all), stamp)
	}
	if s.own != nil && len(s.own.list) == 0 {
		// Carts are sent only for stores with promotions, so there must be some by now.
		s.due = began.Add(min(age, retryAfter))
	}
}

// failed reports whether a load has no result.
func failed(err error) bool {
	return err != nil && !errors.Is(err, ErrUninstalled) && !client.OnlyUnreadable(err)
}

// age returns the age at which promotions are loaded again: TTL, less a random part. The random part grows with the
// number of stores to a fifth, so that stores that were loaded together are not reloaded together.
func age(ttl time.Duration, stores int) time.Duration {
	const many = 1000
	return ttl - time.Duration(rand.Int64N(1+int64(ttl/5)*int64(min(stores, many))/many))
}

// samePromotion compares all members that a plan can use.
func samePromotion(a, b promotions.Promotion) bool {
	return a.ID == b.ID && a.Name == b.Name && a.Tier == b.Tier && a.Active == b.Active && a.Combination == b.Combination &&
		equalExtra(a.Extra, b.Extra)
}

func equalExtra(a, b client.Extra) bool {
	if len(a) != len(b) {
		return false
	}
	for name, raw := range a {
		if other, ok := b[name]; !ok || !slices.Equal(raw, other) {
			return false
		}
	}
	return true
}
