package statetest

import (
	"errors"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/payments/sqlledger"
)

// operates tests what an operator does with a ledger, in a database that is empty.
func operates(t *testing.T, e Engine) {
	db := e.opened(t, e.New(t))
	_, err := new(sqlledger.Ledger).Open(t.Context(), "", 1)
	if err == nil || !strings.Contains(err.Error(), "no DB: set") {
		t.Errorf("without a database: %v", err)
	}
	l := &sqlledger.Ledger{DB: db, Prefix: "shop_"}
	if _, err := l.Open(t.Context(), "", 1); !errors.Is(err, sqlledger.ErrNoTables) {
		t.Errorf("without tables: %v, want ErrNoTables", err)
	}
	if _, err := db.ExecContext(t.Context(), l.Schema()); err != nil {
		t.Fatal(err)
	}
	if err := l.Migrate(t.Context()); err != nil {
		t.Error(err)
	}
	closeByHand(t, l)
	if _, err := db.ExecContext(t.Context(), "UPDATE shop_version SET version = 99, compatible_from = 99"); err != nil {
		t.Fatal(err)
	}
	later := &sqlledger.Ledger{DB: db, Prefix: "shop_"}
	if _, err := later.Open(t.Context(), "", 1); !errors.Is(err, sqlledger.ErrNewerSchema) {
		t.Errorf("with tables of a later release: %v, want ErrNewerSchema", err)
	}
}

// closeByHand ends an operation by the statement of the documentation. The replica that works on it cannot write then.
func closeByHand(t *testing.T, l *sqlledger.Ledger) {
	about := payments.About{StoreID: 7}
	e, _, err := l.Begin(t.Context(), payments.Entry{Key: "by hand", State: payments.StateBegun, About: about})
	if err != nil {
		t.Fatal(err)
	}
	const statement = `UPDATE shop_payment_operation SET state = 'closed', version = version + 1
		WHERE idempotency_key = 'by hand'`
	if _, err := l.DB.ExecContext(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
	if ok, err := l.Swap(t.Context(), e); ok || err != nil {
		t.Errorf("a replica wrote to an operation that was closed: %v, %v", ok, err)
	}
	if e, created, err := l.Begin(t.Context(), e); created || err != nil || e.State != payments.StateClosed {
		t.Errorf("closed: got %s, created %v, %v", e.State, created, err)
	}
}
