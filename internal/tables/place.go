package tables

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"reflect"
	"time"
)

// ErrMoved says that tables are in another place than before, so they may have been restored to an earlier point in
// time.
var ErrMoved = errors.New("the tables were restored, copied, or taken over by another server")

// Move is a change of the place of tables. The place is the server, its timeline and the table on PostgreSQL, and the
// inode of the file on SQLite. A snapshot of a disk, or a backup that is written into the same file, leaves no trace.
type Move struct {
	At     time.Time // when it was noticed, by the clock of the database; zero means that nothing was
	Newest time.Time // of Set.Newest at that time; zero if there were no rows
}

const (
	placeSQL  = `SELECT package, place, moved, newest FROM commerce_version WHERE package = $1`
	movedSQL  = `UPDATE commerce_version SET place = $1, moved = $2, newest = $3 WHERE package = $4 AND place = $5`
	settleSQL = `UPDATE commerce_version SET moved = 0, newest = 0 WHERE package = $1`

	// serverSQL has the timeline from the name of a log file, because pg_control_checkpoint shows a failover late.
	serverSQL = `SELECT CASE WHEN pg_is_in_recovery() THEN '' ELSE (SELECT system_identifier FROM pg_control_system()) || '/' ||
left(pg_walfile_name(pg_current_wal_lsn()), 8) || '/' || '%s'::regclass::oid END`
	tableSQL = `SELECT CASE WHEN pg_is_in_recovery() THEN '' ELSE '/' || '%s'::regclass::oid END`
	fileSQL  = `SELECT file FROM pragma_database_list WHERE name = 'main'`
)

// errStandby has the SQLSTATE of a server that is read-only.
type errStandby struct{}

func (errStandby) Error() string    { return "the server is a standby" }
func (errStandby) SQLState() string { return readOnly }

// Moved notes the place of the tables, and returns their last move that is not settled.
func (t Tables) Moved(ctx context.Context) (m Move, err error) {
	err = each(ctx, t.DB, func(db DB) error {
		m, err = t.Set.notice(ctx, db, t.Prefix)
		return err
	})
	return m, err
}

// notice compares the place of the tables with the noted one. A move is logged once, by the process that notes it.
func (s Set) notice(ctx context.Context, db DB, prefix string) (Move, error) {
	if s.Restored == "" {
		return Move{}, nil
	}
	is, err := placeOf(ctx, db, Rename(prefix, s.Apps))
	if err != nil {
		return Move{}, fmt.Errorf("%s: place of the tables: %w", s.Package, err)
	}
	type noted struct {
		place         string
		moved, newest int64
	}
	was, there, err := One(ctx, db, Rename(prefix, placeSQL), []any{s.Package}, func(scan Scan) (n noted, err error) {
		err = scan(&s.Package, &n.place, &n.moved, &n.newest)
		return n, err
	})
	if err != nil || !there {
		return Move{}, err
	}
	if is != "" && is != was.place {
		now := was
		if was.place != "" {
			if now.moved, now.newest, err = s.newest(ctx, db, prefix); err != nil {
				return Move{}, err
			}
			if was.moved > 0 {
				now.newest = min(now.newest, was.newest)
			}
		}
		n, err := Tables{Prefix: prefix}.Exec(ctx, db, movedSQL, is, now.moved, now.newest, s.Package, was.place)
		if err != nil {
			return Move{}, err
		}
		if was = now; n > 0 && was.moved > 0 {
			slog.Default().Warn(s.Package+": the tables were restored or copied", "error", s.moved(move(was.moved, was.newest)))
		}
	}
	return move(was.moved, was.newest), nil
}

func move(moved, newest int64) (m Move) {
	if moved > 0 {
		m.At = time.UnixMicro(moved).UTC()
	}
	if newest > 0 {
		m.Newest = time.UnixMicro(newest).UTC()
	}
	return m
}

// moved returns the error of a move, nil if there is none.
func (s Set) moved(m Move) error {
	if m.At.IsZero() {
		return nil
	}
	return fmt.Errorf("%s: %w, noticed at %s: if that was a restore to an earlier point in time, %s",
		s.Package, ErrMoved, m.At.Format(time.RFC3339), s.Restored)
}

// newest returns the time of the database, and Newest.
func (s Set) newest(ctx context.Context, db DB, prefix string) (now, newest int64, err error) {
	at, err := Clock(ctx, db)
	if err != nil || s.Newest == "" {
		return at.UnixMicro(), 0, err
	}
	newest, _, err = One(ctx, db, Rename(prefix, s.Newest), nil, Value[int64])
	return at.UnixMicro(), newest, err
}

// placeOf returns the place of a table, empty if it is unknown.
func placeOf(ctx context.Context, db DB, table string) (string, error) {
	const noRight, noFeature, noFunction = "42501", "0A000", "42883"
	place, _, err := One(ctx, db, fmt.Sprintf(serverSQL, table), nil, Value[string])
	switch state := stateOf(err); state {
	case noRight, noFeature, noFunction: // some services do not have these functions
		place, _, err = One(ctx, db, fmt.Sprintf(tableSQL, table), nil, Value[string])
	case "":
		if err != nil && ctx.Err() == nil {
			return placeOfFile(ctx, db)
		}
	}
	if err == nil && place == "" {
		err = errStandby{}
	}
	return place, err
}

func placeOfFile(ctx context.Context, db DB) (string, error) {
	file, _, err := One(ctx, db, fileSQL, nil, Value[sql.NullString])
	if err != nil || file.String == "" {
		return "", err
	}
	info, err := os.Stat(file.String)
	if err != nil {
		return "", nil // a file layer of SQLite has names of its own
	}
	return FileID(info), nil
}

// FileID returns the inode of a file, empty if the system has none.
func FileID(info os.FileInfo) string {
	system := reflect.Indirect(reflect.ValueOf(info.Sys()))
	if system.Kind() != reflect.Struct {
		return ""
	}
	if inode := system.FieldByName("Ino"); inode.IsValid() && inode.CanUint() {
		return fmt.Sprint("file ", inode.Uint())
	}
	return ""
}
