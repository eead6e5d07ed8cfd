package payment

import (
	"context"
	"crypto/rsa"
	"fmt"
	"net/http"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/work"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Timeout is how long an app may take to answer.
const Timeout = 20 * time.Second

// Platform calls payment apps. It is safe for concurrent use. The cancellations that it
// repeats belong to a group, which ends them.
type Platform struct {
	world *world.World
	call  delivery.Caller
	check func(address string) error // what webhooks may not have is not called
	signer
	work  *work.Group
	calls work.Log[Call]
}

// New returns a platform over the world, which calls no address that check refuses.
func New(w *world.World, g *work.Group, call delivery.Caller, check func(address string) error) *Platform {
	return &Platform{world: w, call: call, check: check, work: g}
}

// PublicKey verifies the signatures of this platform, which has a key of its own.
func (p *Platform) PublicKey() (*rsa.PublicKey, error) {
	key, err := p.private()
	if err != nil {
		return nil, err
	}
	return &key.PublicKey, nil
}

// Calls returns what the apps were asked and answered, the oldest first. Of very many
// the oldest are forgotten.
func (p *Platform) Calls() []Call { return p.calls.All() }

// CallsIn returns a part of them, by their numbers.
func (p *Platform) CallsIn(part work.Part) []Call {
	return p.calls.Part(part, func(c Call) int64 { return int64(c.N) })
}

// Log is the log of the calls.
func (p *Platform) Log() *work.Log[Call] { return &p.calls }

// record numbers a call and keeps it.
func (p *Platform) record(c Call) Call { return p.calls.Add(c, func(c *Call, n int) { c.N = n }) }

// provider is one of an app that is installed in the store.
func (p *Platform) provider(store int64, id string) (world.PaymentProvider, error) {
	var out world.PaymentProvider
	err := p.world.View(0, store, func(tx *world.Tx) error {
		var ok bool
		if out, ok = tx.PaymentProviders.Get(id); !ok {
			return fmt.Errorf("payment provider %q does not exist in store %d", id, store)
		}
		return nil
	})
	if err != nil {
		return out, err
	}
	if _, ok := p.world.Installed(out.AppID, store); !ok {
		return out, fmt.Errorf("payment provider %s: app %d is not installed in store %d", id, out.AppID, store)
	}
	return out, nil
}

// address returns the one of the app's that f picks.
func (p *Platform) address(app int64, kind Kind, f func(world.PaymentURLs) string) (string, error) {
	a, _ := p.world.App(app)
	to := f(a.Payments)
	if to == "" {
		return "", fmt.Errorf("app %d has no address for the call %s: set it in the app's settings, or with refserver pay --to URL", app, kind)
	}
	if err := p.check(to); err != nil {
		return "", fmt.Errorf("the address of app %d for the call %s: %w", app, kind, err)
	}
	return to, nil
}

// signed makes a call with the credentials of the provider and the signature. The call that it returns is not recorded
// yet. It fails only if nothing could be sent.
func (p *Platform) signed(ctx context.Context, c Call, from world.PaymentProvider) (Call, error) {
	auth, err := p.credentials(ctx, c.Store, from)
	if err != nil {
		return c, err
	}
	c.At = p.world.Clock().Now()
	header, err := p.sign(c.URL, c.Request, c.At)
	if err != nil {
		return c, fmt.Errorf("signing the call %s: %w", c.Kind, err)
	}
	c.Timestamp, c.Signature = header.Get(timestampHeader), header.Get(signatureHeader)
	for name, values := range auth {
		header[name] = values
	}
	return p.send(ctx, c, header)
}

// send makes a call. It fails if ctx ended before there was an answer.
func (p *Platform) send(ctx context.Context, c Call, header http.Header) (Call, error) {
	header.Set("User-Agent", "Commerce-Platform-Payments")
	if len(c.Request) > 0 {
		header.Set("Content-Type", "application/json")
	}
	reply := p.call(ctx, delivery.Call{
		Method: c.Method, URL: c.URL, Header: header, Body: c.Request, Timeout: Timeout, Replica: replicaOf(ctx),
	})
	if err := ctx.Err(); err != nil && reply.Err != nil {
		return c, err
	}
	c.HTTPStatus, c.Answer, c.Late, c.Duration, c.DecidedBy = reply.Status, reply.Body, reply.Late, reply.Duration, reply.DecidedBy
	c.To, c.Wire = reply.To, reply.Wire
	if reply.Err != nil {
		c.Outcome, c.Reason = Failed, reply.Err.Error()
	}
	return c, nil
}

// requires judges an answer that is not judged yet by the one status that accepts.
func (c *Call) requires(status int) {
	switch {
	case c.Outcome != "":
	case c.HTTPStatus == status:
		c.Outcome = Accepted
	default:
		c.Outcome, c.Reason = Failed, fmt.Sprintf("status %d: must be %d", c.HTTPStatus, status)
	}
}
