package payments

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// door checks the calls of one handler before they are read. The zero value is ready.
type door struct {
	once     sync.Once
	received *callback.Bodies
	refusals callback.Refusals
}

// bodies bounds the bodies that are being received.
func (d *door) bodies(c *Callback) *callback.Bodies {
	d.once.Do(func() {
		d.received = callback.NewBodies(callback.Room(c.MaxReceiving, DefaultMaxReceiving, c.maxBody()))
	})
	return d.received
}

func (c *Callback) maxBody() int64 { return cmp.Or(c.MaxBody, DefaultMaxBody) }

// receive returns the body of a call and its id. If the call is rejected, it returns the refusal. Its body was then
// not decoded, and not even read if the call cannot be signed.
func (c *Callback) receive(w http.ResponseWriter, r *http.Request, d *door, k kind, deadline time.Time) (raw []byte, id callID, refused *client.Refused) {
	if !callback.Open(w, r, k.method, deadline) {
		return nil, id, callback.RefusedMethod(r, k.method)
	}
	var claims claim
	if !k.open {
		if claims, refused = c.claimed(r.Header); refused != nil {
			return nil, id, refused
		}
	}
	if k.proved != nil {
		if refused = k.proved(r.URL.Query()); refused != nil {
			return nil, id, refused
		}
	}
	bodies := d.bodies(c)
	raw, err := bodies.Read(w, r, c.maxBody())
	if err != nil {
		return nil, id, callback.RefusedBody(err)
	}
	defer bodies.Done(raw)
	id = c.identify(r, raw, claims)
	if !k.open && !c.verify(claims, id) {
		return nil, id, c.unverified(r)
	}
	return raw, id, nil
}

// unverified returns the refusal of an invalid signature. Without a key, which is an error in the configuration, the
// answer is 503.
func (c *Callback) unverified(r *http.Request) *client.Refused {
	refused := &client.Refused{Reason: client.RefusedSignature, Status: http.StatusUnauthorized, Header: SignatureHeader}
	n := len(c.keys())
	refused.Err = fmt.Errorf("the signature in %s is not by one of the %d valid keys over %s%s: Keys must be the platform's, Origin the public URL, and proxies must change neither path nor body",
		SignatureHeader, n, c.Origin, callback.Printable(r.URL.Path, callback.MostShown))
	if n == 0 {
		refused.Status, refused.Err = http.StatusServiceUnavailable, errors.New("KeySet is empty: call Set with the public key of the platform")
	}
	return refused
}
