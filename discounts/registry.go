package discounts

import (
	"cmp"
	"container/list"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// Defaults of Registry.
const (
	DefaultTTL       = time.Minute // of Registry.TTL
	DefaultMaxStores = 10_000      // of Registry.MaxStores
)

const (
	loadTime   = 10 * time.Second // that a load in the background may take
	retryAfter = 5 * time.Second  // after a load that failed
	mostLoads  = 16               // at a time
)

// What a store's promotions may be missing for.
var (
	// ErrUninstalled: the store uninstalled the app. Registry.Load may return it; carts
	// of the store are answered 310 then.
	ErrUninstalled = errors.New("the app is not installed in the store")
	// ErrNoPromotions: the promotions of a store could not be loaded yet.
	ErrNoPromotions = errors.New("the store's promotions are not known")
)

// Registry knows the promotions of the app in each store, so that no cart waits for
// the API. It loads them when the first cart of a store arrives, and again in the
// background when they are older than TTL; until that succeeds, it serves those it has.
//
// Load must be set. The fields must not be changed after the first use. It is safe for
// concurrent use, must not be copied, and Close ends it.
type Registry struct {
	// Load reads the promotions of a store. In the background its context ends after 10 s
	// and with Close, 16 are under way at most, and one that failed is not tried again for
	// 5 s. With Refresh the context is the caller's.
	//
	//	func(ctx context.Context, store client.ID) ([]discounts.Promotion, error) {
	//		c, err := stores.Client(ctx, store) // stores is a *client.Stores
	//		if err != nil {
	//			return nil, err
	//		}
	//		all, err := v202503.New(c).Promotions.List().Collect(ctx)
	//		if access, _ := webhook.AccessOf(err); access == webhook.Gone {
	//			return nil, discounts.ErrUninstalled
	//		}
	//		return all, err
	//	}
	Load func(ctx context.Context, store client.ID) ([]Promotion, error)
	// TTL is the age from which promotions are loaded again. 0 means DefaultTTL. A promotion that
	// somebody else deletes or switches off is still named for that long, and a command that names it costs the
	// cart all its discounts.
	TTL time.Duration
	// MaxStores bounds the stores that are kept; the one not used for longest goes
	// first. 0 means DefaultMaxStores.
	MaxStores int
	// Report is told of each load that failed in the background; Refresh returns its error.
	// If nil, failures are logged.
	Report func(ctx context.Context, f *Failure)
	// Logger gets failures if Report is nil. If nil, slog.Default() is used.
	Logger *slog.Logger

	mu      sync.Mutex
	base    context.Context // of the loads; nil before the first
	cancel  context.CancelFunc
	closed  bool
	loads   sync.WaitGroup
	slots   chan struct{}
	stamps  uint64
	shelves map[client.ID]*list.Element
	recent  list.List // of *shelf, the most recently used first
}

// shelf is what is known of one store.
type shelf struct {
	store   client.ID
	own     *own // nil: nothing yet
	begun   uint64
	loaded  time.Time
	failed  time.Time
	err     error         // of the last load
	loading chan struct{} // closed when the load ends; nil: none goes on

	uninstalled bool
	told        bool // by Uninstall, so that nothing but Install ends it
}

// Uninstall tells that a store uninstalled the app: its carts are answered 310 from now
// on. Call it for the event app/uninstalled. Only Install ends that, or MaxStores stores
// used later; after that, and after a restart, it is for Load to return ErrUninstalled.
func (r *Registry) Uninstall(store client.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forget(store)
	s := r.shelf(store)
	s.uninstalled, s.told = true, true
}

// Install tells that a store installed the app, perhaps again. What was known of it is
// forgotten. Call it when an installation is complete: nothing else ends Uninstall.
func (r *Registry) Install(store client.ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forget(store)
}

// Refresh loads the promotions of a store now. Call it after you created, changed or
// deleted one, lest carts go by the old ones for the time of TTL.
func (r *Registry) Refresh(ctx context.Context, store client.ID) error {
	r.mu.Lock()
	s := r.shelf(store)
	r.stamps++
	stamp := r.stamps
	r.mu.Unlock()
	all, err := r.load(ctx, store)
	if failed(err) && ctx.Err() != nil {
		return err // that says nothing of the API: the caller had no time
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.settle(s, stamp, all, err)
	return err
}

// Close ends the loads in the background and waits for them. What is known is served on.
func (r *Registry) Close() error {
	r.mu.Lock()
	r.closed = true
	if r.cancel != nil {
		r.cancel()
	}
	r.mu.Unlock()
	r.loads.Wait()
	return nil
}

// lookup returns the promotions of a store. It waits for the first load until ctx ends.
func (r *Registry) lookup(ctx context.Context, store client.ID) (*own, error) {
	r.mu.Lock()
	s := r.shelf(store)
	if s.due(time.Now(), cmp.Or(r.TTL, DefaultTTL)) && !r.closed {
		r.begin(s)
	}
	wait := s.loading
	if wait == nil || s.own != nil || s.uninstalled {
		defer r.mu.Unlock()
		return s.known()
	}
	r.mu.Unlock()
	select {
	case <-wait:
	case <-ctx.Done():
		return nil, fmt.Errorf("%w: %w", ErrNoPromotions, callback.Ended(ctx))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if e, ok := r.shelves[store]; ok && e.Value.(*shelf).told {
		return nil, ErrUninstalled // meanwhile
	}
	return s.known()
}

// known returns the promotions as they are known now.
func (s *shelf) known() (*own, error) {
	switch {
	case s.uninstalled:
		return nil, ErrUninstalled
	case s.own != nil:
		return s.own, nil
	case s.err != nil:
		return nil, fmt.Errorf("%w: %w", ErrNoPromotions, s.err)
	}
	return nil, fmt.Errorf("%w: the registry is closed", ErrNoPromotions)
}

// due reports whether the promotions should be loaded.
func (s *shelf) due(now time.Time, ttl time.Duration) bool {
	if s.told || s.loading != nil || !s.failed.IsZero() && now.Sub(s.failed) < retryAfter {
		return false
	}
	age := now.Sub(s.loaded)
	if s.own != nil && len(s.own.list) == 0 {
		// Carts are sent only for stores with promotions, so there are some by now.
		return age >= min(ttl, retryAfter)
	}
	return age >= ttl
}

// begin starts a load in the background.
func (r *Registry) begin(s *shelf) {
	if r.base == nil {
		r.base, r.cancel = context.WithCancel(context.Background())
		r.slots = make(chan struct{}, mostLoads)
	}
	r.stamps++
	stamp, done := r.stamps, make(chan struct{})
	s.loading = done
	r.loads.Go(func() {
		var all []Promotion
		err := callback.ErrExit
		defer func() {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.settle(s, stamp, all, err)
			s.loading = nil
			close(done)
		}()
		ctx, cancel := context.WithTimeout(r.base, loadTime)
		defer cancel()
		all, err = r.loadInTurn(ctx, s.store)
		if failed(err) && r.base.Err() == nil {
			reporter{r.Report, r.Logger}.tell(ctx, &Failure{StoreID: s.store, Err: fmt.Errorf("promotions not loaded: %w", err)})
		}
	})
}

func (r *Registry) loadInTurn(ctx context.Context, store client.ID) ([]Promotion, error) {
	select {
	case r.slots <- struct{}{}:
		defer func() { <-r.slots }()
		return r.load(ctx, store)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (r *Registry) load(ctx context.Context, store client.ID) (all []Promotion, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = callback.Recovered(v)
		}
	}()
	if r.Load == nil {
		return nil, errors.New("discounts: Registry.Load is nil")
	}
	return r.Load(ctx, store)
}

// failed reports whether a load found nothing out.
func failed(err error) bool { return err != nil && !errors.Is(err, ErrUninstalled) }

// settle puts what a load found on the shelf, unless a later one has been quicker.
func (r *Registry) settle(s *shelf, stamp uint64, all []Promotion, err error) {
	if stamp < s.begun || s.told {
		return
	}
	now := time.Now()
	if failed(err) {
		s.err, s.failed = err, now // what an earlier load still brings is better than nothing
		return
	}
	s.begun, s.err = stamp, err
	s.loaded, s.failed, s.uninstalled = now, time.Time{}, err != nil
	if s.uninstalled {
		s.own = nil
		return
	}
	if s.own == nil || !slices.EqualFunc(s.own.list, all, samePromotion) {
		s.own = newOwn(slices.Clone(all), stamp)
	}
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

// shelf returns that of a store and marks it as used now.
func (r *Registry) shelf(store client.ID) *shelf {
	if e, ok := r.shelves[store]; ok {
		r.recent.MoveToFront(e)
		return e.Value.(*shelf)
	}
	if r.shelves == nil {
		r.shelves = make(map[client.ID]*list.Element)
	}
	s := &shelf{store: store}
	r.shelves[store] = r.recent.PushFront(s)
	if r.recent.Len() > cmp.Or(r.MaxStores, DefaultMaxStores) {
		r.forget(r.recent.Back().Value.(*shelf).store)
	}
	return s
}

func (r *Registry) forget(store client.ID) {
	if e, ok := r.shelves[store]; ok {
		r.recent.Remove(e)
		delete(r.shelves, store)
	}
}
