package statetest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/payments/paymentstest"
	"github.com/commerceplatform/commerce-go/payments/sqlledger"
)

// pruning is the ledger of a replica. As soon as an operation has begun, two replicas delete all operations that have
// ended, before each call. Its operations are those of young payments, which Prune is not called for otherwise.
type pruning struct {
	*sqlledger.Ledger
	also  *sqlledger.Ledger // of the other replica
	begun *bool
	t     testing.TB
}

// prune has both replicas delete operations at the same time.
func (l pruning) prune(ctx context.Context) {
	if !*l.begun {
		return
	}
	var both sync.WaitGroup
	for _, one := range []*sqlledger.Ledger{l.Ledger, l.also} {
		both.Go(func() {
			if _, err := one.Prune(context.WithoutCancel(ctx), time.Now().Add(time.Hour)); err != nil {
				l.t.Error(err)
			}
		})
	}
	both.Wait()
}

func (l pruning) Begin(ctx context.Context, e payments.Entry) (payments.Entry, bool, error) {
	l.prune(ctx)
	stored, created, err := l.Ledger.Begin(ctx, e)
	*l.begun = true
	return stored, created, err
}

func (l pruning) Swap(ctx context.Context, e payments.Entry) (bool, error) {
	l.prune(ctx)
	return l.Ledger.Swap(ctx, e)
}

func (l pruning) Find(ctx context.Context, about payments.About) ([]payments.Entry, error) {
	l.prune(ctx)
	return l.Ledger.Find(ctx, about)
}

// pruned is a payment whose operations are pruned while they are in progress.
type pruned struct {
	*payments.Cashier
	shop  Shop
	api   *providers.TransactionService
	bank  paymentstest.Bank
	begun bool
	dies  error // what Repay and Void return after the bank has moved the money
}

// prunesDuringOperations prunes between any two calls of the ledger: no act of the bank is repeated, and none is lost.
func prunesDuringOperations(t *testing.T, e Engine) {
	address := e.New(t)
	one, other := &sqlledger.Ledger{DB: e.opened(t, address)}, &sqlledger.Ledger{DB: e.opened(t, address)}
	succeed(t, one.Migrate(t.Context()))
	p := &pruned{shop: newShop(t)}
	p.api = v202503.Transactions(p.shop.platform.Client())
	p.Cashier = p.replica(pruning{one, other, &p.begun, t})
	cancel := func(n int) error { return p.operate(func() error { return p.Cancel(t.Context(), attempt(n)) }) }
	p.pay(t, 0)
	p.settled(t, 0, p.refund(t, 0, 10), nil)
	p.dies = errCut
	p.settled(t, 0, p.refund(t, 0, 20), errCut)
	p.bank.First = providers.EventTypeAuthorization
	p.pay(t, 1)
	p.settled(t, 1, cancel(1), errCut)
	p.dies, p.bank.First = nil, providers.EventTypeSale
	p.pay(t, 2)
	exec(t, one.DB, "CREATE TABLE saved AS SELECT * FROM commerce_payment_operation")
	p.settled(t, 2, p.refund(t, 2, 30), nil)
	exec(t, one.DB, "DELETE FROM commerce_payment_operation")
	exec(t, one.DB, "INSERT INTO commerce_payment_operation SELECT * FROM saved") // a backup is restored
	p.settled(t, 2, cancel(2), nil)
}

// replica returns a cashier of a replica.
func (p *pruned) replica(l payments.Ledger) *payments.Cashier {
	return &payments.Cashier{
		Ledger: l, Charge: p.bank.Charge, Lease: lease, Retry: 9 * time.Second, Window: time.Nanosecond,
		Logger: slog.New(slog.DiscardHandler),
		Repay: func(ctx context.Context, r payments.Repayment) (providers.EventInput, error) {
			t, err := p.api.Get(ctx, r.OrderID, r.TransactionID)
			if err != nil {
				return providers.EventInput{}, err
			}
			r.Payment = &providers.TransactionInput{Info: providers.InfoInput{ExternalID: t.Info.ExternalID}}
			in, err := p.bank.Repay(ctx, r)
			return in, errors.Join(err, p.dies)
		},
		Void: func(ctx context.Context, v payments.Cancellation) (providers.EventInput, error) {
			in, err := p.bank.Void(ctx, v)
			return in, errors.Join(err, p.dies)
		},
		Transactions: func(context.Context, client.ID) (*providers.TransactionService, error) {
			return p.api, nil
		},
		OrderOf: func(ctx context.Context, _ client.ID, id uuid.UUID) (client.ID, error) {
			for _, order := range p.shop.Orders {
				if _, err := p.api.Get(ctx, order, id); err == nil {
					return order, nil
				}
			}
			return 0, nil
		},
	}
}

// operate makes an operation begin.
func (p *pruned) operate(call func() error) error {
	defer func() { p.begun = false }()
	return call()
}

func (p *pruned) pay(t *testing.T, n int) {
	t.Helper()
	succeed(t, p.operate(func() error {
		_, err := p.Process(t.Context(), payments.ProcessRequest{
			StoreID: p.shop.Store, OrderID: p.shop.Orders[n], PaymentProviderID: p.shop.Provider, Amount: paid,
			PaymentMethod:    providers.PaymentMethod{Type: providers.MethodTypeCreditCard, ID: "visa"},
			PaymentAttemptID: client.Code(attempt(n)),
		})
		return err
	}))
}

func (p *pruned) refund(t *testing.T, n int, cents int64) error {
	t.Helper()
	return p.operate(func() error {
		return p.Refund(t.Context(), payments.RefundRequest{
			StoreID: p.shop.Store, PaymentProviderID: p.shop.Provider, TransactionID: p.shown(t, n).ID,
			Amount: providers.Amount{Value: client.Cents(cents), Currency: paid.Currency},
		})
	})
}

// shown returns the transaction of an order.
func (p *pruned) shown(t *testing.T, n int) *providers.Transaction {
	t.Helper()
	all, err := p.api.List(p.shop.Orders[n]).Collect(t.Context())
	if err != nil || len(all) != 1 {
		t.Fatalf("%d transactions, %v, want one", len(all), err)
	}
	return &all[0]
}

// settled has another replica complete what was begun, and compares the bank with the platform.
func (p *pruned) settled(t *testing.T, n int, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("payment %d: %v, want %v", n, err, want)
	}
	dies := p.dies
	p.dies, p.begun = nil, true
	defer func() { p.dies, p.begun = dies, false }()
	l := p.Ledger.(pruning)
	l.Ledger, l.also = l.also, l.Ledger
	other := p.replica(l)
	other.OrderOf = nil // the order is in the operation
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	ended := make(chan error, 1)
	go func() { ended <- other.Run(ctx) }()
	for open := true; open; {
		<-time.After(lease / 2)
		left, err := l.Open(ctx, "", 1)
		succeed(t, err)
		open = len(left) > 0
	}
	cancel()
	succeed(t, <-ended)
	l.prune(ctx)
	var moved, events []string
	tx := p.shown(t, n)
	for _, m := range p.bank.Moves(tx.Info.ExternalID) {
		moved = append(moved, fmt.Sprint(m.Kind, " ", m.Amount.Value))
	}
	for _, e := range tx.Events {
		events = append(events, fmt.Sprint(e.Type, " ", e.Amount.Value))
	}
	if !slices.Equal(moved, events) || len(moved) < 2 {
		t.Errorf("payment %d: the bank moved %v, and the platform shows %v", n, moved, events)
	}
}
