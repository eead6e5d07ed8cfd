package journaltest

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
)

var errLost = errors.New("the connection was reset")

// loser connects to a database, and loses the answers to statements that change something, and of commits.
type loser struct {
	db    *sql.DB
	loses atomic.Int32 // how many more
}

func (l *loser) Driver() driver.Driver { return l.db.Driver() }

func (l *loser) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := l.db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	c := &losing{loser: l, conn: conn}
	return c, conn.Raw(func(raw any) error {
		c.Conn = raw.(driver.Conn)
		return nil
	})
}

func (l *loser) answer(err error) error {
	if err == nil && l.loses.Add(-1) >= 0 {
		return errLost
	}
	return err
}

// losing is a connection of a loser.
type losing struct {
	driver.Conn
	loser *loser
	conn  *sql.Conn
}

func (c *losing) Close() error { return c.conn.Close() }

func (c *losing) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	return c.Conn.(driver.QueryerContext).QueryContext(ctx, query, args)
}

func (c *losing) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	result, err := c.Conn.(driver.ExecerContext).ExecContext(ctx, query, args)
	return result, c.loser.answer(err)
}

func (c *losing) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	tx, err := c.Conn.(driver.ConnBeginTx).BeginTx(ctx, o)
	return losingTx{tx, c.loser}, err
}

type losingTx struct {
	driver.Tx
	loser *loser
}

func (t losingTx) Commit() error { return t.loser.answer(t.Tx.Commit()) }

// answersAreLost: what was done is not done again, and is no failure.
func answersAreLost(t *testing.T, w *world) {
	w.exec(t, appTable)
	l := &loser{db: w.opened(t)}
	db := sql.OpenDB(l)
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	j := w.journal("imports")
	j.DB = db
	lose := func(n int32, do func() error) {
		t.Helper()
		l.loses.Store(n)
		if err := do(); err != nil {
			t.Error(err)
		}
		if l.loses.Load() > 0 {
			t.Error("no answer was lost")
		}
	}
	in, refused := intent("7"), intent("8")
	lose(1, func() error { return j.Begin(t.Context(), in) })
	lose(1, func() error { return j.End(t.Context(), in, record(55)) })
	w.has(t, allEnded, "7 55")
	lose(1, func() error { return j.Begin(t.Context(), refused) })
	w.expire(t)
	lose(1, func() error {
		_, release, err := j.Hold(t.Context(), refused, false)
		if err == nil {
			release()
		}
		return err
	})
	lose(1, func() error { return j.End(t.Context(), refused, nil) })
	w.has(t, allOpen)

	calls := 0
	j.OnEnd = func(ctx context.Context, tx *sql.Tx, in client.Intent, made *client.Category) error {
		_, err := tx.ExecContext(ctx, appRow, in.Key, made.ID.String())
		if calls++; calls == 1 {
			l.loses.Store(1) // of the commit, after this
		}
		return err
	}
	ended := begun(t, j, "9")
	if err := j.End(t.Context(), ended, record(57)); err != nil {
		t.Error(err)
	}
	w.has(t, appRows, "9 57")
	w.has(t, allEnded, "7 55", "9 57")

	l.loses.Store(2)
	if err := j.Begin(t.Context(), intent("10")); !errors.Is(err, errLost) {
		t.Errorf("got %v, want the error of the database", err)
	}
}
