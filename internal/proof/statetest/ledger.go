package statetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"golang.org/x/oauth2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/payments/paymentstest"
	"github.com/commerceplatform/commerce-go/payments/sqlledger"
)

// Acts of the ledger, by n % kinds.
const (
	pays = iota
	paysAndRefunds
	paysAndCancels
	cancelsAndPays
	kinds
)

// paid and refunded are amounts. Every other attempt is only authorized.
var paid, refunded = providers.Amount{Value: client.Cents(100), Currency: "ARS"}, providers.Amount{Value: client.Cents(10), Currency: "ARS"}

func ledger() Row {
	return Row{
		Name:   "ledger",
		Rules:  []rule{{"Ledger", ledgerRules}, {"Operate", operates}, {"Clock", clockOfLedger}, {"Prune", prunesDuringOperations}},
		Tables: []string{"commerce_payment_operation"},
		Calls:  true,
		Kinds:  kinds, Pays: true,
		Open: func(w *World, db *sql.DB) Face { return newLedgerFace(w, db) },
		Damage: &Damage{
			Row:   `UPDATE commerce_payment_operation SET entry = replace(entry, '"key"', '"key":0,"') WHERE payment_attempt_id = 'attempt-4'`,
			Names: "of the ledger cannot be read",
			Scan:  scanOperations,
		},
	}
}

// scanOperations reads all operations of the store, and then as it reads open ones.
func scanOperations(ctx context.Context, f Face) (int, error) {
	l := f.(*ledgerFace)
	all, err := l.ledger.Find(ctx, payments.About{StoreID: l.w.Shop.Store})
	change := l.w.sql("UPDATE commerce_payment_operation SET state = ")
	_, failed := l.ledger.DB.ExecContext(ctx, change+"'begun'")
	open, unread := l.ledger.Open(ctx, "", 10)
	_, last := l.ledger.DB.ExecContext(ctx, change+"'reported'")
	if (err == nil) != (unread == nil) || len(open) != len(all) {
		err = errors.Join(err, fmt.Errorf("open: %d operations and %v, not %d", len(open), unread, len(all)))
	}
	return min(len(all), len(open)), errors.Join(err, failed, last)
}

// ledgerRules are the rules of payments.Ledger.
func ledgerRules(t *testing.T, e Engine) {
	addresses := map[string]string{} // by test
	paymentstest.RunLedger(t, func(t *testing.T) payments.Ledger {
		if addresses[t.Name()] == "" {
			addresses[t.Name()] = e.New(t)
		}
		l := &sqlledger.Ledger{DB: e.opened(t, addresses[t.Name()])}
		if err := l.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		return l
	})
}

// living is the network of a process.
type living struct {
	http.RoundTripper
	w *World
}

func (l living) RoundTrip(r *http.Request) (*http.Response, error) {
	if l.w.dead.Load() {
		return nil, errCut
	}
	return l.RoundTripper.RoundTrip(r)
}

// ledgerFace pays an attempt for each act, as a platform has a cashier do it, and refunds or cancels some.
type ledgerFace struct {
	*payments.Cashier
	w            *World
	ledger       *sqlledger.Ledger
	transactions *providers.TransactionService
}

func newLedgerFace(w *World, db *sql.DB) *ledgerFace {
	network := &http.Transport{}
	if w.stop != nil {
		*w.stop = append(*w.stop, network.CloseIdleConnections)
	}
	core := must(client.New(client.Config{
		BaseURL: w.Shop.URL, StoreID: w.Shop.Store, UserAgent: "State (dev@app.example)",
		HTTPClient: &http.Client{Transport: living{network, w}}, Token: oauth2.StaticTokenSource(&oauth2.Token{AccessToken: w.Shop.Token}),
	}))
	f := &ledgerFace{w: w, ledger: &sqlledger.Ledger{DB: db, Prefix: w.Prefix, App: w.App}, transactions: v202503.Transactions(core)}
	f.Cashier = &payments.Cashier{
		Ledger: f.ledger, Charge: f.charge, Repay: f.repay, Void: f.void, Logger: slog.New(slog.DiscardHandler),
		Lease: w.lease, Retry: 8 * w.lease, Window: time.Hour, // a refund that is asked for again is the same
		Transactions: func(context.Context, client.ID) (*providers.TransactionService, error) { return f.transactions, nil },
	}
	return f
}

func (f *ledgerFace) Migrate(ctx context.Context) error { return f.ledger.Migrate(ctx) }

// move has the bank move money. The bank moves that of each key once.
func (f *ledgerFace) move(ctx context.Context, act, of, key string) error {
	if err := f.w.call(); err != nil {
		return err
	}
	return f.w.do(ctx, "%s %s %s", act, of, key)
}

func (f *ledgerFace) charge(ctx context.Context, p payments.Payment) (providers.TransactionInput, any, error) {
	kind := providers.EventTypeSale
	if strings.HasSuffix(string(p.PaymentAttemptID), "6") { // an act that cancels
		kind = providers.EventTypeAuthorization
	}
	return p.Transaction(
		providers.EventInput{
			Amount: p.Amount, Type: kind, Status: providers.EventSuccess, AuthorizationCode: "OK-1",
			HappenedAt: client.At(f.w.Shop.At),
		},
		providers.InfoInput{ExternalID: p.Key, Installments: client.Set(providers.InstallmentsInput{Quantity: 1})},
	), nil, f.move(ctx, "charged", string(p.PaymentAttemptID), p.Key)
}

// The bank does not return the time of a refund or a release, so the cashier chooses it, also after a restore.
func (f *ledgerFace) repay(ctx context.Context, r payments.Repayment) (providers.EventInput, error) {
	return r.Event(providers.EventSuccess), f.move(ctx, "repaid", string(r.Payment.PaymentAttemptID), r.Key)
}

func (f *ledgerFace) void(ctx context.Context, v payments.Cancellation) (providers.EventInput, error) {
	return v.Event(providers.EventSuccess), f.move(ctx, "released", string(v.PaymentAttemptID), v.Key)
}

func attempt(n int) string { return fmt.Sprint("attempt-", n) }

// order returns the order of an act.
func (f *ledgerFace) order(n int) client.ID { return f.w.Shop.Orders[n/kinds%len(f.w.Shop.Orders)] }

func (f *ledgerFace) Act(ctx context.Context, n int) (err error) {
	switch n % kinds {
	case pays:
		err = f.pay(ctx, n)
	case paysAndRefunds:
		if err = f.pay(ctx, n); err == nil {
			err = f.refund(ctx, n)
		}
	case paysAndCancels:
		if err = f.pay(ctx, n); err == nil {
			err = f.Cancel(ctx, attempt(n))
		}
	case cancelsAndPays:
		if err = f.Cancel(ctx, attempt(n)); err == nil {
			err = f.pay(ctx, n)
		}
	}
	if err == nil {
		err = f.complete(ctx, n)
	}
	return err
}

func (f *ledgerFace) pay(ctx context.Context, n int) error {
	_, err := f.Process(ctx, payments.ProcessRequest{
		StoreID: f.w.Shop.Store, OrderID: f.order(n), PaymentProviderID: f.w.Shop.Provider, PaymentAttemptID: client.Code(attempt(n)),
		PaymentMethod: providers.PaymentMethod{Type: providers.MethodTypeCreditCard, ID: "visa"}, Amount: paid,
	})
	if errors.Is(err, payments.ErrCancelled) {
		return nil
	}
	return err
}

// refund pays a part back when the platform has the transaction.
func (f *ledgerFace) refund(ctx context.Context, n int) error {
	if err := f.complete(ctx, n); err != nil {
		return err
	}
	of, err := f.entries(ctx, n)
	if err != nil {
		return err
	}
	err = f.Refund(ctx, payments.RefundRequest{
		StoreID: f.w.Shop.Store, PaymentProviderID: f.w.Shop.Provider, TransactionID: of[payments.CallProcess].TransactionID, Amount: refunded,
	})
	if errors.Is(err, payments.RefundRefusalAlreadyInProcess) { // it was made
		return nil
	}
	return err
}

// complete has the cashier continue until no operation of an act is open.
func (f *ledgerFace) complete(ctx context.Context, n int) error {
	if open, err := f.open(ctx, n); err != nil || !open {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- f.Run(ctx) }()
	defer func() { cancel(); <-ended }()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(lease / 2):
		}
		if open, err := f.open(ctx, n); err != nil || !open {
			return err
		}
	}
}

// open reports whether an operation of an act is open.
func (f *ledgerFace) open(ctx context.Context, n int) (open bool, err error) {
	of, err := f.entries(ctx, n)
	for _, e := range of {
		open = open || e.State.Open()
	}
	return open, err
}

// entries returns the operations of an act, by their calls.
func (f *ledgerFace) entries(ctx context.Context, n int) (map[payments.Call]payments.Entry, error) {
	of := map[payments.Call]payments.Entry{}
	all, err := f.ledger.Find(ctx, payments.About{PaymentAttemptID: client.Code(attempt(n))})
	if err == nil && len(all) > 0 && all[0].TransactionID != uuid.Nil {
		var more []payments.Entry
		more, err = f.ledger.Find(ctx, payments.About{StoreID: f.w.Shop.Store, TransactionID: all[0].TransactionID})
		all = append(all, more...)
	}
	for _, e := range all {
		of[e.Call] = e
	}
	return of, err
}

// Has compares the ledger with the bank and the platform.
func (f *ledgerFace) Has(ctx context.Context, n int) (bool, error) {
	of, err := f.entries(ctx, n)
	var moves [3]int
	for i, act := range []string{"charged", "repaid", "released"} {
		if err == nil {
			moves[i], err = f.w.different(ctx, "%s %s %%", act, attempt(n))
		}
	}
	var reports, events int
	var status providers.Status
	if err == nil {
		reports, events, status, err = f.reported(ctx, n)
	}
	if err != nil {
		return false, err
	}
	charged, back := moves[0], moves[1]+moves[2]
	wrong := charged > 1 || back > charged || reports > charged || events > charged+back || n%kinds == cancelsAndPays && charged > 0
	done := false
	switch n % kinds {
	case pays:
		done = reports == 1 && of[payments.CallProcess].State == payments.StateReported
	case paysAndRefunds:
		done = events == 2 && ended(of[payments.CallRefund])
	case paysAndCancels:
		done = events == 2 && ended(of[payments.CallCancel])
		wrong = wrong || done && status != providers.StatusVoided && status != providers.StatusRefunded
	case cancelsAndPays:
		done = of[payments.CallCancel].State == payments.StateCancelled && of[payments.CallProcess].State == payments.StateCancelled
	}
	if wrong {
		err = fmt.Errorf("charged, repaid and released %v times, %d transactions with %d events, the last %s", moves, reports, events, status)
	}
	return done, err
}

// ended reports whether an operation was begun and is not open. After a restore, the platform shows the event of one
// that was lost. It then ends without moving money.
func ended(e payments.Entry) bool { return e.State != "" && !e.State.Open() }

// reported returns the transactions of an act that the platform has, and the events and the status of the last one.
func (f *ledgerFace) reported(ctx context.Context, n int) (transactions, events int, status providers.Status, err error) {
	var id string // the receipt of the bank
	id, err = f.w.last(ctx, "charged %s %%", attempt(n))
	if err != nil || id == "" {
		return 0, 0, "", err
	}
	for t, err := range f.transactions.List(f.order(n)).All(ctx) {
		if err != nil {
			return 0, 0, "", err
		}
		if strings.HasSuffix(id, " "+t.Info.ExternalID) {
			transactions++
			events, status = events+len(t.Events), t.Status
		}
	}
	return transactions, events, status, nil
}
