package discounts

import (
	"cmp"
	"container/list"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/lru"
	"github.com/commerceplatform/commerce-go/internal/rounds"
)

// Defaults of PromotionCache.
const (
	DefaultTTL       = time.Minute // of PromotionCache.TTL
	DefaultMaxStores = 10_000      // of PromotionCache.MaxStores
)

// Errors for missing promotions of a store.
var (
	// ErrUninstalled means that the store uninstalled the app. PromotionCache.Load may return it. Carts of the store
	// are answered 310 once loads have returned it for a minute.
	ErrUninstalled = errors.New("the app is not installed in the store")
	// ErrNoPromotions means that the promotions of a store could not be loaded yet.
	ErrNoPromotions = errors.New("the store's promotions are not known")
)

// PromotionCache caches the app's promotions of each store, so that carts rarely wait for the API. Load is the
// authority. All methods only determine when it is called.
//
// The promotions of a store are loaded when its first cart arrives. After TTL they are loaded again in the
// background, or up to a fifth earlier if many stores are cached. After twice TTL a cart waits for the load, unless
// the last load failed. In that case the cached promotions are used. Uninstall and Install clear the cache of a
// store, so the next cart waits for a new load.
//
// 310 ends the promotions of a store, so one refusal is not enough for it. A cart is answered 310 only if a load that
// began after it arrived returned ErrUninstalled, and loads have returned it for a minute; see client.ActEndPromotions.
// Until then it is answered 204. So a token that is refused for a moment, and a replica that was not notified of a
// reinstallation, cause no damage.
//
// Load must be set. The fields must not be changed after the first use. A PromotionCache is safe for concurrent use and
// must not be copied. Call Close to end it.
type PromotionCache struct {
	// Load returns the promotions of a store. If the API refused the token, the error must wrap that of the call, or
	// ErrUninstalled. If the app has no token of the store, the error must have a method NotInstalled, as
	// oauth.ErrNotInstalled does; carts are then answered 310 at once. If the error is only about promotions that could
	// not be read (client.OnlyUnreadable), the others are used, and the error is reported.
	//
	// In the background its context ends after 10 s, with Close, and when Uninstall or Install make its result
	// obsolete. At most 16 loads are in progress, and at most one for each store. A load for which no cart waits any
	// more is called when there is a place. A failed load is not repeated for 5 s. In a call of Refresh, the context is
	// the caller's.
	//
	// A load that ignores the end of its context for 2 s is reported, and loses its place. It is not repeated before
	// it returns. While 256 loads are in this state, no other is called.
	//
	//	func(ctx context.Context, store client.ID) ([]promotions.Promotion, error) {
	//		c, err := stores.Client(ctx, store) // stores is a *client.Stores
	//		if err != nil {
	//			return nil, err
	//		}
	//		return v202503.Promotions(c).List().Collect(ctx)
	//	}
	Load func(ctx context.Context, store client.ID) ([]promotions.Promotion, error)
	// Judge decides from the results of Load whether the app is installed. Share it with the other parts of the app
	// that use a client.Judge. If nil, the cache has its own.
	Judge *client.Judge
	// TTL is the age after which promotions are loaded again. Zero means DefaultTTL. A promotion that is deleted or
	// disabled without Withdraw is still named for that time, and a command that names it removes all discounts of
	// the cart. All replicas must have the same TTL.
	TTL time.Duration
	// MaxStores bounds the cached stores and the waiting loads. Zero means DefaultMaxStores. The least recently used
	// store is removed first. If all of them are being loaded, carts of other stores are answered without their
	// promotions.
	MaxStores int
	// Withdrawals records the promotions that are being withdrawn, for all replicas: see Withdraw. If nil, the record
	// is kept in this PromotionCache, which suits an app with one replica.
	Withdrawals Withdrawals
	// Broadcast notifies the caches of other replicas. It makes Uninstall, Install, Refresh and Withdraw take
	// effect there at once. It is optional: if nil, they take effect after TTL.
	Broadcast Broadcast
	// OnFailure is called for each failed load in the background, and for failures of Broadcast. Refresh returns its
	// error instead. Loads that were not called have not failed. It may take 1 s. If nil, failures are logged.
	OnFailure func(ctx context.Context, f *Failure)
	// Logger logs failures if OnFailure is nil, at most one a minute for each store and kind. It also logs the stores
	// whose carts are answered 310, with the reason. If nil, slog.Default() is used.
	Logger *slog.Logger

	own     client.Judge // if Judge is nil
	mu      sync.Mutex
	base    context.Context // of the background work; nil before the first
	cancel  context.CancelFunc
	closed  bool
	working sync.WaitGroup
	loads   loads
	visits  rounds.Visits[client.ID] // the calls of Load
	lines   callback.Seldom
	// Guards of the app's functions.
	sendGuard, hookGuard *callback.Guard

	stamps  uint64
	shelves lru.Map[client.ID, *shelf]
	// withdrawn are promotions that this cache is withdrawing, or was notified of.
	withdrawn map[client.ID]map[uuid.UUID]withdrawal
	listening bool
}

// Uninstall clears the cache of a store, so that its next cart calls Load. Call it for the event app/uninstalled.
// Carts are answered 310 once loads have returned ErrUninstalled for a minute. A notification that is late, or obsolete
// because the store reinstalled the app, causes no damage.
func (c *PromotionCache) Uninstall(store client.ID) { c.changed(store) }

// Install clears the cache of a store, as Uninstall does. Call it when a store has installed or reinstalled the app.
func (c *PromotionCache) Install(store client.ID) {
	c.judge().Installed(store)
	c.changed(store)
}

func (c *PromotionCache) changed(store client.ID) {
	c.forget(store)
	c.send(note{Store: store, About: aboutStore})
}

// forget clears the cache of a store, and voids loads in progress.
func (c *PromotionCache) forget(store client.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s, ok := c.shelves.Peek(store); ok {
		c.stamps++
		s.forget(c.stamps)
	}
}

// Refresh loads the promotions of a store now. Call it after you create or change a promotion, so that carts do not
// use the cached ones until TTL has passed. To delete a promotion, use Withdraw.
func (c *PromotionCache) Refresh(ctx context.Context, store client.ID) error {
	c.mu.Lock()
	c.stamps++
	stamp, began := c.stamps, time.Now()
	c.mu.Unlock()
	all, err := c.call(ctx, store)
	if failed(err) && ctx.Err() != nil {
		return err // not a failure of the API, because the caller had no time
	}
	c.mu.Lock()
	if s := c.shelf(store); s != nil {
		c.settle(s, stamp, began, all, err)
	}
	c.mu.Unlock()
	c.send(note{Store: store, About: aboutPromotions})
	return err
}

// Close ends the background work and waits for it, at most until a load would lose its place. Cached promotions are
// still used.
func (c *PromotionCache) Close() error {
	c.mu.Lock()
	c.closed = true
	if c.cancel != nil {
		c.cancel()
	}
	for _, l := range c.loads.queued() {
		c.drop(l)
	}
	c.mu.Unlock()
	c.working.Wait()
	c.visits.Wait(loadTime + loadGrace)
	return nil
}

// Visits returns the results of the loads of each cached store, without those of Refresh.
func (c *PromotionCache) Visits() map[client.ID]client.Visited {
	return rounds.Results(c.visits.All(), func(s rounds.Status) client.Visited { return client.Visited(s) })
}

func (c *PromotionCache) ttl() time.Duration { return cmp.Or(c.TTL, DefaultTTL) }

// mostStale is the age in TTLs after which promotions are used only if they cannot be loaded.
const mostStale = 2

// settle stores the result of a load.
func (c *PromotionCache) settle(s *shelf, stamp uint64, began time.Time, all []promotions.Promotion, err error) {
	if err == nil {
		all = c.without(s.store, all)
	}
	s.settle(stamp, began, all, err, age(c.ttl(), c.shelves.Len()))
}

// lookup returns the promotions of a store. It waits for a load until ctx ends.
func (c *PromotionCache) lookup(ctx context.Context, store client.ID) (*own, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.listen()
	c.stamps++
	arrived := c.stamps
	for {
		s, now := c.shelf(store), time.Now()
		if s == nil {
			return nil, fmt.Errorf("%w: %w: MaxStores is %d", ErrNoPromotions, errCrowded, c.mostStores())
		}
		switch down := s.err != nil && s.own != nil; {
		case down || s.own != nil && now.Sub(s.loaded) < mostStale*c.ttl():
			if s.load == nil && !s.rests(now) && !now.Before(s.due) && !c.visits.Hung(store) {
				c.begin(s, &c.loads.later)
			}
			return s.own, nil
		case s.gone && s.begun > arrived:
			return nil, ErrUninstalled
		case errors.Is(s.err, client.ErrDoubtful) && s.begun > arrived:
			return s.known(nil)
		case c.closed:
			return s.known(errClosed)
		case s.rests(now) || c.visits.Hung(store):
			return s.known(callback.ErrHangs)
		}
		if err := c.await(ctx, s); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrNoPromotions, err)
		}
	}
}

// await waits for a load of the store, and starts one if there is none. The caller holds the lock, and must check the
// cache after that.
func (c *PromotionCache) await(ctx context.Context, s *shelf) error {
	if ctx.Err() != nil {
		return callback.Ended(ctx)
	}
	l, first := s.load, s.err == nil
	if first && (l == nil || l.in != nil && l.in != &c.loads.urgent) {
		if by, ok := ctx.Deadline(); ok && !c.chance(by) {
			if l == nil {
				c.begin(s, &c.loads.cold)
			}
			return errCrowded
		}
	}
	switch {
	case l == nil && first:
		l = c.begin(s, &c.loads.urgent)
	case l == nil:
		l = c.begin(s, &c.loads.later)
	case first:
		c.loads.hurry(l)
	}
	if l.waiting++; l.done == nil {
		l.done = make(chan struct{})
	}
	done := l.done
	c.mu.Unlock()
	select {
	case <-done:
	case <-ctx.Done():
	}
	c.mu.Lock()
	l.waiting--
	select {
	case <-done:
		if l.began.IsZero() && !c.closed {
			return errCrowded
		}
		return nil
	default:
		if l.waiting == 0 {
			c.loads.cool(l)
		}
		return callback.Ended(ctx)
	}
}

// chance reports whether a load that is begun now could end by the time.
func (c *PromotionCache) chance(by time.Time) bool {
	return !c.visits.Full() && c.loads.chance(time.Now(), by)
}

// begin queues a load, and calls it if there is a place. The cache must not be closed.
func (c *PromotionCache) begin(s *shelf, in *list.List) *loading {
	c.background()
	s.load = &loading{of: s}
	s.load.enter(in)
	defer c.start()
	return s.load
}

// background prepares the background work.
func (c *PromotionCache) background() {
	if c.base == nil {
		c.base, c.cancel = context.WithCancel(context.Background())
		c.visits.Limit = loadTime + loadGrace
		c.sendGuard, c.hookGuard = callback.NewGuard(sendTime+loadGrace), callback.NewGuard(hookTime)
	}
}

// start calls the loads that may be called now.
func (c *PromotionCache) start() {
	for !c.closed && c.visits.Free(mostLoads) > 0 {
		l := c.loads.next()
		if l == nil {
			return
		}
		c.stamps++
		l.stamp, l.began = c.stamps, time.Now()
		ctx, cancel := context.WithTimeout(c.base, loadTime)
		l.cancel = cancel
		c.loads.running = append(c.loads.running, l)
		var all []promotions.Promotion
		c.visits.Start(ctx, l.of.store, rounds.Work{
			Run: func(ctx context.Context) (err error) {
				if all, err = c.call(ctx, l.of.store); err != nil && c.base.Err() != nil {
					return fmt.Errorf("%w: %w", rounds.ErrUndecided, err)
				}
				return err
			},
			Late:  func(err error) { c.ended(l, nil, fmt.Errorf("Load: %w", callback.ErrHangs)) },
			Ended: func(o rounds.Outcome) { c.ended(l, all, o.Err) },
		})
	}
}

// ended settles a load by its result, or that it hangs.
func (c *PromotionCache) ended(l *loading, all []promotions.Promotion, err error) {
	c.mu.Lock()
	settled := l.settled
	void, over := l.stamp <= l.of.void, c.base.Err() != nil
	if !settled {
		l.settled = true
		l.cancel()
		c.settle(l.of, l.stamp, l.began, all, err)
		if l.of.load == l {
			l.of.load = nil
		}
		c.loads.ended(l, time.Now())
		l.end()
	}
	c.start()
	c.mu.Unlock()
	switch {
	case err == nil || settled || over || void:
	case errors.Is(err, ErrUninstalled):
		c.note(l.of.store, err)
	default:
		c.fail(c.base, l.of.store, "promotions not loaded", err)
	}
}

// note logs that carts of a store are answered 310, and why.
func (c *PromotionCache) note(store client.ID, why error) {
	if _, due := c.lines.Due("310 " + store.String()); !due {
		return
	}
	_, _ = callback.Guarded(context.WithoutCancel(c.base), c.hookGuard, "Logger", func(ctx context.Context) (struct{}, error) {
		cmp.Or(c.Logger, slog.Default()).WarnContext(ctx, "discounts: carts are answered 310, which ends the promotions of the store",
			slog.Int64("store_id", int64(store)), slog.Any("error", why))
		return struct{}{}, nil
	})
}

// fail reports a failure. The text what also names its kind in the log.
func (c *PromotionCache) fail(ctx context.Context, store client.ID, what string, err error) {
	f, since := &Failure{StoreID: store, Err: fmt.Errorf("%s: %w", what, err)}, 0
	if c.OnFailure == nil {
		var due bool
		if since, due = c.lines.Due(what + " " + store.String()); !due {
			return
		}
	}
	ctx = context.WithoutCancel(ctx)
	for _, hook := range []func(context.Context, *Failure){c.OnFailure, nil} { // the log, if the hook hangs
		_, err := callback.Guarded(ctx, c.hookGuard, "OnFailure", func(ctx context.Context) (struct{}, error) {
			reporter{hook, c.Logger}.notify(ctx, f, since)
			return struct{}{}, nil
		})
		if err == nil {
			return
		}
	}
}

// call calls Load, and Withdrawals for the promotions that must not be used.
func (c *PromotionCache) call(ctx context.Context, store client.ID) (all []promotions.Promotion, err error) {
	if c.Load == nil {
		return nil, errors.New("discounts: PromotionCache.Load is nil")
	}
	var unread error // promotions
	err = rounds.Guard(func() (err error) {
		if all, err = c.Load(ctx, store); err == nil || client.OnlyUnreadable(err) {
			unread = err
			all, err = c.switchOff(ctx, store, all)
		}
		return err
	})
	return all, cmp.Or(c.judged(ctx, store, err), unread)
}

// drop ends a load that was not called.
func (c *PromotionCache) drop(l *loading) {
	if l.of.load == l {
		l.of.load = nil
	}
	l.drop()
}

func (c *PromotionCache) mostStores() int { return cmp.Or(c.MaxStores, DefaultMaxStores) }

// shelf returns the entry of a store and marks it as used. It returns nil if there is no room for another store,
// because carts wait for all of them.
func (c *PromotionCache) shelf(store client.ID) *shelf {
	if s, ok := c.shelves.Get(store); ok {
		return s
	}
	if c.shelves.Len() >= c.mostStores() && !c.makeRoom() {
		return nil
	}
	s := &shelf{store: store}
	c.shelves.Put(store, s)
	return s
}

// makeRoom removes the least recently used store for which no cart waits.
func (c *PromotionCache) makeRoom() bool {
	const mostTried = 2 * mostLoads
	tried := 0
	for store, s := range c.shelves.All() {
		if tried++; tried > mostTried {
			return false
		}
		if s.load == nil || s.load.in != nil && s.load.waiting == 0 {
			if s.load != nil {
				c.drop(s.load)
			}
			c.shelves.Remove(store)
			c.visits.Forget(store)
			return true
		}
	}
	return false
}
