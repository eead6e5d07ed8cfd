package main

import (
	"context"
	"net/http"
	"sync"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/payments"
)

// app is the payment app of one store. Its cashier moves the money of each call once, and reports it once.
type app struct {
	client   *client.Client
	bank     bank
	provider uuid.UUID
	routes   *http.ServeMux
}

// bank moves money once for each key, as processors do.
type bank struct {
	mu    sync.Mutex
	moved map[string]client.Money
}

func (b *bank) move(key string, amount client.Money) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.moved[key] = amount
}

// newApp mounts the handlers of the platform's calls. A real app sets Cashier.Ledger to a sqlledger.Ledger, and runs
// Cashier.Run, which continues operations of processes that died.
func newApp(c *client.Client, common payments.Callback) (*app, error) {
	a := &app{client: c, bank: bank{moved: map[string]client.Money{}}, routes: http.NewServeMux()}
	cashier := &payments.Cashier{
		Charge: a.charge, Repay: a.repay, Void: a.void, Now: common.Now,
		Transactions: func(context.Context, client.ID) (*payments.TransactionService, error) {
			return v202503.Transactions(c), nil
		},
	}
	for path, h := range map[string]interface {
		http.Handler
		Check() error
	}{
		"/process": &payments.ProcessHandler{Callback: common, Process: cashier.Process},
		"/cancel":  &payments.CancelHandler{Callback: common, Cancel: cashier.Cancel},
		"/status":  &payments.StatusHandler{Callback: common, Status: a.status},
		"/refunds": &payments.RefundHandler{Callback: common, Refund: cashier.Refund},
	} {
		if err := h.Check(); err != nil {
			return nil, err
		}
		a.routes.Handle(path, h)
	}
	return a, cashier.Check()
}

// charge reserves the money of a payment.
func (a *app) charge(_ context.Context, p payments.Payment) (payments.TransactionInput, any, error) {
	a.bank.move(p.Key, p.Amount.Value)
	reserved := payments.EventInput{
		Amount: p.Amount, Type: payments.EventTypeAuthorization, Status: payments.EventSuccess, AuthorizationCode: "OK-1",
	}
	return p.Transaction(reserved, payments.InfoInput{
		Installments: client.Set(payments.InstallmentsInput{Quantity: 3, Interest: "0.0325"}),
		RefundURL:    origin + "/refunds", SupportsPartialRefund: true,
	}), nil, nil
}

// repay returns money to the customer.
func (a *app) repay(_ context.Context, r payments.Repayment) (payments.EventInput, error) {
	a.bank.move(r.Key, r.Amount.Value)
	return r.Event(payments.EventSuccess), nil
}

// void releases what was reserved.
func (a *app) void(_ context.Context, v payments.Cancellation) (payments.EventInput, error) {
	a.bank.move(v.Key, v.Amount.Value)
	return v.Event(payments.EventSuccess), nil
}

// status returns the transactions of an order.
func (a *app) status(ctx context.Context, order client.ID) ([]payments.Transaction, error) {
	return v202503.Transactions(a.client).List(order).Collect(ctx)
}

// capture takes the reserved money of a transaction, when the goods leave.
func (a *app) capture(ctx context.Context, order client.ID, tx payments.Transaction) error {
	_, err := v202503.Transactions(a.client).CreateEvent(ctx, order, tx.ID, payments.EventInput{
		Amount: *tx.AuthorizedAmount, Type: payments.EventTypeCapture, Status: payments.EventSuccess, AuthorizationCode: "OK-1",
	})
	return err
}
