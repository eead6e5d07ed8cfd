package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// DefaultChannel is that of a Broadcast.
const DefaultChannel = "commerce_broadcast"

// mostNote is the most that PostgreSQL takes as the payload of a notification, in bytes.
const mostNote = 7999

// sendTime bounds a Send whose context has no deadline.
const sendTime = 10 * time.Second

// Broadcast sends notes to all replicas of an app, by NOTIFY. It is the Broadcast of discounts.Registry:
//
//	registry := &discounts.Registry{Broadcast: &postgres.Broadcast{Pool: pool}, …}
//
// A note is not stored: a replica that does not listen at that moment misses it, and each receives its own notes too.
// Of the fields, Pool is required. All methods are safe for concurrent use. A Broadcast needs no tables.
type Broadcast struct {
	// Pool leads to the database that all replicas have in common. A pooler before it must give each connection its own
	// session (pool_mode = session of PgBouncer): otherwise Receive returns an error. Send works through any.
	Pool *pgxpool.Pool
	// Channel names those who hear each other, in one database: a to z, 0 to 9 and _, at most 51 characters, not
	// beginning with a digit. Give each app its own. Empty means DefaultChannel.
	Channel string
}

func (b *Broadcast) channel() (string, error) {
	switch {
	case b.Pool == nil:
		return "", errors.New("postgres: Broadcast.Pool is nil: it must lead to the database of the replicas")
	case b.Channel == "":
		return DefaultChannel, nil
	case !schemaName.MatchString(b.Channel):
		return "", fmt.Errorf("postgres: Broadcast.Channel %.80q: must be 1 to 51 of a to z, 0 to 9 and _, and not begin with a digit", b.Channel)
	}
	return b.Channel, nil
}

// Send sends a note of 1 to 7,999 bytes of UTF-8 without NUL. It does not wait until anybody has received it.
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

// Receive calls f with the notes of all replicas, this one included, one after another, until ctx ends, and returns nil
// then. It uses a connection of its own. If that is lost, or leads to a server that takes no writes any more, it
// returns an error, and the caller calls it again some seconds later, as Registry does. So it does where the connection
// goes through a pooler that gives each transaction another session. What is sent meanwhile is missed.
//
// f should return soon: what PostgreSQL holds for those who are slow is bounded.
func (b *Broadcast) Receive(ctx context.Context, f func(note string)) error {
	channel, err := b.channel()
	if err != nil {
		return err
	}
	l := &listener{pool: b.Pool, channel: channel, begun: func() {}, heard: f}
	err = l.listen(ctx)
	if ctx.Err() != nil {
		return nil
	}
	return failed("receive notes", err)
}
