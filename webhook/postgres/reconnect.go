package postgres

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

const (
	readOnly    = "25006" // the server is a standby, or was made read only
	stalePlan   = "0A000" // a table has changed since the statement was prepared
	staleRow    = "42804" // a table has changed since a function was first called
	idleSession = "57P05" // the server ended the session before it received the statement
	idleInTx    = "25P03" // the server ended the transaction
	noStatement = "26000" // the prepared statement is missing in this session
	twice       = "42P05" // the statement is already prepared in this session
)

// unfit reports whether a connection must not be used after an error. Its server has become read only, is stopping or
// starting, a pooler has lost it, or its prepared statements are stale. All connections of the pool were made at about
// the same time, so they have the same fault.
func unfit(err error) bool {
	var refused *pgconn.PgError
	if !errors.As(err, &refused) || len(refused.Code) != 5 {
		return false
	}
	switch refused.Code {
	case readOnly, stalePlan, staleRow, noStatement, twice,
		"57P01", "57P02", "57P03": // the server is stopped, has crashed, or does not take connections yet
		return true
	}
	return refused.Code[:2] == "08" // a connection failed, perhaps that of a pooler
}

// idled reports whether the server had ended the session of a connection, or its transaction, because it was idle.
func idled(err error) bool {
	code := codeOf(err)
	return code == idleSession || code == idleInTx
}

// repeatable reports whether a transaction has changed nothing and may succeed on another connection.
func repeatable(err error) bool {
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		switch refused.Code {
		case readOnly, stalePlan, staleRow, idleSession, idleInTx, noStatement, twice, deadlock:
			return true
		}
	}
	return pgconn.SafeToRetry(err) // a connection of the pool that died while idle
}

// reconnects is when the connections were last closed.
type reconnects struct {
	mu     sync.Mutex
	last   time.Time
	listen context.CancelFunc // ends the connection that listens; nil if there is none
}

// reconnectPause is the least time between two resets of the pool because of the server. Until the address leads to a
// server that accepts writes, each call may reach one that does not.
const reconnectPause = time.Second

// reconnect closes the connections of the pool, those in use when they are returned, and the listening one. Otherwise
// each of them would fail once, and pgx keeps a connection for an hour.
func (in *Inbox) reconnect(err error) {
	r := &in.reconnects
	r.mu.Lock()
	defer r.mu.Unlock()
	var refused *pgconn.PgError
	outdated := errors.As(err, &refused) && (refused.Code == stalePlan || refused.Code == staleRow)
	if !outdated && !r.last.IsZero() && time.Since(r.last) < reconnectPause {
		return
	}
	r.last = time.Now()
	in.pool.Reset()
	if r.listen != nil && !outdated {
		r.listen()
	}
}

// listening returns a context that ends when the connections are closed.
func (in *Inbox) listening() (context.Context, context.CancelFunc) {
	r := &in.reconnects
	r.mu.Lock()
	defer r.mu.Unlock()
	ctx, cancel := context.WithCancel(in.ctx)
	r.listen = cancel
	return ctx, cancel
}
