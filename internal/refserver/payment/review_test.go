package payment_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/payment"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// underReview has the transaction need review, with an event that has the information.
func (a *app) underReview(info string) {
	a.alter(func(t *world.Transaction) {
		t.Status, t.PaymentAttempt = world.TransactionNeedsReview, "try-1"
		t.Events = append(t.Events, world.TransactionEvent{
			Type: "needs_merchant_review", Status: "success", Info: json.RawMessage(info), ExpiresAt: a.clock.Now().Add(time.Hour),
		})
	})
}

const reviewInfo = `{"accept_url":"https://pay.example/yes?id=1","cancel_url":"https://pay.example/no?id=1"}`

func TestReviewOnTheWire(t *testing.T) {
	a := open(t)
	a.authenticate(map[string]string{"type": "bearer_token", "access_token": "SECRET"})
	a.underReview(`{"accept_url":"https://pay.example/old","cancel_url":"https://pay.example/old"}`)
	a.underReview(reviewInfo)
	for accept, want := range map[bool][2]string{true: {"accept_review", "https://pay.example/yes?id=1"}, false: {"cancel_review", "https://pay.example/no?id=1"}} {
		c, err := a.pay.Review(t.Context(), a.store, a.paid.ID, accept)
		if err != nil || string(c.Kind) != want[0] || c.Outcome != payment.Accepted || c.Attempt != "try-1" || c.Try != 1 || c.App != a.id {
			t.Errorf("accept %t: got %+v, %v", accept, c, err)
		}
		a.mu.Lock()
		r := a.got[len(a.got)-1]
		a.mu.Unlock()
		if r.method != "POST" || r.url != want[1] || string(r.body) != "{}" || r.header.Get("Content-Type") != "application/json" {
			t.Errorf("accept %t: got %s %s %s", accept, r.method, r.url, r.body)
		}
		for _, name := range []string{"X-Signature", "X-Timestamp", "Authorization", "X-Api-Key"} {
			if r.header.Get(name) != "" {
				t.Errorf("accept %t: it has the header %s", accept, name)
			}
		}
	}
	if n := len(a.pay.Calls()); n != 2 {
		t.Errorf("%d calls are recorded, want 2", n)
	}
}

// Any 2xx is taken, nothing is repeated, and no answer changes the transaction.
func TestReviewAnswers(t *testing.T) {
	a := open(t)
	a.underReview(reviewInfo)
	for _, c := range []struct {
		status  int
		takes   time.Duration
		outcome payment.Outcome
	}{
		{200, 0, payment.Accepted}, {204, 0, payment.Accepted}, {202, 20*time.Second - 1, payment.Accepted}, {200, 20 * time.Second, payment.Failed},
		{302, 0, payment.Failed}, {401, 0, payment.Failed}, {422, 0, payment.Failed}, {500, 0, payment.Failed},
	} {
		a.mu.Lock()
		a.status, a.takes, a.got = c.status, c.takes, nil
		a.mu.Unlock()
		a.underReview(reviewInfo) // the time of the last one has passed by now
		got, err := a.pay.Review(t.Context(), a.store, a.paid.ID, true)
		if err != nil || got.Outcome != c.outcome || (got.Reason == "") != (c.outcome == payment.Accepted) || !got.Next.IsZero() {
			t.Errorf("%d after %v: %+v, %v", c.status, c.takes, got, err)
		}
		a.clock.Advance(2 * time.Hour)
		if len(a.got) != 1 {
			t.Errorf("%d: %d calls, want 1", c.status, len(a.got))
		}
	}
	err := a.World().View(0, a.store, func(tx *world.Tx) error {
		if now, _ := tx.Transactions.Get(a.paid.ID); now.Status != world.TransactionNeedsReview {
			return fmt.Errorf("the transaction is %s", now.Status)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestReviewsThatCannotBe(t *testing.T) {
	a := open(t)
	refused := func(want string) {
		t.Helper()
		if c, err := a.pay.Review(t.Context(), a.store, a.paid.ID, true); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %+v, %v; want an error with %q", c, err, want)
		}
	}
	refused("status paid")
	a.alter(func(t *world.Transaction) { t.Status = world.TransactionNeedsReview })
	refused("no event asks for it")
	for _, info := range []string{``, `null`, `[]`, `{}`, `{"accept_url":1}`, `{"accept_url":""}`, `{"accept_url":"http://pay.example/yes"}`,
		`{"accept_url":"https://127.0.0.1/yes"}`, `{"cancel_url":"https://pay.example/no"}`} {
		a.underReview(info)
		refused("accept_url in the info of the event")
	}
	a.underReview(reviewInfo)
	a.clock.Advance(time.Hour)
	refused("the event expired")
	if _, err := a.pay.Review(t.Context(), a.store, "none", true); err == nil {
		t.Error("a transaction that is not there is decided about")
	}
	if len(a.got) > 0 || len(a.pay.Calls()) > 0 {
		t.Errorf("the app was called: %+v", a.got)
	}
}
