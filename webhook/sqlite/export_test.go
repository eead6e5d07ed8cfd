package sqlite

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing/fstest"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
)

// ReadSQL are the statements that do not go through the collector, but for those that count and those of marks.
var ReadSQL = []string{nextSQL, nextWithoutSQL, lackingSQL, deadSQL}

// TurnSQL are the statements about turns that the collector runs.
var TurnSQL = []string{firstsSQL, firstTurnSQL, touchInTurnSQL, emptySQL, turnsSQL, restSQL, lastSQL, giveSQL, lackSQL, touchSQL, freeSQL}

// PruneSQL forgets facts.
const PruneSQL = pruneSQL

// Statements returns those that the collector has run.
func (in *Inbox) Statements(ctx context.Context) (all []string, err error) {
	err = in.write(ctx, "statements", func(t *transaction) error {
		all = slices.Collect(maps.Keys(t.q.(prepared).stmts))
		return nil
	})
	return all, err
}

// OpenOn opens an inbox on a layer of files that a test has registered.
func OpenOn(ctx context.Context, path, layer string, o Options) (*Inbox, error) {
	return open(ctx, path, layer, o, migrations)
}

// OpenNext opens an inbox as the next release does, which has one more migration.
func OpenNext(ctx context.Context, path string, script []byte) (*Inbox, error) {
	first, err := migrations.ReadFile("migrations/0001.sql")
	if err != nil {
		return nil, err
	}
	next := fstest.MapFS{"migrations/0001.sql": {Data: first}, "migrations/0002.sql": {Data: script}}
	return open(ctx, path, "", Options{}, next)
}

// Create makes a file, and SyncDirectory syncs a directory.
var (
	Create        = create
	SyncDirectory = syncDirectory
)

// Patient repeats what is busy.
var Patient = patient

// WriteTooLate is a write that was handed over when the collector had looked for the last time.
func WriteTooLate(ctx context.Context) error {
	in := &Inbox{calls: make(chan *call, 1), closing: make(chan struct{}), done: make(chan struct{})}
	close(in.done)
	return in.write(ctx, "accept", func(*transaction) error { return nil })
}

// Path is the name of the file.
func (in *Inbox) Path() string { return in.place.path }

// What compares entries, lanes and counters with the indexes, and finds rows that are older than an index says.
const (
	PatrolSQL     = patrolSQL
	OlderSQL      = olderSQL
	CountsSQL     = countsSQL
	TurnlessSQL   = turnlessSQL
	LanesAfterSQL = lanesAfterSQL
	StartSQL      = startSQL
)

// Lacking returns the stores that lack a turn.
func (in *Inbox) Lacking(ctx context.Context) ([]int64, error) {
	in.looked.mu.Lock()
	in.looked.at, in.looked.last = time.Time{}, firstStore
	in.looked.mu.Unlock()
	return in.lacking(ctx)
}

// BrowseSQL returns the statements of Browse for a filter, with their values.
func (in *Inbox) BrowseSQL(f webhook.EntryFilter) (statements []string, values []any) {
	b, _ := in.browsed(f, "after", 1)
	bound := fmt.Sprintf(boundSQL, b.from+b.to)
	b.end("last")
	b.set("limit", 1)
	b.set("step", 1)
	return []string{bound, fmt.Sprintf(pageSQL, b.from+b.to+" AND "+b.filter)}, b.values
}
