package rollingapp

import (
	"context"
	"database/sql"

	"github.com/commerceplatform/commerce-go/internal/proof/rolling/replica"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// Open opens an inbox in a file that also contains the tables of the app.
func Open(ctx context.Context, file string) (app replica.App, err error) {
	in, err := sqlite.Open(ctx, file, sqlite.Options{})
	if err != nil {
		return app, err
	}
	app.Inbox = in
	app.Ship = func(ctx context.Context, order int64, broken func() error) error {
		return in.Transact(ctx, func(tx *sql.Tx) error {
			if _, err := tx.ExecContext(ctx, "INSERT INTO shipment (id) VALUES (?)", order); err != nil {
				return err
			}
			if err := broken(); err != nil {
				return err
			}
			return webhook.CommitTx(ctx, tx)
		})
	}
	app.Copy = func(ctx context.Context, product, version, fence int64) error {
		return in.Transact(ctx, func(tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, `INSERT INTO copy VALUES (?1, ?2, ?3)
				ON CONFLICT (id) DO UPDATE SET version = ?2, fence = ?3 WHERE fence <= ?3`, product, version, fence)
			return err
		})
	}
	return app, nil
}
