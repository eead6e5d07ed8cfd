package ledgerproof

import (
	"context"
	"crypto/rsa"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"golang.org/x/oauth2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/payments/sqlledger"
)

// Role is the name that TestMain gives Replica.
const Role = "ledger replica"

// Amounts of payments. Those of amount reserved are authorized, and the others take the money at once.
var paid, reserved, refunded = client.Cents(100), client.Cents(50), client.Cents(10)

// settings is what a replica must know, in variable LEDGER_REPLICA.
type settings struct {
	Database, API, Bank, Token, Dies string
	Store                            client.ID
	Key                              []byte // of the platform, PEM
}

const (
	settingsVariable = "LEDGER_REPLICA"
	origin           = "https://pay.example"

	lease, retry, window = time.Second, 3 * time.Second, time.Second // shorter than an app would have them
)

// Replica returns what a replica does: it serves calls, prints where, and runs its cashier until it is killed.
func Replica(connect func(address string) (*sql.DB, error)) func() error {
	return func() error {
		var s settings
		if err := json.Unmarshal([]byte(os.Getenv(settingsVariable)), &s); err != nil {
			return err
		}
		db, err := connect(s.Database)
		if err != nil {
			return err
		}
		keys, err := payments.ParseKeys(s.Key)
		if err != nil {
			return err
		}
		cashier, err := s.cashier(db)
		if err != nil {
			return err
		}
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		go func() { _ = cashier.Run(context.Background()) }()
		fmt.Println("http://" + l.Addr().String())
		return http.Serve(l, handlers(keys, cashier)) //nolint:gosec // of a test
	}
}

// quiet is the log of a replica: faults are made on purpose.
var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

func handlers(keys []*rsa.PublicKey, cashier *payments.Cashier) http.Handler {
	common := payments.Callback{Keys: keys, Origin: origin, Logger: quiet}
	mux := http.NewServeMux()
	mux.Handle("/process", &payments.ProcessHandler{Callback: common, Process: cashier.Process})
	mux.Handle("/cancel", &payments.CancelHandler{Callback: common, Cancel: cashier.Cancel})
	mux.Handle("/refunds", &payments.RefundHandler{Callback: common, Refund: cashier.Refund})
	return mux
}

func (s settings) cashier(db *sql.DB) (*payments.Cashier, error) {
	d := newDying(s.Dies)
	core, err := client.New(client.Config{
		BaseURL: s.API, StoreID: s.Store, Token: oauth2.StaticTokenSource(&oauth2.Token{AccessToken: s.Token}),
		UserAgent: "Ledger proof (dev@pay.example)", HTTPClient: &http.Client{Transport: transport{client.NewTransport(), d}},
	})
	if err != nil {
		return nil, err
	}
	transactions := v202503.New(core).Transactions
	pay := func(ctx context.Context, key, operation string, amount payments.Amount) (string, error) {
		receipt, err := move(ctx, s.Bank, key, operation, amount.Value.String())
		d.at("after the bank")
		return receipt, err
	}
	return &payments.Cashier{
		Ledger: ledger{&sqlledger.Ledger{DB: db}, d}, Lease: lease, Retry: retry, Window: window,
		Logger: quiet,
		Charge: func(ctx context.Context, p payments.Payment) (payments.TransactionInput, any, error) {
			receipt, err := pay(ctx, p.Key, string(p.PaymentAttemptID), p.Amount)
			kind := payments.EventTypeSale
			if p.Amount.Value.Equal(reserved) {
				kind = payments.EventTypeAuthorization
			}
			return p.Transaction(
				payments.EventInput{
					Amount: p.Amount, Type: kind, Status: payments.EventSuccess, AuthorizationCode: "OK-1",
				},
				payments.InfoInput{ExternalID: receipt, Installments: client.Set(payments.InstallmentsInput{Quantity: 1})},
			), map[string]string{"receipt": receipt}, err
		},
		Repay: func(ctx context.Context, r payments.Repayment) (payments.EventInput, error) {
			if r.Payment == nil || r.Payment.Info.ExternalID == "" {
				return payments.EventInput{}, fmt.Errorf("no payment of transaction %s", r.TransactionID)
			}
			_, err := pay(ctx, r.Key, r.TransactionID.String(), r.Amount)
			return r.Event(payments.EventSuccess), err
		},
		Void: func(ctx context.Context, v payments.Cancellation) (payments.EventInput, error) {
			_, err := move(ctx, s.Bank, v.Key, release(string(v.PaymentAttemptID)), v.Amount.Value.String())
			d.at("after the release")
			return v.Event(payments.EventSuccess), err
		},
		Transactions: func(context.Context, client.ID) (*payments.TransactionService, error) { return transactions, nil },
	}, nil
}
