package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/payments"
)

// app is the payment app. What it keeps in memory here, a real one keeps in its database:
// written down before any money moves.
type app struct {
	api      *v202503.API
	out      io.Writer
	provider uuid.UUID
	routes   http.Handler

	mu      sync.Mutex
	sales   map[client.ID]*payments.Transaction
	refunds map[uuid.UUID]refund // in process, by transaction
}

type refund struct {
	order client.ID
	asked payments.RefundRequest
}

// handler answers what the platform calls.
func (a *app) handler(common payments.Callback) (http.Handler, error) {
	a.sales, a.refunds = map[client.ID]*payments.Transaction{}, map[uuid.UUID]refund{}
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

// process authorizes a payment and reports it. An attempt that was reported is not again.
func (a *app) process(ctx context.Context, r payments.ProcessRequest) (any, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.sales[r.OrderID] != nil {
		return nil, nil
	}
	tx, err := a.api.Transactions.Create(ctx, r.OrderID, r.Transaction(
		payments.EventInput{Amount: r.Amount, Type: payments.Authorization, Status: payments.EventSuccess, AuthorizationCode: "OK-1"},
		payments.InfoInput{
			ExternalID:            "pay-" + r.OrderID.String(),
			Installments:          client.Set(payments.InstallmentsInput{Quantity: 3, Interest: "0.0325"}),
			RefundURL:             origin + "/refunds",
			SupportsPartialRefund: true,
		}))
	a.sales[r.OrderID] = tx
	return nil, err
}

// capture takes what was authorized.
func (a *app) capture(ctx context.Context, order client.ID) error {
	tx := a.sales[order]
	_, err := a.api.Transactions.CreateEvent(ctx, order, tx.ID, payments.EventInput{
		Amount: *tx.AuthorizedAmount, Type: payments.Capture, Status: payments.EventSuccess, AuthorizationCode: "OK-1",
	})
	return err
}

// refund begins a refund. One at a time: nothing tells two of the same amount apart.
func (a *app) refund(_ context.Context, r payments.RefundRequest) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, open := a.refunds[r.TransactionID]; open {
		return payments.RefundAlreadyInProcess
	}
	for order, tx := range a.sales {
		if tx.ID == r.TransactionID {
			a.refunds[tx.ID] = refund{order, r}
			return nil
		}
	}
	return fmt.Errorf("transaction %s is not of this app: %w", r.TransactionID, payments.RefundRejected)
}

// settle reports the refunds that the bank has made.
func (a *app) settle(ctx context.Context) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	for id, r := range a.refunds {
		if _, err := a.api.Transactions.CreateEvent(ctx, r.order, id, r.asked.Event(payments.EventSuccess)); err != nil {
			return err
		}
		delete(a.refunds, id)
	}
	return nil
}

// cancel has nothing to do: this app has decided about a payment when it answers.
func (a *app) cancel(context.Context, string) error { return nil }

func (a *app) status(_ context.Context, order client.ID) ([]payments.Transaction, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if tx := a.sales[order]; tx != nil {
		return []payments.Transaction{*tx}, nil
	}
	return nil, nil
}
