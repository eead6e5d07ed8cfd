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
		Transactions: func(context.Context, client.ID) (*providers.TransactionService, error) {
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
func (a *app) charge(_ context.Context, p payments.Payment) (providers.TransactionInput, any, error) {
	a.bank.move(p.Key, p.Amount.Value)
	reserved := providers.EventInput{
		Amount: p.Amount, Type: providers.EventTypeAuthorization, Status: providers.EventSuccess, AuthorizationCode: "OK-1",
	}
	return p.Transaction(reserved, providers.InfoInput{
		Installments: client.Set(providers.InstallmentsInput{Quantity: 3, Interest: "0.0325"}),
		RefundURL:    origin + "/refunds", SupportsPartialRefund: true,
	}), nil, nil
}

// repay returns money to the customer.
func (a *app) repay(_ context.Context, r payments.Repayment) (providers.EventInput, error) {
	a.bank.move(r.Key, r.Amount.Value)
	return r.Event(providers.EventSuccess), nil
}

// void releases what was reserved.
func (a *app) void(_ context.Context, v payments.Cancellation) (providers.EventInput, error) {
	a.bank.move(v.Key, v.Amount.Value)
	return v.Event(providers.EventSuccess), nil
}

// status returns the transactions of an order.
func (a *app) status(ctx context.Context, order client.ID) ([]providers.Transaction, error) {
	return v202503.Transactions(a.client).List(order).Collect(ctx)
}

// capture takes the reserved money of a transaction, when the goods leave.
func (a *app) capture(ctx context.Context, order client.ID, tx providers.Transaction) error {
	_, err := v202503.Transactions(a.client).CreateEvent(ctx, order, tx.ID, providers.EventInput{
		Amount: *tx.AuthorizedAmount, Type: providers.EventTypeCapture, Status: providers.EventSuccess, AuthorizationCode: "OK-1",
	})
	return err
}
