package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"sync"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/webhook"
)

// register registers webhooks at the platform.
func (s *session) register(ctx context.Context) error {
	if s.o.publicURL == "" {
		s.t.note("skipped: the platform cannot reach this program without -public-url")
		return nil
	}
	if err := s.inbox.handler.Check(); err != nil {
		return err
	}
	url := s.o.publicURL + webhookPath
	hooks, err := v202503.Webhooks(s.client).Ensure(ctx, url, s.o.events()...)
	if err != nil {
		return err
	}
	for i, e := range s.o.events() {
		s.t.check(hooks[i].ID > 0, "%s goes to %s", e, hooks[i].URL)
	}
	return nil
}

// receive waits for the webhooks of all changes.
func (s *session) receive(ctx context.Context) error {
	if s.o.publicURL == "" {
		s.t.note("skipped: no webhooks are registered")
		return nil
	}
	missing := s.inbox.await(ctx, s.o.wait)
	if s.demo != nil { // reports when it has sent everything
		if err := s.demo.Settle(ctx); err != nil {
			return err
		}
	}
	events := s.o.events()
	width := 0
	for _, e := range events {
		width = max(width, len(e))
	}
	for _, e := range events {
		seen, expected := s.inbox.of(e)
		s.t.note("%-*s %4d records, %d expected", width, e, seen, expected)
	}
	s.t.check(len(missing) == 0, "%s missing", count(len(missing), "webhook is", "webhooks are"))
	s.t.list(missing)
	return ctx.Err()
}

// attackWebhooks sends the app forged and repeated webhooks. It requires the app's secret, and one received webhook.
func (s *session) attackWebhooks(ctx context.Context) error {
	sample, _ := s.inbox.last()
	if sample.Raw == nil {
		s.t.note("skipped: there is no webhook to repeat")
		return nil
	}
	if err := s.join(ctx, sample); err != nil {
		return err
	}
	if err := s.forge(ctx, sample); err != nil {
		return err
	}
	_, failures := s.inbox.last()
	s.t.check(len(failures) == 0, "%s not handled", count(len(failures), "webhook was", "webhooks were"))
	s.t.list(failures)
	return nil
}

// join delivers a webhook, and twice more while its handler runs. The two wait for one run that they share. The webhook
// is like one that arrived, but about a record that no store has, so the platform sends no other one meanwhile.
func (s *session) join(ctx context.Context, d webhook.Delivery[webhook.Entity]) error {
	const nobody client.ID = math.MaxInt64
	g := newGate(entityFact(d.Event, nobody))
	s.inbox.setGate(g)
	defer s.inbox.setGate(nil)
	body := fmt.Appendf(nil, `{"store_id":%d,"event":%q,"id":%d}`, d.StoreID, d.Event, nobody)
	signature := webhook.Sign(s.o.appSecret, body)
	var answers [3]int
	var errs [3]error
	var wg sync.WaitGroup
	deliver := func(i int) {
		wg.Go(func() { answers[i], errs[i] = s.post(ctx, body, signature) })
	}
	deliver(0)
	g.await(ctx, g.entered)
	deliver(1)
	deliver(2)
	g.await(ctx, g.joined)
	g.await(ctx, g.joined)
	close(g.opened)
	wg.Wait()
	if answers != [3]int{http.StatusOK, http.StatusOK, http.StatusOK} {
		return fmt.Errorf("delivering a webhook: statuses %v: %w", answers, errors.Join(errs[:]...))
	}
	runs := g.passed()
	s.t.check(runs == 2, "%s came three times, twice while its handler ran: %s, the second for both", g.fact, count(runs, "run", "runs"))
	return nil
}

// forge sends a body that differs in one bit from the signed one.
func (s *session) forge(ctx context.Context, d webhook.Delivery[webhook.Entity]) error {
	forged := bytes.Clone(d.Raw)
	forged[len(forged)/2] ^= 1
	status, err := s.post(ctx, forged, webhook.Sign(s.o.appSecret, d.Raw))
	if err != nil {
		return err
	}
	latest, _ := s.inbox.last()
	s.t.check(status == http.StatusUnauthorized && !bytes.Equal(latest.Raw, forged), "one bit of it changed: answer %d, and its handler did not run", status)
	return nil
}

// post delivers a webhook to the app.
func (s *session) post(ctx context.Context, body []byte, signature string) (status int, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.site.url+webhookPath, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set(s.o.signatureHeader, signature)
	r.Close = true
	answer, err := (&http.Client{Transport: s.meter.Transport}).Do(r)
	if err != nil {
		return 0, err
	}
	return answer.StatusCode, answer.Body.Close()
}
