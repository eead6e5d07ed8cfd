package statetest

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"sync/atomic"
)

// fate is what happens at a statement.
type fate string

const (
	diesBefore fate = "the process dies before"
	diesAfter  fate = "the process dies after"
	answerLost fate = "the answer is lost of"
)

var errCut = errors.New("the connection was reset")

// cut is the way of a process to a database, in which something happens at a statement. A process that has died
// executes nothing any more.
type cut struct {
	db   *sql.DB
	fate fate
	at   int32 // the statement, from 1
	died func()

	statements atomic.Int32
	dead       atomic.Bool
}

func (c *cut) Driver() driver.Driver { return c.db.Driver() }

func (c *cut) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	through := &cutConn{cut: c, conn: conn}
	return through, conn.Raw(func(raw any) error {
		through.Conn = raw.(driver.Conn)
		return nil
	})
}

// statement executes a statement, unless it is not to be.
func (c *cut) statement(execute func() error) error {
	if c.dead.Load() {
		return errCut
	}
	here := c.statements.Add(1) == c.at
	if here && c.fate == diesBefore {
		c.die()
		return errCut
	}
	if err := execute(); err != nil || !here {
		return err
	}
	if c.fate == diesAfter {
		c.die()
	}
	return errCut
}

func (c *cut) die() {
	c.dead.Store(true)
	c.died()
}

// cutConn is a connection of a cut.
type cutConn struct {
	driver.Conn
	cut  *cut
	conn *sql.Conn
}

func (c *cutConn) Close() error {
	c.buried()
	return c.conn.Close()
}

// buried ends the session if the process has died, which rolls its transaction back.
func (c *cutConn) buried() {
	if c.cut.dead.Load() {
		_ = c.conn.Raw(func(any) error { return driver.ErrBadConn })
	}
}

func (c *cutConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (rows driver.Rows, err error) {
	err = c.cut.statement(func() error {
		rows, err = c.Conn.(driver.QueryerContext).QueryContext(ctx, query, args)
		return err
	})
	if err != nil && rows != nil {
		_ = rows.Close() // the answer is lost
	}
	return rows, err
}

func (c *cutConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (result driver.Result, err error) {
	err = c.cut.statement(func() error {
		result, err = c.Conn.(driver.ExecerContext).ExecContext(ctx, query, args)
		return err
	})
	return result, err
}

func (c *cutConn) BeginTx(ctx context.Context, o driver.TxOptions) (tx driver.Tx, err error) {
	err = c.cut.statement(func() error {
		tx, err = c.Conn.(driver.ConnBeginTx).BeginTx(ctx, o)
		return err
	})
	if err != nil && tx != nil {
		_ = tx.Rollback() // nobody else can
	}
	return cutTx{tx, c}, err
}

type cutTx struct {
	driver.Tx
	*cutConn
}

func (t cutTx) Commit() error {
	defer t.buried()
	return t.cut.statement(t.Tx.Commit)
}

func (t cutTx) Rollback() error {
	if t.cut.dead.Load() {
		t.buried()
		return errCut
	}
	return t.Tx.Rollback()
}
