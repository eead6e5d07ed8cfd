package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/payments"
)

// app is the payment app. Its records are in memory. A real app stores them in its database before money moves.
type app struct {
	client   *client.Client
	out      io.Writer
	provider uuid.UUID
	routes   http.Handler

	mu      sync.Mutex
	sales   map[client.Code]sale // by payment attempt
	refunds map[uuid.UUID]refund // in process, by transaction
}

type sale struct {
	order client.ID
	tx    *providers.Transaction
}

type refund struct {
	order client.ID
	asked payments.RefundRequest

	told   bool // it was reported, and the answer was lost
	before int  // number of refunds of the transaction at that time
}

// handler returns the handler of the platform's calls.
func (a *app) handler(common payments.Callback) (http.Handler, error) {
	a.sales, a.refunds = map[client.Code]sale{}, map[uuid.UUID]refund{}
	mux := http.NewServeMux()
	for path, h := range map[string]interface {
		http.Handler
		Check() error
	}{
		"/process": &payments.ProcessHandler{Callback: common, Process: a.process},
		"/cancel":  &payments.CancelHandler{Callback: common, Cancel: a.cancel},
		"/status":  &payments.StatusHandler{Callback: common, Status: a.status},
		"/refunds": &payments.RefundHandler{Callback: common, Refund: a.refund},
	} {
		if err := h.Check(); err != nil {
			return nil, err
		}
		mux.Handle(path, h)
	}
	a.routes = mux
	return mux, nil
}

// process authorizes a payment and reports it once. After a lost answer, it looks for the transaction by the app's id.
func (a *app) process(ctx context.Context, r payments.ProcessRequest) (any, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, known := a.sales[r.PaymentAttemptID]; known {
		return nil, nil
	}
	in := r.Transaction(
		providers.EventInput{Amount: r.Amount, Type: providers.EventTypeAuthorization, Status: providers.EventSuccess, AuthorizationCode: "OK-1"},
		providers.InfoInput{
			ExternalID:            "pay-" + string(r.PaymentAttemptID),
			Installments:          client.Set(providers.InstallmentsInput{Quantity: 3, Interest: "0.0325"}),
			RefundURL:             origin + "/refunds",
			SupportsPartialRefund: true,
		})
	tx, err := a.reported(ctx, r.OrderID, in.Info.ExternalID)
	if err == nil && tx == nil {
		tx, err = v202503.Transactions(a.client).Create(ctx, r.OrderID, in)
	}
	if errors.Is(err, client.ErrOutcomeUnknown) {
		found, lookErr := a.reported(ctx, r.OrderID, in.Info.ExternalID)
		if lookErr != nil || found == nil {
			return nil, errors.Join(err, lookErr)
		}
		tx, err = found, nil
	}
	if err != nil {
		return nil, err
	}
	a.sales[r.PaymentAttemptID] = sale{r.OrderID, tx}
	return nil, nil
}

// reported returns the transaction of an order that the platform has under an id of this app, or nil.
func (a *app) reported(ctx context.Context, order client.ID, external string) (*providers.Transaction, error) {
	for tx, err := range v202503.Transactions(a.client).List(order).All(ctx) {
		if err != nil {
			return nil, err
		}
		if tx.Info.ExternalID == external {
			return tx, nil
		}
	}
	return nil, nil
}

// capture captures the authorized amount of an order.
func (a *app) capture(ctx context.Context, order client.ID) error {
	sales, err := a.status(ctx, order)
	for _, tx := range sales {
		_, failed := v202503.Transactions(a.client).CreateEvent(ctx, order, tx.ID, providers.EventInput{
			Amount: *tx.AuthorizedAmount, Type: providers.EventTypeCapture, Status: providers.EventSuccess, AuthorizationCode: "OK-1",
		})
		err = errors.Join(err, failed)
	}
	return err
}

// refund begins a refund. Only one runs at a time, because two of the same amount could not be distinguished.
func (a *app) refund(_ context.Context, r payments.RefundRequest) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, open := a.refunds[r.TransactionID]; open {
		return payments.RefundRefusalAlreadyInProcess
	}
	for _, s := range a.sales {
		if s.tx.ID == r.TransactionID {
			a.refunds[s.tx.ID] = refund{order: s.order, asked: r}
			return nil
		}
	}
	return fmt.Errorf("transaction %s is not of this app: %w", r.TransactionID, payments.RefundRefusalRejected)
}

// settle reports refunds of the bank. It first looks for a report that may have arrived, because two count twice.
func (a *app) settle(ctx context.Context) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	for id, r := range a.refunds {
		tx, err := v202503.Transactions(a.client).Get(ctx, r.order, id)
		if err != nil {
			return err
		}
		made := refundsOf(tx)
		if !r.told || made == r.before {
			r.told, r.before = true, made
			a.refunds[id] = r
			if _, err := v202503.Transactions(a.client).CreateEvent(ctx, r.order, id, r.asked.Event(providers.EventSuccess)); err != nil {
				return err
			}
		}
		delete(a.refunds, id)
	}
	return nil
}

// refundsOf counts the refunds of a transaction.
func refundsOf(tx *providers.Transaction) (n int) {
	for _, e := range tx.Events {
		if e.Type == providers.EventTypeRefund && e.Status == providers.EventSuccess {
			n++
		}
	}
	return n
}

// cancel does nothing, because this app has decided about a payment when it answers.
func (a *app) cancel(context.Context, string) error { return nil }

// status returns the sales of an order.
func (a *app) status(_ context.Context, order client.ID) ([]providers.Transaction, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	var all []providers.Transaction
	for _, s := range a.sales {
		if s.order == order {
			all = append(all, *s.tx)
		}
	}
	return all, nil
}
