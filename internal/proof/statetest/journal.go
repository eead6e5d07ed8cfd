package statetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/sqljournal"
)

const (
	appTable = "CREATE TABLE IF NOT EXISTS commerce_category (key TEXT NOT NULL, record TEXT NOT NULL)"
	appRow   = "INSERT INTO commerce_category (key, record) VALUES ($1, $2)"
)

func journal() Row {
	return Row{
		Name:    "journal",
		Rules:   journalRules(),
		Tables:  []string{"commerce_intent", "commerce_category"},
		Schema:  appTable,
		Calls:   true,
		Forgets: true,
		Expire:  "UPDATE commerce_intent SET until = 1 WHERE ended = 0",
		Ends:    "SELECT until FROM commerce_intent WHERE ended = 0", Term: sqljournal.DefaultTerm,
		Claim: `INSERT INTO commerce_intent (name, store, path, key, id, after_id, since, holder, taken, until, term,
			ended, record) VALUES ('imports', 7, '/categories', 'act %d', '01ARZ3NDEKTSV4RRFFQ69G5FAV', 0, 0, 'another', 1, $1,
			60000000, 0, '')`,
		Damage: &Damage{
			Row:   "UPDATE commerce_intent SET id = 'act 1, no ULID' WHERE key = 'act 1'",
			Names: "act 1", Scan: scanIntents,
		},
		Open: func(w *World, db *sql.DB) Face {
			f := &journalFace{w, &sqljournal.Journal[client.Category]{DB: db, Name: "imports", Prefix: w.Prefix, App: w.App}}
			f.OnEnd = f.onEnd
			return f
		},
	}
}

// journalFace creates a category for each act, as client.Once does, and writes a row of the app about it.
type journalFace struct {
	w *World
	*sqljournal.Journal[client.Category]
}

func (f *journalFace) onEnd(ctx context.Context, tx *sql.Tx, in client.Intent, made *client.Category) error {
	if _, err := tx.ExecContext(ctx, f.w.own(appRow), in.Key, made.ID.String()); err != nil {
		return err
	}
	return f.w.call()
}

func (f *journalFace) Act(ctx context.Context, n int) error {
	var held error
	for {
		err := f.create(ctx, n)
		if err != nil && ctx.Err() != nil {
			return errors.Join(err, held)
		}
		if held = err; !errors.Is(err, sqljournal.ErrHeld) {
			return err
		}
		select { // another process creates it
		case <-ctx.Done():
			return err
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// create creates the category of an act, unless the journal has it.
func (f *journalFace) create(ctx context.Context, n int) error {
	in, begun := intent(fmt.Sprint("act ", n)), true
	err := f.Begin(ctx, in)
	if taken, ok := errors.AsType[*sqljournal.TakenError](err); ok {
		if !taken.Open {
			return nil
		}
		in, begun, err = taken.Intent, false, nil
	}
	if err != nil {
		return err
	}
	held, release, err := f.Hold(ctx, in, begun)
	if err != nil {
		return err
	}
	defer release()
	made := 0
	if !begun { // its record may have been created
		if made, err = f.w.done(held, "created %d.", n); err != nil {
			return err
		}
	}
	if made == 0 {
		if err := f.w.do(held, "created %d.", n); err != nil {
			return err
		}
	}
	return f.End(held, in, record(client.ID(n+1)))
}

func (f *journalFace) Has(ctx context.Context, n int) (bool, error) {
	var ended, ofApp int
	key := fmt.Sprint("act ", n)
	const intents = "SELECT count(*) FROM commerce_intent WHERE app = $1 AND key = $2 AND ended > 0"
	err := f.DB.QueryRowContext(ctx, f.w.sql(intents), f.App, key).Scan(&ended)
	if err == nil {
		const categories = "SELECT count(*) FROM commerce_category WHERE key = $1"
		err = f.DB.QueryRowContext(ctx, f.w.own(categories), key).Scan(&ofApp)
	}
	if err != nil {
		return false, err
	}
	made, err := f.w.done(ctx, "created %d.", n)
	if err == nil && (ended != ofApp || ended > made || made > 1) {
		err = fmt.Errorf("%d intents have ended, the app has %d rows, and %d records were created", ended, ofApp, made)
	}
	return ended == 1, err
}

// scanIntents reads all intents as it reads open ones.
func scanIntents(ctx context.Context, f Face) (all int, failed error) {
	j := f.(*journalFace)
	if _, err := j.DB.ExecContext(ctx, j.w.sql("UPDATE commerce_intent SET ended = 0, until = 1")); err != nil {
		return 0, err
	}
	for _, err := range j.Journal.Open(ctx) {
		if failed = errors.Join(failed, err); err == nil {
			all++
		}
	}
	_, err := j.DB.ExecContext(ctx, j.w.sql("UPDATE commerce_intent SET ended = 1"))
	return all, errors.Join(failed, err)
}

// journalWorld is a database that has the tables.
type journalWorld struct {
	Engine
	address string
	DB      *sql.DB
}

// journalRules are the rules of client/sqljournal alone.
func journalRules() []rule {
	all := []rule{{"Clock", clockOfJournal}}
	for name, test := range map[string]func(*testing.T, *journalWorld){
		"Begin": beginsOnce, "BeginRefuses": beginRefuses, "BeginAgain": beginsAgain, "Names": journalsByName,
		"End": endsOnce, "EndWithout": endsWithout, "EndOfWhatIsGone": endsAGoneIntent, "OnEnd": callsOnEnd, "EndTx": endsInTx,
		"Hold": holdsOne, "HoldIsLost": holdIsLost, "HoldIsRenewed": holdIsRenewed, "Release": releases,
		"Open": opensPages, "ResumeAll": resumesAll, "Prune": prunesIntents, "Values": keepsValues, "Tables": journalSchema,
		"KilledInStatement": killedInStatement, "Lost": losesIntents,
	} {
		all = append(all, rule{name, func(t *testing.T, e Engine) {
			w := &journalWorld{Engine: e, address: e.New(t)}
			w.DB = e.opened(t, w.address)
			if err := w.journal("imports").Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			test(t, w)
		}})
	}
	return all
}

func (w *journalWorld) journal(name string) *sqljournal.Journal[client.Category] {
	return &sqljournal.Journal[client.Category]{DB: w.DB, Name: name}
}

// expire makes all claims and rests end, as Term does.
func (w *journalWorld) expire(t *testing.T) {
	t.Helper()
	exec(t, w.DB, "UPDATE commerce_intent SET until = 1 WHERE ended = 0")
}

// begun returns an intent that has begun.
func begun(t *testing.T, j *sqljournal.Journal[client.Category], key string) client.Intent {
	t.Helper()
	in := intent(key)
	if err := j.Begin(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	return in
}

// intent returns a new intent.
func intent(key string) client.Intent {
	since := time.Unix(1_700_000_000, 0).UTC()
	return client.Intent{ID: ulid.Make(), StoreID: 7, Path: "/categories", Key: key, After: 41, Since: since}
}

func record(id client.ID) *client.Category { return &client.Category{ID: id} }
