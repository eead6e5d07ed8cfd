package statetest

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

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
	prunesOperations(t, l)
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
	e := stored(t, l, "by hand", payments.StateBegun, uuid.Nil, time.Now())
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

// prunesOperations deletes old operations, and none of a transaction that was refunded lately.
func prunesOperations(t *testing.T, l *sqlledger.Ledger) {
	old, late := time.Now().Add(-time.Hour), time.Now()
	kept, gone := uuid.New(), uuid.New()
	stored(t, l, "a payment that is paid back", payments.StateReported, kept, old)
	stored(t, l, "its refund", payments.StateReported, kept, late)
	stored(t, l, "an old payment", payments.StateReported, gone, old)
	stored(t, l, "its old refund", payments.StateReported, gone, old)
	stored(t, l, "not reported", payments.StateMoved, uuid.Nil, old)
	stored(t, l, "a refusal", payments.StateRefused, uuid.Nil, old)
	for key, at := range map[string]time.Time{"cancelled": old, "its cancellation": late, "an old cancellation": old} {
		e := payments.Entry{Key: key, State: payments.StateCancelled, BegunAt: at, ChangedAt: at}
		e.PaymentAttemptID = "a"
		if key == "an old cancellation" {
			e.PaymentAttemptID = "b"
		}
		beginsOperation(t, l, e)
	}
	// The clock of the database decides when an operation was changed.
	age := "UPDATE " + l.Prefix + "payment_operation SET changed_at = begun_at"
	if _, err := l.DB.ExecContext(t.Context(), age); err != nil {
		t.Fatal(err)
	}
	if n, err := l.Prune(t.Context(), late.Add(-time.Minute)); n != 4 || err != nil {
		t.Errorf("Prune deleted %d, %v, want 4", n, err)
	}
	for about, want := range map[payments.About]int{
		{TransactionID: kept}: 2, {TransactionID: gone}: 0, {PaymentAttemptID: "a"}: 2, {PaymentAttemptID: "b"}: 0,
	} {
		if got, err := l.Find(t.Context(), about); len(got) != want || err != nil {
			t.Errorf("%d entries are left, %v, want %d", len(got), err, want)
		}
	}
	if open, err := l.Open(t.Context(), "", 10); len(open) != 1 || err != nil {
		t.Errorf("%d operations are open, %v, want 1", len(open), err)
	}
}

// stored stores an entry.
func stored(
	t *testing.T, l *sqlledger.Ledger, key string, state payments.State, of uuid.UUID, at time.Time,
) payments.Entry {
	t.Helper()
	about := payments.About{StoreID: 7, TransactionID: of}
	return beginsOperation(t, l, payments.Entry{Key: key, State: state, About: about, BegunAt: at, ChangedAt: at})
}

func beginsOperation(t *testing.T, l *sqlledger.Ledger, e payments.Entry) payments.Entry {
	t.Helper()
	e, created, err := l.Begin(context.WithoutCancel(t.Context()), e)
	if !created || err != nil {
		t.Fatalf("%s: created %v, %v", e.Key, created, err)
	}
	return e
}
