package sqlledger

import (
	"context"
	"database/sql"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/tables"
	"github.com/commerceplatform/commerce-go/payments"
)

//go:embed migrations/*.sql
var migrations embed.FS

var set = tables.Set{
	Package: "payments/sqlledger", Migrations: migrations, Apps: "commerce_payment_operation",
	Restored: "compare with the processor before refunds are given, because operations since are unknown",
}

// Tables are the tables of this package, for appdb.Tables.
var Tables = tables.PartOf(set)

// Errors of all methods.
var (
	ErrNoTables    = tables.ErrNoTables    // the tables are missing: call Migrate
	ErrNewerSchema = tables.ErrNewerSchema // the tables are from a later release that this one cannot use
)

// Ledger is a payments.Ledger in an SQL database. DB must be set. It is safe for concurrent use, must not be copied,
// and its fields must not be changed after its first use.
type Ledger struct {
	// DB is the database of all replicas: SQLite or PostgreSQL. A completed write must be durable, so do not change
	// synchronous and synchronous_commit, and never use a read replica.
	DB *sql.DB
	// App is the id of the app at the platform. It is required if several apps use the same tables. Zero means that
	// no other app does.
	App client.ID
	// Prefix is the prefix of table names: up to 30 characters a to z, 0 to 9 and _. Empty means "commerce_".
	Prefix string

	ready tables.Ready
}

var _ payments.Ledger = (*Ledger)(nil)

// Schema returns the statements that create the tables, for operators who create them manually.
func (l *Ledger) Schema() string { return l.tables().Schema() }

// Migrate creates the tables, or upgrades those of an earlier release. It does nothing if they are up to date.
// Several processes may call it concurrently.
func (l *Ledger) Migrate(ctx context.Context) error { return l.tables().Migrate(ctx) }

func (l *Ledger) tables() tables.Tables {
	return tables.Tables{Set: set, DB: l.DB, Prefix: l.Prefix, App: int64(l.App), Ready: &l.ready}
}

const (
	selectSQL = `SELECT idempotency_key, entry, state, version FROM commerce_payment_operation `
	insertSQL = `INSERT INTO commerce_payment_operation (app, idempotency_key, version, state, kind, store_id, order_id,
	payment_attempt_id, transaction_id, amount, currency, begun_at, changed_at, entry)
	VALUES ($1, $2, 1, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
	ON CONFLICT (app, idempotency_key) DO NOTHING`
	swapSQL = `UPDATE commerce_payment_operation SET version = version + 1, state = $1, store_id = $2, order_id = $3,
	transaction_id = $4, amount = $5, currency = $6, changed_at = $7, entry = $8
	WHERE app = $9 AND idempotency_key = $10 AND version = $11`
	pruneSQL = `DELETE FROM commerce_payment_operation WHERE app = $2 AND idempotency_key IN (
	SELECT old.idempotency_key FROM commerce_payment_operation AS old
	WHERE old.app = $2 AND old.state NOT IN ('begun', 'moved') AND old.changed_at < $1 AND NOT EXISTS (
		SELECT 1 FROM commerce_payment_operation AS young WHERE young.app = $2 AND young.transaction_id = old.transaction_id
		AND young.transaction_id <> '' AND (young.changed_at >= $1 OR young.state IN ('begun', 'moved')))
	AND NOT EXISTS (
		SELECT 1 FROM commerce_payment_operation AS young
		WHERE young.app = $2 AND young.payment_attempt_id = old.payment_attempt_id
		AND young.payment_attempt_id <> '' AND (young.changed_at >= $1 OR young.state IN ('begun', 'moved')))
	LIMIT 1000)`
)

// Begin implements payments.Ledger.
func (l *Ledger) Begin(ctx context.Context, e payments.Entry) (stored payments.Entry, created bool, err error) {
	if err := l.tables().Check(ctx); err != nil {
		return stored, false, err
	}
	stored, err = l.get(ctx, e.Key) // first, so that waiting for another replica writes nothing
	if !errors.Is(err, sql.ErrNoRows) {
		return stored, false, failed("begin", err)
	}
	e.Version = 1
	text, now, err := l.written(ctx, e)
	if err != nil {
		return stored, false, failed("begin", err)
	}
	inserted, err := l.tables().Exec(ctx, l.DB, insertSQL, l.App, e.Key, string(e.State), string(e.Call), e.StoreID, e.OrderID,
		tables.Text{Name: "payment attempt of " + e.Key, Value: string(e.PaymentAttemptID)}, idText(e.TransactionID),
		e.Amount.Value.String(), currency(e),
		e.BegunAt.UnixMicro(), now.UnixMicro(), text)
	if err != nil || inserted > 0 {
		return e, err == nil, failed("begin", err)
	}
	stored, err = l.get(ctx, e.Key)
	return stored, false, failed("begin", err)
}

// Swap implements payments.Ledger.
func (l *Ledger) Swap(ctx context.Context, e payments.Entry) (swapped bool, err error) {
	if err := l.tables().Check(ctx); err != nil {
		return false, err
	}
	before := e.Version
	e.Version++
	text, now, err := l.written(ctx, e)
	if err != nil {
		return false, failed("swap", err)
	}
	n, err := l.tables().Exec(ctx, l.DB, swapSQL, string(e.State), e.StoreID, e.OrderID, idText(e.TransactionID),
		e.Amount.Value.String(), currency(e), now.UnixMicro(), text, l.App, e.Key, before)
	return n > 0, failed("swap", err)
}

// written returns the column entry, and when it is written by the clock of the database.
func (l *Ledger) written(ctx context.Context, e payments.Entry) (text string, now time.Time, err error) {
	all, err := json.Marshal(e)
	if err != nil {
		return "", now, fmt.Errorf("operation %s: %w", e.Key, err)
	}
	now, err = tables.Clock(ctx, l.DB)
	return string(all), now, err
}

func currency(e payments.Entry) tables.Text {
	return tables.Text{Name: "currency of " + e.Key, Value: e.Amount.Currency}
}

// Find implements payments.Ledger.
func (l *Ledger) Find(ctx context.Context, about payments.About) ([]payments.Entry, error) {
	var conditions []string
	var args []any
	where := func(column string, given bool, value any) {
		if given {
			args = append(args, value)
			conditions = append(conditions, fmt.Sprintf("%s = $%d", column, len(args)))
		}
	}
	where("app", true, l.App)
	where("store_id", about.StoreID != 0, int64(about.StoreID))
	where("order_id <> 0 AND order_id", about.OrderID != 0, int64(about.OrderID))
	// These conditions make the database use the partial indexes.
	where("payment_attempt_id <> '' AND payment_attempt_id", about.PaymentAttemptID != "", string(about.PaymentAttemptID))
	where("transaction_id <> '' AND transaction_id", about.TransactionID != uuid.Nil, idText(about.TransactionID))
	if len(conditions) == 1 {
		return nil, nil
	}
	return l.list(ctx, "find", "WHERE "+strings.Join(conditions, " AND ")+" ORDER BY begun_at, idempotency_key", args...)
}

// Open implements payments.Ledger.
func (l *Ledger) Open(ctx context.Context, after string, n int) ([]payments.Entry, error) {
	const open = "WHERE state IN ('begun', 'moved') AND idempotency_key > $1 AND app = $3 " +
		"ORDER BY idempotency_key LIMIT $2"
	return l.list(ctx, "open", open, after, n, l.App)
}

// Prune deletes operations that are not open and were last changed before a time, by the clock of the database. It
// returns the number of deleted operations. A payment, its refunds and its cancellation are deleted together, when
// all of them are that old.
//
// Operations in progress are not affected: replicas may call Prune at the same time, and with any time.
//
// Keep operations that can still be refunded or cancelled. A later refund of a payment whose entry was deleted requires
// Cashier.OrderOf. If the payment is requested again, it is taken again, with the same key. A cancellation of it is no
// longer known, and a new one finds nothing to release.
func (l *Ledger) Prune(ctx context.Context, before time.Time) (n int64, err error) {
	if err := l.tables().Check(ctx); err != nil {
		return 0, err
	}
	for {
		deleted, err := l.tables().Exec(ctx, l.DB, pruneSQL, before.UnixMicro(), l.App)
		if n += deleted; err != nil || deleted == 0 {
			return n, failed("prune", err)
		}
	}
}

func (l *Ledger) get(ctx context.Context, key string) (payments.Entry, error) {
	statement := l.tables().SQL(selectSQL + "WHERE app = $1 AND idempotency_key = $2")
	e, ok, err := tables.One(ctx, l.DB, statement, []any{l.App, key}, read)
	if err == nil && !ok {
		err = sql.ErrNoRows
	}
	return e, err
}

func (l *Ledger) list(ctx context.Context, call, where string, args ...any) ([]payments.Entry, error) {
	if err := l.tables().Check(ctx); err != nil {
		return nil, err
	}
	all, err := tables.Query(ctx, l.DB, l.tables().SQL(selectSQL+where), args, read)
	return all, failed(call, err)
}

// read reads an entry. The columns of state and version have precedence, because operators can change them.
func read(scan tables.Scan) (e payments.Entry, err error) {
	var key, text, state string
	var version int64
	if err = scan(&key, &text, &state, &version); err == nil {
		err = json.Unmarshal([]byte(text), &e)
	}
	if err != nil {
		return e, &payments.UnreadableError{Key: key, Err: err}
	}
	e.State, e.Version = payments.State(state), version
	return e, nil
}

func idText(id uuid.UUID) string {
	if id == uuid.Nil {
		return ""
	}
	return id.String()
}

// failed adds the name of the failed call.
func failed(call string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("payments/sqlledger: %s: %w", call, err)
}
