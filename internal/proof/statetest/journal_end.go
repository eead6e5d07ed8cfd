package statetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/sqljournal"
)

const (
	appRows  = "SELECT key || ' ' || record FROM commerce_category ORDER BY key"
	allEnded = "SELECT key || ' ' || record FROM commerce_intent WHERE ended > 0 ORDER BY key"
	allOpen  = "SELECT key FROM commerce_intent WHERE ended = 0 ORDER BY key"
)

func endsOnce(t *testing.T, w *journalWorld) {
	j := w.journal("imports")
	in := begun(t, j, "7")
	for range 2 {
		if err := j.End(t.Context(), in, record(55)); err != nil {
			t.Fatal(err)
		}
	}
	has[string](t, w.DB, allEnded, "7 55")
	err := j.End(t.Context(), in, record(56))
	if taken, ok := errors.AsType[*sqljournal.TakenError](err); !ok || taken.Record != "55" {
		t.Errorf("a second record: got %v, want the first", err)
	}
	err = j.End(t.Context(), in, nil)
	if taken, ok := errors.AsType[*sqljournal.TakenError](err); !ok || taken.Record != "55" {
		t.Errorf("no record after one: got %v, want the record", err)
	}
	has[string](t, w.DB, allEnded, "7 55")
	named := w.journal("imports")
	named.ID = func(c *client.Category) string { return fmt.Sprintf("category-%d", c.ID) }
	if err := named.End(t.Context(), begun(t, named, "8"), record(9)); err != nil {
		t.Fatal(err)
	}
	has[string](t, w.DB, allEnded, "7 55", "8 category-9")
}

func endsWithout(t *testing.T, w *journalWorld) {
	j := w.journal("imports")
	first := begun(t, j, "7")
	w.expire(t)
	for range 2 {
		if err := j.End(t.Context(), first, nil); err != nil {
			t.Fatal(err)
		}
	}
	second := begun(t, j, "7")
	if err := j.End(t.Context(), first, nil); err != nil {
		t.Errorf("again: %v", err)
	}
	has[string](t, w.DB, "SELECT id FROM commerce_intent", second.ID.String())
	if err := j.End(t.Context(), second, nil); !errors.Is(err, sqljournal.ErrHeld) {
		t.Errorf("of an intent that another one works on: got %v, want ErrHeld", err)
	}
	has[string](t, w.DB, allOpen, "7")
}

// endsAGoneIntent: another process took the intent, and was refused, while the first had made the record.
func endsAGoneIntent(t *testing.T, w *journalWorld) {
	j := w.journal("imports")
	in := begun(t, j, "7")
	w.expire(t)
	if err := j.End(t.Context(), in, nil); err != nil {
		t.Fatal(err)
	}
	if err := j.End(t.Context(), in, record(55)); err != nil {
		t.Fatal(err)
	}
	has[string](t, w.DB, allEnded, "7 55")
	gone := begun(t, j, "8")
	w.expire(t)
	if err := j.End(t.Context(), gone, nil); err != nil {
		t.Fatal(err)
	}
	other := begun(t, j, "8")
	err := j.End(t.Context(), gone, record(56))
	if taken, ok := errors.AsType[*sqljournal.TakenError](err); !ok || taken.Intent != other {
		t.Errorf("the key has another intent: got %v, want a TakenError with it", err)
	}
}

func callsOnEnd(t *testing.T, w *journalWorld) {
	exec(t, w.DB, appTable)
	j := w.journal("imports")
	full, calls := errors.New("disk full"), 0
	j.OnEnd = func(ctx context.Context, tx *sql.Tx, in client.Intent, made *client.Category) error {
		calls++
		id := "refused"
		if made != nil {
			id = made.ID.String()
		}
		_, err := tx.ExecContext(ctx, appRow, in.Key, id)
		return errors.Join(err, full)
	}
	in := begun(t, j, "7")
	if err := j.End(t.Context(), in, record(55)); !errors.Is(err, full) {
		t.Errorf("got %v, want the error of OnEnd", err)
	}
	has[string](t, w.DB, appRows)
	has[string](t, w.DB, allOpen, "7")
	full, calls = nil, 0
	for range 2 {
		if err := j.End(t.Context(), in, record(55)); err != nil {
			t.Fatal(err)
		}
	}
	has[string](t, w.DB, appRows, "7 55")
	has[string](t, w.DB, allEnded, "7 55")
	refused := begun(t, j, "8")
	w.expire(t)
	for range 2 {
		if err := j.End(t.Context(), refused, nil); err != nil {
			t.Fatal(err)
		}
	}
	has[string](t, w.DB, appRows, "7 55", "8 refused")
	has[string](t, w.DB, allOpen)
	if calls != 2 {
		t.Errorf("OnEnd was called %d times, want once for each end", calls)
	}
}

func endsInTx(t *testing.T, w *journalWorld) {
	exec(t, w.DB, appTable)
	for _, commits := range []bool{false, true} {
		j := w.journal("imports") // a new one looks for its tables in the transaction
		key := fmt.Sprint(commits)
		in := begun(t, j, key)
		j = w.journal("imports")
		tx, err := w.DB.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := j.EndTx(t.Context(), tx, in, record(55)); err != nil {
			t.Fatal(err)
		}
		if _, err := tx.ExecContext(t.Context(), appRow, key, "55"); err != nil {
			t.Fatal(err)
		}
		finish := tx.Rollback
		if commits {
			finish = tx.Commit
		}
		if err := finish(); err != nil {
			t.Fatal(err)
		}
	}
	has[string](t, w.DB, allOpen, "false")
	has[string](t, w.DB, allEnded, "true 55")
	has[string](t, w.DB, appRows, "true 55")
}

// keepsValues: an intent is read as it was written.
func keepsValues(t *testing.T, w *journalWorld) {
	j := w.journal("imports of 'Ünïcode' \"quoted\"")
	for _, in := range []client.Intent{
		intent("'; DROP TABLE commerce_intent; --"), intent("Müller \U0001f600 \n\t"),
		{ID: intent("").ID, StoreID: 1<<63 - 1, Path: "/products/7/images", Key: "least"},
		{
			ID: intent("").ID, StoreID: 1, Path: "/orders", Key: "most", After: 1<<63 - 1,
			Since: time.UnixMicro(1_700_000_000_123_456).UTC(),
		},
	} {
		if err := j.Begin(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		w.expire(t)
		all := openIn(t, j)
		if len(all) != 1 || all[0] != in {
			t.Errorf("got %+v, want %+v", all, in)
		}
		if err := j.End(t.Context(), in, nil); err != nil {
			t.Fatal(err)
		}
	}
}

func prunesIntents(t *testing.T, w *journalWorld) {
	j, other := w.journal("imports"), w.journal("exports")
	const many = 1203
	tx, err := w.DB.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for n := range many {
		if err := j.EndTx(t.Context(), tx, intent(fmt.Sprint(n)), record(client.ID(n+1))); err != nil {
			t.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	for _, j := range []*sqljournal.Journal[client.Category]{j, other} {
		if err := j.End(t.Context(), begun(t, j, "other"), record(1)); err != nil {
			t.Fatal(err)
		}
	}
	begun(t, j, "open")
	exec(t, w.DB, "UPDATE commerce_intent SET ended = 1000000 WHERE ended > 0 AND key <> 'other'")
	if n, err := j.Prune(t.Context(), time.Unix(1, 0)); n != 0 || err != nil {
		t.Errorf("got %d, %v; want none that ended at the time itself", n, err)
	}
	if n, err := j.Prune(t.Context(), time.Unix(2, 0)); n != many || err != nil {
		t.Errorf("got %d, %v; want %d", n, err, many)
	}
	has[string](t, w.DB, allOpen, "open")
	has[string](t, w.DB, "SELECT name FROM commerce_intent WHERE ended > 0 ORDER BY name", "exports", "imports")
}
