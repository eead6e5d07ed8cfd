package payment

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Review has the merchant accept or cancel a transaction that needs review: it calls the accept_url or the cancel_url
// of the last event that asked for it. The app reports later what became of it. It fails if the transaction cannot be
// decided about so or ctx ends, not because of what the app answers.
func (p *Platform) Review(ctx context.Context, store int64, transaction string, accept bool) (Call, error) {
	var t world.Transaction
	err := p.world.View(0, store, func(tx *world.Tx) error {
		var ok bool
		if t, ok = tx.Transactions.Get(transaction); !ok {
			return fmt.Errorf("transaction %q does not exist in store %d", transaction, store)
		}
		return nil
	})
	if err != nil {
		return Call{}, err
	}
	c := Call{Kind: CancelReview, Store: store, Attempt: t.PaymentAttempt, Try: 1, Method: http.MethodPost}
	c.Request = []byte("{}")
	member := "cancel_url"
	if accept {
		c.Kind, member = AcceptReview, "accept_url"
	}
	if c.URL, err = p.reviewable(t, member); err != nil {
		return Call{}, fmt.Errorf("review of transaction %s: %w", transaction, err)
	}
	from, err := p.provider(store, t.ProviderID)
	if err != nil {
		return Call{}, err
	}
	c.App, c.Provider, c.At = from.AppID, from.ID, p.world.Clock().Now()
	if c, err = p.send(ctx, c, http.Header{}); err != nil {
		return c, err
	}
	switch {
	case c.Outcome != "":
	case c.HTTPStatus/100 == 2:
		c.Outcome = Accepted
	default:
		c.Outcome, c.Reason = Failed, fmt.Sprintf("status %d: must be 2xx", c.HTTPStatus)
	}
	return p.record(c), nil
}

// reviewable returns the address that the last event asking for a review has for the decision, or why there is none.
func (p *Platform) reviewable(t world.Transaction, member string) (string, error) {
	if t.Status != world.TransactionNeedsReview {
		return "", fmt.Errorf("status %s: must be %s", t.Status, world.TransactionNeedsReview)
	}
	for _, e := range slices.Backward(t.Events) {
		if e.Type != string(world.TransactionNeedsReview) {
			continue
		}
		if now := p.world.Clock().Now(); !e.ExpiresAt.IsZero() && !now.Before(e.ExpiresAt) {
			return "", fmt.Errorf("the event expired at %s", e.ExpiresAt)
		}
		var info map[string]json.RawMessage
		var address string
		_ = json.Unmarshal(e.Info, &info)          // what is not an object has no addresses
		_ = json.Unmarshal(info[member], &address) // what is not a text is none
		if err := p.check(address); err != nil {
			return "", fmt.Errorf("%s in the info of the event: %w", member, err)
		}
		return address, nil
	}
	return "", fmt.Errorf("no event asks for it")
}
