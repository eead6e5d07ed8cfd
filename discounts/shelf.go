package discounts

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// shelf is what is known of one store. The lock is that of the Registry.
type shelf struct {
	store client.ID
	own   *own // nil: not known
	// gone: the last load said that the store uninstalled the app.
	gone bool
	// begun is the stamp of the load that own and gone are from.
	begun uint64
	// void is the stamp up to which loads do not count, because they began before something changed.
	void   uint64
	loaded time.Time // when that load was called
	due    time.Time // when the promotions are to be loaded again
	failed time.Time // when the last load failed; zero if it did not
	err    error     // of the last load
	load   *loading  // that waits or goes on; nil: none
}

// forget drops what is known. Loads that began before do not count.
func (s *shelf) forget(stamp uint64) {
	s.own, s.gone, s.err, s.failed, s.void = nil, false, nil, time.Time{}, stamp
	if s.load != nil && s.load.cancel != nil {
		s.load.cancel()
	}
}

// rests reports whether the last load failed so recently that the next one has to wait.
func (s *shelf) rests(now time.Time) bool {
	return !s.failed.IsZero() && now.Sub(s.failed) < retryAfter
}

// known returns the promotions that there are, or why there are none.
func (s *shelf) known() (*own, error) {
	switch {
	case s.own != nil:
		return s.own, nil
	case s.err != nil:
		return nil, fmt.Errorf("%w: %w", ErrNoPromotions, s.err)
	}
	return nil, fmt.Errorf("%w: the registry is closed", ErrNoPromotions)
}

// settle puts what a load found on the shelf, unless a later one has been quicker or something changed meanwhile. The
// promotions are due again after age.
func (s *shelf) settle(stamp uint64, began time.Time, all []Promotion, err error, age time.Duration) {
	if stamp < s.begun || stamp <= s.void {
		return
	}
	if failed(err) {
		s.err, s.failed = err, time.Now() // what an earlier load still brings is better than nothing
		return
	}
	s.begun, s.loaded, s.due, s.failed, s.err, s.gone = stamp, began, began.Add(age), time.Time{}, nil, err != nil
	switch {
	case s.gone:
		s.own = nil
	case s.own == nil || !slices.EqualFunc(s.own.list, all, samePromotion):
		s.own = newOwn(slices.Clone(all), stamp)
	}
	if s.own != nil && len(s.own.list) == 0 {
		// Carts are sent only for stores with promotions, so there are some by now.
		s.due = began.Add(min(age, retryAfter))
	}
}

// failed reports whether a load found nothing out.
func failed(err error) bool { return err != nil && !errors.Is(err, ErrUninstalled) }

// age returns the age at which promotions are loaded again where so many stores are known: TTL, less a random part
// that grows with the stores to a fifth, so that stores that were loaded together are not loaded together again.
func age(ttl time.Duration, stores int) time.Duration {
	const many = 1000
	return ttl - time.Duration(rand.Int64N(1+int64(ttl/5)*int64(min(stores, many))/many))
}

// samePromotion compares all that a plan may go by.
func samePromotion(a, b Promotion) bool {
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
