package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	// relisten is how long a process that lost its connection waits before it listens again.
	relisten = time.Second
	// listenCheck is how often a connection without notifications is checked. A half-open connection returns no error,
	// and a connection to a server that a failover has replaced receives no notifications.
	listenCheck = 10 * time.Second
)

// errPooler ends listening, because there is no session in which to listen.
var errPooler = errors.New("a pooler gives each transaction another session, so notifications of other processes do not arrive here: " +
	"connect the pool to the server itself, or to a pooler with pool_mode = session")

// listenOn wakes waiting calls when another process has changed an entry, as long as there is a connection.
func (in *Inbox) listenOn() {
	for in.ctx.Err() == nil {
		if err := in.listenOnce(); errors.Is(err, errPooler) {
			in.report(fmt.Errorf("%w; the inbox looks for entries every second instead", err))
			return
		}
		in.wake.all() // notifications may have been missed
		select {
		case <-time.After(relisten):
		case <-in.ctx.Done():
		}
	}
}

// listenOnce returns when its connection is lost or unusable.
func (in *Inbox) listenOnce() error {
	ctx, cancel := in.listening()
	defer cancel()
	l := &listener{pool: in.pool, channel: in.options.channel(), begun: in.wake.all, heard: func(queue string) {
		if queue == in.options.Queue {
			in.wake.all()
		}
	}}
	return l.listen(ctx)
}

// listener receives the notifications of a channel.
type listener struct {
	pool    *pgxpool.Pool // connects to the same server
	channel string
	begun   func() // earlier notifications are missed
	heard   func(payload string)
}

// listen returns when its connection is lost or unusable. The connection is not one of the pool, because an idle
// listener would occupy it forever.
func (l *listener) listen(ctx context.Context) error {
	conn, err := l.connect(ctx)
	if err != nil {
		return err
	}
	defer hangUp(ctx, conn)
	switch wanders, err := wanders(ctx, l.pool, conn); {
	case err != nil:
		return err
	case wanders:
		return errPooler
	}
	return l.hear(ctx, conn)
}

// hear returns when the connection has failed.
func (l *listener) hear(ctx context.Context, conn *pgx.Conn) error {
	// The session is idle until a notification arrives. Servers before 14 have no such limit.
	for _, statement := range []string{
		"SELECT set_config('client_encoding', 'UTF8', false)",
		"SELECT set_config(name, '0', false) FROM pg_catalog.pg_settings WHERE name = 'idle_session_timeout'",
	} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return err
		}
	}
	first, err := l.site(ctx, conn)
	if err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, "LISTEN "+pgx.Identifier{l.channel}.Sanitize()); err != nil {
		return err
	}
	l.begun()
	for {
		wait, cancel := context.WithTimeout(ctx, listenCheck)
		n, err := conn.WaitForNotification(wait)
		cancel()
		switch {
		case err == nil:
			l.heard(n.Payload)
		case ctx.Err() != nil || conn.IsClosed():
			return err
		default:
			if err := l.stays(ctx, conn, first); err != nil {
				return err
			}
		}
	}
}

// site identifies the server of a connection.
type site struct {
	process  uint32 // of the server
	started  int64  // of the server, in microseconds
	readOnly string // whether it rejects writes: on or off
	hears    bool   // whether it listens
}

func (l *listener) site(ctx context.Context, db querier) (s site, err error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	err = db.QueryRow(ctx, `SELECT pg_backend_pid()::bigint, (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint,
		current_setting('transaction_read_only'), EXISTS (SELECT FROM pg_listening_channels() AS c (channel) WHERE c.channel = $1)`,
		pgx.QueryExecModeExec, l.channel).Scan(&s.process, &s.started, &s.readOnly, &s.hears)
	return s, err
}

var errElsewhere = errors.New("the listening connection is to another server than the pool, or to one that rejects writes")

// stays returns why a connection is no longer usable, or nil.
func (l *listener) stays(ctx context.Context, conn *pgx.Conn, first site) error {
	now, err := l.site(ctx, conn)
	switch {
	case err != nil:
		return err
	case now.process != first.process || !now.hears:
		return errPooler
	}
	pool, err := l.site(ctx, l.pool)
	switch {
	case err != nil: // this does not concern the connection
		return nil
	case now.readOnly == "on" || now.started != pool.started:
		return errElsewhere
	}
	return nil
}

// connect makes a connection. A server that does not answer in time may have been replaced, so another attempt begins.
func (l *listener) connect(ctx context.Context) (*pgx.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	return connect(ctx, l.pool)
}

// connect makes a connection as the pool would.
func connect(ctx context.Context, pool *pgxpool.Pool) (*pgx.Conn, error) {
	config := pool.Config()
	if config.BeforeConnect != nil {
		if err := config.BeforeConnect(ctx, config.ConnConfig); err != nil {
			return nil, err
		}
	}
	return pgx.ConnectConfig(ctx, config.ConnConfig)
}
