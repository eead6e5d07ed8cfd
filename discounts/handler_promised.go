package discounts

import (
	"errors"
	"fmt"
	"hash/maphash"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/internal/lru"
)

// ErrNotApplied is wrapped by NotApplied: an answer named a promotion, and the next cart does not have it.
var ErrNotApplied = errors.New("the platform did not apply a promotion")

// NotApplied is the error for a promotion that the platform did not apply to a cart. It wraps ErrNotApplied.
type NotApplied struct {
	Promotion uuid.UUID // its id
	// Answered is the time of the answer that named the promotion.
	Answered time.Time
}

// Error names the promotion and possible reasons.
func (n *NotApplied) Error() string {
	return fmt.Sprintf("the platform did not apply promotion %s, which the answer of %s named: it may have ended, "+
		"it may not combine with others of the cart, or the answer was late or rejected",
		n.Promotion, n.Answered.UTC().Format(time.RFC3339))
}

// Unwrap returns ErrNotApplied.
func (n *NotApplied) Unwrap() error { return ErrNotApplied }

// Bounds on the stored answers.
const (
	promiseTime    = 30 * time.Minute
	mostPromises   = 4096
	mostPromised   = 1 << 16 // pairs of promotion and line, in all answers
	mostPromisedBy = 1 << 10 // in one answer; larger answers are not stored
)

// promises stores the promotions that the last answer to each cart named. The zero value is empty.
type promises struct {
	mu     sync.Mutex
	seed   maphash.Seed
	byCart lru.Map[cartKey, *promise] // ordered by the time of the answer
	pairs  int                        // in all answers
}

// cartKey identifies a cart of a store and the tier.
type cartKey struct {
	store client.ID
	cart  client.Code
	tier  promotions.Tier
}

// promise is the content of the last answer to a cart.
type promise struct {
	body     uint64 // hash of the cart's bytes
	answered time.Time
	named    []pair
	reported []string // promotions that were already reported
}

// answered stores the answer to a cart and returns the promotions of the previous answer that the cart lacks.
func (m *promises) answered(cart *Cart, raw []byte, arrived time.Time, a reply) (missing []*NotApplied) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.seed == (maphash.Seed{}) {
		m.seed = maphash.MakeSeed()
	}
	now := time.Now()
	m.trim(now)
	key := cartKey{cart.StoreID, cart.ID, cart.Tier}
	last, known := m.byCart.Peek(key)
	if !known && len(a.named) == 0 {
		return nil
	}
	next := &promise{body: maphash.Bytes(m.seed, raw), answered: now}
	if known {
		next.reported = last.reported
		// A cart that was sent before the answer, or that is resent at once, proves nothing.
		if !arrived.Before(last.answered) && (last.body != next.body || arrived.Sub(last.answered) >= AnswerTime) {
			missing = next.report(last, cart, a.own)
		}
		if a.status == http.StatusNoContent && a.err != nil { // the cart keeps its discounts
			next.named = last.named
		}
		m.remove(key, last)
	}
	for p := range a.named {
		next.named = append(next.named, p)
	}
	if len(next.named) > 0 && len(next.named) <= mostPromisedBy && a.status != StatusUninstalled {
		m.byCart.Put(key, next)
		m.pairs += len(next.named)
		m.trim(now)
	}
	return missing
}

// report returns the promotions of the last answer that the cart lacks, that the store still has, and that were not
// reported yet.
func (p *promise) report(last *promise, cart *Cart, o *own) (missing []*NotApplied) {
	if o == nil {
		return nil // it is unknown whether the store still has them
	}
	for _, id := range last.missing(cart) {
		promotion, _ := promotionID(id)
		if r := o.byID[promotion]; r != nil && r.Active && !slices.Contains(p.reported, id) {
			p.reported = append(slices.Clip(p.reported), id)
			missing = append(missing, &NotApplied{promotion, last.answered})
		}
	}
	return missing
}

// missing returns the promotions of an answer that the next cart lacks although it still has one of their lines.
func (p *promise) missing(cart *Cart) (ids []string) {
	for _, n := range p.named {
		acts := func(a AppliedPromotion) bool { return strings.EqualFold(string(a.ID), n.promotion) }
		there := func(l LineItem) bool { return n.line == 0 || l.ID == n.line }
		if !slices.Contains(ids, n.promotion) && !slices.ContainsFunc(cart.Promotions, acts) && slices.ContainsFunc(cart.Products, there) {
			ids = append(ids, n.promotion)
		}
	}
	slices.Sort(ids)
	return ids
}

// trim removes old answers, and the oldest ones if there are too many.
func (m *promises) trim(now time.Time) {
	for key, p := range m.byCart.All() {
		if m.byCart.Len() <= mostPromises && m.pairs <= mostPromised && now.Sub(p.answered) < promiseTime {
			return
		}
		m.remove(key, p)
	}
}

func (m *promises) remove(key cartKey, p *promise) {
	m.byCart.Remove(key)
	m.pairs -= len(p.named)
}
