package payment

import (
	"context"
	"fmt"
	"net/http"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Repeat is how a call is made again.
type Repeat struct {
	// Replica is which of the targets of a route is called, from 1; 0 is the one whose turn it is.
	Replica int
	// Resign makes a new signature with a new time. Otherwise the timestamp and the signature are those of the first
	// time, as in a request that somebody has recorded.
	Resign bool
}

// Again makes call n of a store again, with the same body and the credentials that the provider has now. A refresh,
// whose body is not kept, cannot be made again. It fails if the provider is gone or ctx ends, not because of what is
// answered.
func (p *Platform) Again(ctx context.Context, store int64, n int, r Repeat) (Call, error) {
	before, ok := p.find(store, n)
	switch {
	case !ok:
		return Call{}, fmt.Errorf("payment call %d does not exist in store %d", n, store)
	case before.Kind == Refresh:
		return Call{}, fmt.Errorf("payment call %d: a refresh is not made again, since its body is not kept", n)
	}
	from, err := p.provider(store, before.Provider)
	if err != nil {
		return Call{}, err
	}
	c := Call{
		Kind: before.Kind, Store: store, App: before.App, Provider: before.Provider, Attempt: before.Attempt,
		Try:    before.Try + 1,
		Method: before.Method, URL: before.URL, Request: before.Request,
	}
	ctx = withReplica(ctx, r.Replica)
	if r.Resign {
		c, err = p.signed(ctx, c, from)
	} else {
		c.Timestamp, c.Signature = before.Timestamp, before.Signature
		c, err = p.repeated(ctx, c, from)
	}
	if err != nil {
		return c, err
	}
	c.judge()
	return p.record(c), nil
}

// repeated makes a call with the signature that it has.
func (p *Platform) repeated(ctx context.Context, c Call, from world.PaymentProvider) (Call, error) {
	header, err := p.credentials(ctx, c.Store, from)
	if err != nil {
		return c, err
	}
	c.At = p.world.Clock().Now()
	header.Set(timestampHeader, c.Timestamp)
	header.Set(signatureHeader, c.Signature)
	return p.send(ctx, c, header)
}

// find returns call n if it is one of the store.
func (p *Platform) find(store int64, n int) (Call, bool) {
	for _, c := range p.calls.All() {
		if c.N == n && c.Store == store {
			return c, true
		}
	}
	return Call{}, false
}

// judge says what an answer means to the kind of call.
func (c *Call) judge() {
	if c.Kind == Refund && c.HTTPStatus == http.StatusUnprocessableEntity && c.Outcome == "" {
		c.reject()
	}
	switch c.Kind {
	case Refund:
		c.requires(http.StatusAccepted)
	case Process:
		c.requires(http.StatusCreated)
	default:
		c.requires(http.StatusOK)
	}
	if c.Kind == Status && c.Outcome == Accepted {
		c.hearStatus()
	}
}

// replicaKey is the context's key of which target of a route is called.
type replicaKey struct{}

func withReplica(ctx context.Context, n int) context.Context {
	return context.WithValue(ctx, replicaKey{}, n)
}

func replicaOf(ctx context.Context) int {
	n, _ := ctx.Value(replicaKey{}).(int)
	return n
}
