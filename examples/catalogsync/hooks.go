package main

import (
	"context"
	"net"
	"net/http"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

// webhookPath is where webhooks arrive, below the public URL and at the address of -listen.
const webhookPath = "/webhooks"

// hooks is the server that webhooks come to.
type hooks struct {
	server *http.Server
	served chan struct{}
}

// listen receives webhooks, and asks the platform for those that it does not send yet.
func (s *session) listen(ctx context.Context) (*hooks, error) {
	var registry webhook.Registry
	for _, r := range s.resources {
		for _, e := range r.hints {
			webhook.On(&registry, e, func(ctx context.Context, d webhook.Delivery[webhook.Entity]) error { return s.hint(ctx, r, d) })
		}
	}
	handler := &webhook.Handler{
		Secrets:    []client.Secret{s.o.appSecret},
		Registry:   &registry,
		HeaderName: s.o.signatureHeader,
		KnownStore: func(_ context.Context, store client.ID) (bool, error) { return store == client.ID(s.o.storeID), nil },
		// The platform delivers again what failed, and the next pass reads it besides.
		OnFailure: func(_ context.Context, f *webhook.Failure) { s.t.print("%v", f) },
	}
	if err := handler.Check(); err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", s.o.listen)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle(webhookPath, handler)
	h := &hooks{server: webhook.Server("", mux), served: make(chan struct{})}
	go func() {
		defer close(h.served)
		_ = h.server.Serve(l) // returns when the server is closed
	}()
	s.t.print("webhooks for %s arrive at http://%s", s.o.publicURL, l.Addr())
	if err := s.register(ctx); err != nil {
		h.close()
		return nil, err
	}
	return h, nil
}

// hint reads again what a webhook tells of.
func (s *session) hint(ctx context.Context, r resource, d webhook.Delivery[webhook.Entity]) error {
	there, err := s.reread(ctx, r, d.Payload.ID)
	if err != nil {
		return err
	}
	what := "read again"
	if !there {
		what = "removed"
	}
	s.t.print("webhook %s %d: %s", d.Event, d.Payload.ID, what)
	return nil
}

// register asks for the webhooks that are missing. One list costs the rate limit less than a look for each.
func (s *session) register(ctx context.Context) error {
	address := s.o.publicURL + webhookPath
	sent := map[webhook.Name]bool{}
	for hook, err := range s.api.Webhooks.List(client.WebhookFilter{URL: address}).All(ctx) {
		if err != nil {
			return err
		}
		sent[hook.Event] = true
	}
	for _, r := range s.resources {
		for _, e := range r.hints {
			if sent[e.Name] {
				continue
			}
			if _, err := s.api.Webhooks.Create(ctx, client.WebhookInput{URL: address, Event: e.Name}); err != nil {
				return err
			}
		}
	}
	return nil
}

// close lets the webhooks that are being handled end.
func (h *hooks) close() {
	ctx, cancel := context.WithTimeout(context.Background(), webhook.AnswerTime)
	defer cancel()
	_ = h.server.Shutdown(ctx)
	_ = h.server.Close() // of those that took too long; the platform delivers again
	<-h.served
}
