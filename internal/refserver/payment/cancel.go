package payment

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// The waits before a cancellation is repeated.
const (
	firstWait = time.Second
	mostWait  = time.Hour
)

// Cancel has the app cancel a payment attempt. The call returned is the first; until one is answered 200 more follow,
// with a wait that doubles, by the clock of the server. It fails if the provider cannot be called or ctx ends.
func (p *Platform) Cancel(ctx context.Context, store int64, provider, attempt string) (Call, error) {
	from, err := p.provider(store, provider)
	if err != nil {
		return Call{}, err
	}
	c := Call{Kind: Cancel, Store: store, App: from.AppID, Provider: from.ID, Attempt: attempt, Try: 1, Method: http.MethodPost}
	if c.URL, err = p.address(c.App, c.Kind, func(u world.PaymentURLs) string { return u.Cancel }); err != nil {
		return c, err
	}
	if c.URL, err = withQuery(c.URL, "payment_attempt_id", attempt); err != nil {
		return c, err
	}
	return p.try(ctx, c, from, firstWait)
}

// try makes one call of a cancellation, and sees to the next if need be.
func (p *Platform) try(ctx context.Context, c Call, from world.PaymentProvider, wait time.Duration) (Call, error) {
	c, err := p.signed(ctx, c, from)
	if err != nil {
		return c, err
	}
	c.requires(http.StatusOK)
	if c.Outcome != Accepted {
		c.Next = p.world.Clock().Now().Add(wait)
	}
	c = p.record(c)
	if c.Outcome != Accepted {
		p.again(c, wait)
	}
	return c, nil
}

// again repeats a cancellation after a wait, unless its provider has gone by then.
func (p *Platform) again(c Call, wait time.Duration) {
	p.work.After(wait, func() {
		from, err := p.provider(c.Store, c.Provider)
		if err != nil {
			return // nobody waits for the call
		}
		next := Call{Kind: c.Kind, Store: c.Store, App: c.App, Provider: c.Provider, Attempt: c.Attempt, Try: c.Try + 1, Method: c.Method, URL: c.URL}
		_, _ = p.try(p.work.Context(), next, from, min(2*wait, mostWait)) // fails only if the platform is closed
	})
}

// withQuery is an address with one more parameter.
func withQuery(address, name, value string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	q := u.Query()
	q.Set(name, value)
	u.RawQuery = q.Encode()
	return u.String(), nil
}
