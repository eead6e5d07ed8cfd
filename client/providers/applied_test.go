package providers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/internal/engine"
)

func refunded(at time.Time, value int64) EventInput {
	return EventInput{Amount: Amount{client.Cents(value), "BRL"}, Type: EventTypeRefund, Status: EventSuccess, HappenedAt: client.At(at)}
}

func TestAppliedTo(t *testing.T) {
	at := time.Date(2030, 1, 2, 3, 4, 5, 600_000_000, time.UTC)
	code := "A1"
	tx := &Transaction{Events: []Event{
		{Type: EventTypeSale, Status: EventSuccess, Amount: Amount{client.Cents(4999), "BRL"}, AuthorizationCode: &code, HappenedAt: client.At(at)},
		{Type: EventTypeRefund, Status: EventSuccess, Amount: Amount{client.Cents(1000), "BRL"}, HappenedAt: client.At(at.Truncate(time.Second)),
			Info: EventInfo{
				Message: "back", FraudScore: "0.50", RiskLevel: RiskLevelLow, AcceptURL: "https://a.example/1", CancelURL: "https://a.example/2",
				Extra: client.Extra{"note": json.RawMessage(`{"b": 2, "a": [1.0]}`), "n": json.RawMessage(`"1.10"`)},
			}},
	}}
	for name, tt := range map[string]struct {
		change func(*EventInput)
		want   bool
	}{
		"the same":             {func(*EventInput) {}, true},
		"cut to the second":    {func(in *EventInput) { in.HappenedAt = client.At(at.Add(300 * time.Millisecond)) }, true},
		"a second later":       {func(in *EventInput) { in.HappenedAt = client.At(at.Add(400 * time.Millisecond)) }, false},
		"no time":              {func(in *EventInput) { in.HappenedAt = client.Time{} }, true},
		"another amount":       {func(in *EventInput) { in.Amount.Value = client.Cents(1001) }, false},
		"an amount with zeros": {func(in *EventInput) { in.Amount.Value = client.MustMoney("10") }, true},
		"another currency":     {func(in *EventInput) { in.Amount.Currency = "ARS" }, false},
		"another type":         {func(in *EventInput) { in.Type = EventTypeVoid }, false},
		"another status":       {func(in *EventInput) { in.Status = EventPending }, false},
		"a failure":            {func(in *EventInput) { in.FailureCode = "card_rejected" }, false},
		"another code":         {func(in *EventInput) { in.AuthorizationCode = "B2" }, false},
		"the same info": {func(in *EventInput) {
			in.Info = EventInfo{Extra: client.Extra{"note": json.RawMessage(`{"a":[1.0],"b":2}`)}}
		}, true},
		"another info": {func(in *EventInput) {
			in.Info = EventInfo{Extra: client.Extra{"note": json.RawMessage(`{"a":[2],"b":2}`)}}
		}, false},
		"the same words": {func(in *EventInput) {
			in.Info = EventInfo{Message: "back", FraudScore: "0.5", RiskLevel: RiskLevelLow, AcceptURL: "https://a.example/1", CancelURL: "https://a.example/2"}
		}, true},
		"another message":    {func(in *EventInput) { in.Info.Message = "return" }, false},
		"another score":      {func(in *EventInput) { in.Info.FraudScore = "0.51" }, false},
		"another risk":       {func(in *EventInput) { in.Info.RiskLevel = RiskLevelHigh }, false},
		"another accept_url": {func(in *EventInput) { in.Info.AcceptURL = "https://a.example/2" }, false},
		"another cancel_url": {func(in *EventInput) { in.Info.CancelURL = "https://a.example/1" }, false},
		"a text with a zero less": {func(in *EventInput) {
			in.Info = EventInfo{Extra: client.Extra{"n": json.RawMessage(`"1.1"`)}}
		}, false},
		"info that is not there": {func(in *EventInput) {
			in.Info = EventInfo{Extra: client.Extra{"refund": json.RawMessage(`"r1"`)}}
		}, false},
		"info that is no JSON": {func(in *EventInput) {
			in.Info = EventInfo{Extra: client.Extra{"refund": json.RawMessage(`{`)}}
		}, false},
	} {
		in := refunded(at, 1000)
		tt.change(&in)
		if got := in.AppliedTo(tx); got != tt.want {
			t.Errorf("%s: got %v, want %v", name, got, tt.want)
		}
	}
}

// deaf is a transport that loses the answers to some requests after the platform has done what they ask.
type deaf struct {
	next http.RoundTripper
	lose func(*http.Request) bool
}

func (d deaf) RoundTrip(q *http.Request) (*http.Response, error) {
	res, err := d.next.RoundTrip(q)
	if err == nil && d.lose(q) {
		_ = res.Body.Close()
		return nil, io.ErrUnexpectedEOF
	}
	return res, err
}

// What the platform has done although its answer was lost is not done again: neither by the call itself, nor by one
// that repeats it in another process.
func TestLostAnswersAreNotRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var lost atomic.Int32
		lost.Store(2) // a transaction and an event
		srv := clienttest.New(t, clienttest.Options{Wrap: func(next http.RoundTripper) http.RoundTripper {
			return deaf{next, func(q *http.Request) bool { return q.Method == http.MethodPost && lost.Load() > 0 && lost.Add(-1) >= 0 }}
		}})
		charge, err := srv.Charge(client.Cents(2550))
		if err != nil {
			t.Fatal(err)
		}
		s, ctx := (*TransactionService)(engine.At((*engine.Core)(srv.Client()), string(client.Version202503))), t.Context()
		paid, err := s.Get(ctx, charge.OrderID, charge.TransactionID)
		if err != nil {
			t.Fatal(err)
		}
		in := sale()
		in.PaymentProviderID, in.FirstEvent.Amount = paid.PaymentProviderID, Amount{client.Cents(100), paid.Events[0].Amount.Currency}
		in.FirstEvent.Status, in.FirstEvent.FailureCode = EventFailure, "card_rejected"
		first, made, err := s.CreateOrGet(ctx, charge.OrderID, in)
		if err != nil || made {
			t.Fatalf("after a lost answer: made %v, %v; want a transaction that was found", made, err)
		}
		again, made, err := s.CreateOrGet(ctx, charge.OrderID, in)
		if differ := in.Differences(again); err != nil || made || again.ID != first.ID || differ != nil {
			t.Errorf("repeated: got %v, made %v, differences %v, %v, want transaction %v", again, made, differ, err, first.ID)
		}
		other := in
		other.FirstEvent.Amount.Value = client.Cents(200)
		again, made, err = s.CreateOrGet(ctx, charge.OrderID, other)
		if differ := other.Differences(again); err != nil || made || again.ID != first.ID || !slices.Equal(differ, []string{"first_event.amount.value"}) {
			t.Errorf("another amount: got %v, made %v, differences %v, %v, want transaction %v", again, made, differ, err, first.ID)
		}
		all, err := s.List(charge.OrderID).Collect(ctx)
		if err != nil || len(all) != 2 {
			t.Errorf("%d transactions, %v, want the first one and one more", len(all), err)
		}

		back := refunded(time.Now(), 1000)
		back.Amount.Currency = paid.Events[0].Amount.Currency
		for range 2 { // found after a lost answer, then there
			e, made, err := s.CreateEventOrGet(ctx, charge.OrderID, charge.TransactionID, back)
			if err != nil || made || e.Type != EventTypeRefund || e.Amount.Value.Cmp(back.Amount.Value) != 0 {
				t.Fatalf("got %+v, %v", e, err)
			}
		}
		time.Sleep(time.Minute) // another refund of the same amount
		second := back
		second.HappenedAt = client.At(time.Now())
		if _, made, err := s.CreateEventOrGet(ctx, charge.OrderID, charge.TransactionID, second); err != nil || !made {
			t.Fatalf("made %v, %v", made, err)
		}
		tx, err := s.Get(ctx, charge.OrderID, charge.TransactionID)
		if err != nil || tx.RefundedAmount == nil || tx.RefundedAmount.Value.String() != "20.00" || !back.AppliedTo(tx) || !second.AppliedTo(tx) {
			t.Errorf("got %+v, %v, want two refunds of 10.00", tx, err)
		}
		if lost.Load() != 0 {
			t.Errorf("%d answers were not lost", lost.Load())
		}
	})
}

// slow is a transport that loses the answer to the next POST, and hands its request on only after a time, as a proxy
// with a queue does.
type slow struct {
	next  http.RoundTripper
	after time.Duration
	armed *atomic.Bool
	sent  *sync.WaitGroup
}

func (s slow) RoundTrip(q *http.Request) (*http.Response, error) {
	if q.Method != http.MethodPost || !s.armed.CompareAndSwap(true, false) {
		return s.next.RoundTrip(q)
	}
	body, err := io.ReadAll(q.Body)
	if err != nil {
		return nil, err
	}
	late := q.Clone(context.WithoutCancel(q.Context()))
	late.Body = io.NopCloser(bytes.NewReader(body))
	s.sent.Go(func() {
		time.Sleep(s.after)
		if res, err := s.next.RoundTrip(late); err == nil {
			_ = res.Body.Close()
		}
	})
	return nil, io.ErrUnexpectedEOF
}

// A program that repeats what it has not reported once a minute records it once, however late the first request
// arrives.
func TestRequestsThatArriveLateAreRecordedOnce(t *testing.T) {
	for _, after := range []time.Duration{1, 3, 10, 16, 21, 30, 59} {
		synctest.Test(t, func(t *testing.T) {
			var armed atomic.Bool
			var sent sync.WaitGroup
			srv := clienttest.New(t, clienttest.Options{Wrap: func(next http.RoundTripper) http.RoundTripper {
				return slow{next, after * time.Second, &armed, &sent}
			}})
			charge, err := srv.Charge(client.Cents(2550))
			if err != nil {
				t.Fatal(err)
			}
			s, ctx := (*TransactionService)(engine.At((*engine.Core)(srv.Client()), string(client.Version202503))), t.Context()
			paid, err := s.Get(ctx, charge.OrderID, charge.TransactionID)
			if err != nil {
				t.Fatal(err)
			}
			currency := paid.Events[0].Amount.Currency
			in := sale()
			in.PaymentProviderID, in.FirstEvent.Amount = paid.PaymentProviderID, Amount{client.Cents(100), currency}
			in.FirstEvent.Status, in.FirstEvent.FailureCode = EventFailure, "card_rejected"
			back := refunded(time.Now(), 1000)
			back.Amount.Currency = currency

			reported := func(report func() error) {
				armed.Store(true)
				err := report()
				if err != nil {
					if !errors.Is(err, client.ErrProbablyNotCreated) || !errors.Is(err, client.ErrOutcomeUnknown) {
						t.Fatalf("after %d s: got %v, want ErrOutcomeUnknown and ErrProbablyNotCreated", after, err)
					}
					time.Sleep(time.Minute)
					err = report()
				}
				if err != nil || armed.Load() {
					t.Fatalf("after %d s: %v, want success after a lost answer (still to lose: %v)", after, err, armed.Load())
				}
				sent.Wait()
			}
			reported(func() error { _, _, err := s.CreateOrGet(ctx, charge.OrderID, in); return err })
			reported(func() error {
				_, _, err := s.CreateEventOrGet(ctx, charge.OrderID, charge.TransactionID, back)
				return err
			})

			all, err := s.List(charge.OrderID).Collect(ctx)
			if err != nil || len(all) != 2 {
				t.Errorf("after %d s: %d transactions, %v, want the first one and one more", after, len(all), err)
			}
			tx, err := s.Get(ctx, charge.OrderID, charge.TransactionID)
			if err != nil || tx.RefundedAmount == nil || tx.RefundedAmount.Value.String() != "10.00" {
				t.Errorf("after %d s: got %+v, %v, want one refund of 10.00", after, tx, err)
			}
		})
	}
}

// An event that nothing tells from another one of its amount is not sent.
func TestEventsNeedATimeToBeRepeated(t *testing.T) {
	s := (*TransactionService)(engine.At((*engine.Core)(clienttest.New(t, clienttest.Options{}).Client()), string(client.Version202503)))
	_, _, err := s.CreateEventOrGet(context.Background(), 1, someID, EventInput{Amount: Amount{client.Cents(1), "BRL"}, Type: EventTypeRefund, Status: EventSuccess})
	if !errors.Is(err, client.ErrValidation) || !strings.Contains(err.Error(), "happened_at") {
		t.Errorf("got %v, want an error that names happened_at", err)
	}
}
