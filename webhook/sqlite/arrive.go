package sqlite

import (
	"context"
	"fmt"

	"github.com/commerceplatform/commerce-go/internal/tables"
)

const noteFileSQL = `INSERT INTO inbox_file (one, id) VALUES (1, ?1)
ON CONFLICT (one) DO UPDATE SET id = excluded.id WHERE id = ?2`

// arrive notes the file, and reports once if the tables were in another one, as after a restore. A table that cannot be
// read is left to the checks for damage.
func (in *Inbox) arrive(ctx context.Context) error {
	is, was := tables.FileID(in.place.files[0]), ""
	const noted = "SELECT coalesce(max(id), '') FROM inbox_file"
	if err := in.db.QueryRowContext(ctx, noted).Scan(&was); err != nil || is == "" || is == was {
		return ctx.Err()
	}
	result, err := in.writer.ExecContext(ctx, noteFileSQL, is, was)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); n == 0 || was == "" {
		return err
	}
	in.report(fmt.Errorf("the tables were in another file when they were last opened: after a restore to an earlier point in time, " +
		"deliveries are missing: run a Sweep, and compare all records once"))
	return nil
}
