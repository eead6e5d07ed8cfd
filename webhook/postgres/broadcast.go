package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// DefaultChannel is the default of Broadcast.Channel.
const DefaultChannel = "commerce_broadcast"

// mostNote is the largest payload of a notification of PostgreSQL, in bytes.
const mostNote = 7999

// sendTime bounds a Send whose context has no deadline.
const sendTime = 10 * time.Second

// Broadcast sends notes to all replicas of an app with NOTIFY. Use it as the Broadcast of discounts.PromotionCache:
//
//	cache := &discounts.PromotionCache{Broadcast: &postgres.Broadcast{Pool: pool}, …}
//
// A note is not stored: a replica that is not listening at that moment misses it. Each replica also receives its own
// notes. Pool must be set. All methods are safe for concurrent use. A Broadcast needs no tables.
type Broadcast struct {
	// Pool connects to the database that all replicas share. A pooler in front of it must give each connection its own
	// session (pool_mode = session of PgBouncer); otherwise Receive returns an error. Send works through any pooler.
	Pool *pgxpool.Pool
	// Channel is the name that the replicas share, in one database: a to z, 0 to 9 and _, at most 51 characters, not
	// beginning with a digit. Give each app its own. Empty means DefaultChannel.
	Channel string
}

func (b *Broadcast) channel() (string, error) {
	switch {
	case b.Pool == nil:
		return "", errors.New("postgres: Broadcast.Pool is nil: must connect to the database of the replicas")
	case b.Channel == "":
		return DefaultChannel, nil
	case !schemaName.MatchString(b.Channel):
		return "", fmt.Errorf("postgres: Broadcast.Channel is %.80q: must be 1 to 51 of a to z, 0 to 9 and _, and not begin with a digit", b.Channel)
	}
	return b.Channel, nil
}

// Send sends a note of 1 to 7,999 bytes of UTF-8 without NUL. It does not wait until a replica has received it.
func (b *Broadcast) Send(ctx context.Context, note string) error {
	channel, err := b.channel()
	if err != nil {
		return err
	}
	if note == "" || len(note) > mostNote || !storable(note) {
		return fmt.Errorf("postgres: note of %d bytes: must be 1 to %d bytes of UTF-8 without NUL", len(note), mostNote)
	}
	ctx, cancel := context.WithTimeout(ctx, sendTime)
	defer cancel()
	if _, err := b.Pool.Exec(ctx, "SELECT pg_notify($1, $2)", pgx.QueryExecModeExec, channel, note); err != nil {
		return failed("send a note", err)
	}
	return nil
}

// Receive calls f with the notes of all replicas, including this one, one after another. When ctx ends, it returns nil.
// It uses a connection of its own. It returns an error if the connection is lost, or if its server no longer accepts
// writes. It also does if the connection goes through a pooler that gives each transaction another session. The caller
// must then call it again a few seconds later, as Registry does. Notes that are sent meanwhile are missed.
//
// f should return soon, because the queue of notifications of PostgreSQL is bounded.
func (b *Broadcast) Receive(ctx context.Context, f func(note string)) error {
	channel, err := b.channel()
	if err != nil {
		return err
	}
	l := &listener{pool: b.Pool, channel: channel, begun: func() {}, heard: f}
	err = l.listen(ctx)
	if over(ctx) {
		return nil
	}
	return failed("receive notes", err)
}

// over reports whether a context has ended. Dialing ends at the deadline too, and may notice it before the context
// does.
func over(ctx context.Context) bool {
	deadline, bounded := ctx.Deadline()
	return ctx.Err() != nil || bounded && !time.Now().Before(deadline)
}
