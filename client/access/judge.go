package access

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/client/value"
	"github.com/commerceplatform/commerce-go/internal/lru"
	"github.com/commerceplatform/commerce-go/internal/rounds"
)

// ErrDoubtful means that the platform refuses the app's token of a store, but not for long enough to conclude that the
// app is not installed. Try again later.
var ErrDoubtful = errors.New("it is not certain yet whether the app is installed in the store")

// Act is something that an app does because it is not installed in a store. It cannot be undone, so a Judge requires
// evidence for it.
type Act string

// The acts, and the refusals of a token that each requires. A refusal is an answer 401 of the platform's own form (see
// ErrUnauthorized), or a missing token.
const (
	// ActErase is the handling of app/uninstalled and store/redact, whose signatures were verified, and the deletion of
	// pending deliveries. It requires three refusals over 30 seconds.
	ActErase Act = "erase"
	// ActEndPromotions is the answer 310 to a cart. It requires three refusals over one minute, or two over two
	// minutes. A missing token suffices, because the contract requires the answer and the app has ended the token
	// itself.
	ActEndPromotions Act = "end promotions"
	// ActRetire is the end of the use of a token. It requires three refusals over ten minutes.
	ActRetire Act = "retire the token"
)

// evidence is what an act requires.
type evidence struct {
	over     time.Duration // between the first refusal and the last
	refusals int
	latest   time.Duration // after which two refusals suffice; 0 means never
}

func (a Act) evidence() evidence {
	switch a {
	case ActErase:
		return evidence{over: 30 * time.Second, refusals: 3}
	case ActEndPromotions:
		return evidence{over: time.Minute, refusals: 3, latest: 2 * time.Minute}
	}
	return evidence{over: 10 * time.Minute, refusals: 3}
}

const (
	mostDoubts = 10_000         // stores; of more, the one that was refused longest ago is forgotten, which costs it time
	mostGap    = 24 * time.Hour // between two refusals of one doubt
	leastWait  = 5 * time.Second
	mostWait   = time.Minute // because the refusal may have been of an earlier token, and the app may be removed again
)

// Judge decides whether the app is installed in a store. It remembers which stores have refused the app's token, since
// when and how often. One accepted call ends the doubt.
//
// If many stores refuse their tokens at the same time, that is an outage of the platform's authorization. No store is
// Gone until a store is accepted again, and then each store requires new evidence. After a day an outage has no
// effect any more.
//
// Share one Judge between a webhook.Worker, a webhook.Handler, Copies, a discounts.PromotionCache and an oauth.Handler,
// so that each has the evidence of all. The zero value is ready to use. A Judge is safe for concurrent use and must not
// be copied. It is the memory of one process; other replicas collect their own evidence.
type Judge struct {
	// Probe reads any record with the token of a store; see client.Stores.Probe. Judge calls it for up to eight stores
	// to find out whether there is an outage. If it is nil, there is an outage if three stores are refused within a
	// minute, and more than are accepted at the same time.
	Probe func(ctx context.Context, store value.ID) error
	// Token, if set, describes the stored token of a store. The number differs from those of earlier tokens, such as
	// oauth.Install.Generation; 0 means that there is no token. A refusal of another token than before begins a new
	// doubt, even if another replica has stored the token. IsNew means that the platform may not have accepted the
	// token yet, such as oauth.Install.Due. Then each act requires three refusals over ten minutes. Judge calls Token
	// after each refusal. If it is nil, only Installed ends the doubt about an earlier token.
	Token func(ctx context.Context, store value.ID) (number int64, isNew bool, err error)
	// FirstRefusal makes the first refusal of a token evidence for every act. It is for tests with the reference
	// server, which refuses no valid token. In production an error that passes would end installations.
	FirstRefusal bool
	// OnOutage is called when an outage begins, and when it ends. If it is nil, outages are logged to slog.Default.
	OnOutage func(ctx context.Context, o AuthorizationOutage)

	mu       sync.Mutex
	doubts   lru.Map[value.ID, *doubt]    // stores whose last answer was a refusal
	accepted lru.Map[value.ID, time.Time] // stores whose last answer was none
	outage   outage
}

// doubt is what a Judge knows of a store that refuses the token.
type doubt struct {
	first, last time.Time
	refusals    int
	tokenless   bool // the last refusal was a missing token, about which the platform has not decided
	before      bool // the store was accepted earlier
	token       judgedToken
}

// Verdict is the decision of a Judge about a store.
type Verdict struct {
	// Access is Active, Doubtful or Gone.
	Access State
	// Since is the time of the first refusal, and Refusals their number. They are zero if Access is Active.
	Since    time.Time
	Refusals int
	// Wait is the time after which the store should be asked again if Access is Doubtful.
	Wait time.Duration
	// Outage is true if an outage of the platform's authorization prevents a decision.
	Outage bool
}

// Err returns nil if the verdict is Active or Gone, and otherwise an error that wraps ErrDoubtful.
func (v Verdict) Err() error {
	switch {
	case v.Access != Doubtful:
		return nil
	case v.Outage:
		return fmt.Errorf("%w: many stores refuse their tokens at the same time", ErrDoubtful)
	}
	since := v.Since.UTC().Format(time.RFC3339)
	return fmt.Errorf("%w: the token was refused %d times since %s", ErrDoubtful, v.Refusals, since)
}

// Observe learns from the error of an API call that was made with the token of a store, nil for a call that succeeded.
// An error that says nothing about the installation changes nothing; see Of.
func (j *Judge) Observe(ctx context.Context, store value.ID, err error) {
	access, undecided := Of(err)
	switch {
	case undecided != nil || store == 0:
	case access == Gone:
		j.refused(ctx, store, tokenless(err))
	default:
		j.accept(ctx, store)
	}
}

// Installed ends the doubt about a store, because a new token was stored.
func (j *Judge) Installed(store value.ID) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.doubts.Remove(store)
}

// Verdict decides about a store from what was observed. It calls no API, except for Probe during an outage.
func (j *Judge) Verdict(ctx context.Context, store value.ID, act Act) Verdict {
	j.mu.Lock()
	defer j.mu.Unlock()
	d, doubted := j.doubts.Peek(store)
	if !doubted {
		return Verdict{Access: Active}
	}
	v := Verdict{Access: Doubtful, Since: d.first, Refusals: d.refusals}
	if !d.tokenless && !j.FirstRefusal && j.out(ctx) {
		v.Outage, v.Wait = true, outagePause
		return v
	}
	sure := j.FirstRefusal || d.tokenless && act == ActEndPromotions
	if d.token.isNew {
		act = ActRetire
	}
	if v.Wait = act.evidence().missing(d); v.Wait == 0 || sure {
		v.Access, v.Wait = Gone, 0
	}
	return v
}

// Doubts returns the verdicts of ActRetire about all stores whose tokens are refused.
func (j *Judge) Doubts(ctx context.Context) map[value.ID]Verdict {
	j.mu.Lock()
	var stores []value.ID
	for store := range j.doubts.All() {
		stores = append(stores, store)
	}
	j.mu.Unlock()
	all := make(map[value.ID]Verdict, len(stores))
	for _, store := range stores {
		if v := j.Verdict(ctx, store, ActRetire); v.Access != Active {
			all[store] = v
		}
	}
	return all
}

// Outage returns the outage of the platform's authorization that prevents verdicts now, and its zero value if there is
// none.
func (j *Judge) Outage() AuthorizationOutage {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.outage.since.IsZero() || time.Since(j.outage.since) >= outageLongest {
		return AuthorizationOutage{}
	}
	return AuthorizationOutage{Since: j.outage.since, Stores: j.doubts.Len()}
}

// missing returns the time after which the next refusal may complete the evidence, 0 if it is complete.
func (e evidence) missing(d *doubt) time.Duration {
	over := d.last.Sub(d.first)
	switch {
	case d.refusals >= e.refusals && over >= e.over, e.latest > 0 && d.refusals > 1 && over >= e.latest:
		return 0
	}
	return min(mostWait, max(leastWait, (e.over-over)/time.Duration(max(1, e.refusals-d.refusals))))
}

// refused records that a store refuses the token.
func (j *Judge) refused(ctx context.Context, store value.ID, tokenless bool) {
	token := j.token(ctx, store)
	j.mu.Lock()
	defer j.mu.Unlock()
	now := time.Now()
	d, doubted := j.doubts.Get(store)
	if !doubted || now.Sub(d.last) > mostGap || token.replaces(d.token) {
		_, before := j.accepted.Peek(store)
		d = &doubt{first: now, before: before || doubted && d.before, token: token}
		j.doubts.Put(store, d)
	}
	if token.known && (token.number != 0 || !d.token.known) {
		d.token = token
	}
	j.accepted.Remove(store)
	d.last, d.tokenless, d.refusals = now, tokenless, d.refusals+1
	for oldest := range j.doubts.All() {
		if j.doubts.Len() <= mostDoubts {
			break
		}
		j.doubts.Remove(oldest)
	}
	if !tokenless {
		j.suspect(ctx, now)
	}
}

// judgedToken is what Token returned.
type judgedToken struct {
	number       int64
	isNew, known bool
}

// replaces reports whether a token is certainly another one than an earlier token.
func (t judgedToken) replaces(earlier judgedToken) bool {
	return t.known && earlier.known && t.number != 0 && t.number != earlier.number
}

func (j *Judge) token(ctx context.Context, store value.ID) (t judgedToken) {
	if j.Token == nil {
		return t
	}
	err := rounds.Guard(func() (err error) { t.number, t.isNew, err = j.Token(ctx, store); return err })
	t.known = err == nil
	return t
}

// accept records that a store accepts the token.
func (j *Judge) accept(ctx context.Context, store value.ID) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.doubts.Remove(store)
	j.accepted.Put(store, time.Now())
	for oldest := range j.accepted.All() {
		if j.accepted.Len() <= mostAccepted {
			break
		}
		j.accepted.Remove(oldest)
	}
	j.relax(ctx, time.Now())
}
