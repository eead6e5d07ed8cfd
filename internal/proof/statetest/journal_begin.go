package statetest

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/sqljournal"
)

func beginsOnce(t *testing.T, w *journalWorld) {
	j := w.journal("imports")
	in := begun(t, j, "import 7")
	err := j.Begin(t.Context(), intent(in.Key))
	taken, ok := errors.AsType[*sqljournal.TakenError](err)
	if !ok || !errors.Is(err, sqljournal.ErrTaken) || taken.Intent != in || !taken.Open || taken.Record != "" {
		t.Errorf("open: got %v, %+v; want the intent %+v", err, taken, in)
	}
	if err := j.End(t.Context(), in, record(55)); err != nil {
		t.Fatal(err)
	}
	err = j.Begin(t.Context(), intent(in.Key))
	taken, ok = errors.AsType[*sqljournal.TakenError](err)
	if !ok || taken.Intent != in || taken.Open || taken.Record != "55" {
		t.Errorf("ended: got %v, %+v; want the id of the record", err, taken)
	}
	for name, change := range map[string]func(*client.Intent){
		"store": func(in *client.Intent) { in.StoreID++ },
		"path":  func(in *client.Intent) { in.Path += "/1/images" },
		"key":   func(in *client.Intent) { in.Key = "Import 7" },
	} {
		other := intent(in.Key)
		change(&other)
		if err := j.Begin(t.Context(), other); err != nil {
			t.Errorf("another %s: %v", name, err)
		}
	}
}

func beginRefuses(t *testing.T, w *journalWorld) {
	j := w.journal("imports")
	for _, key := range []string{"", "a\x00b", "\xff", strings.Repeat("k", 1025)} {
		if err := j.Begin(t.Context(), intent(key)); err == nil || !strings.Contains(err.Error(), "must be 1 to 1024 bytes") {
			t.Errorf("key %.20q: got %v, want what it must be", key, err)
		}
	}
	if err := j.Begin(t.Context(), intent(strings.Repeat("ü", 512))); err != nil {
		t.Errorf("the longest key: %v", err)
	}
	for want, j := range map[string]*sqljournal.Journal[client.Category]{
		"DB: must be set":        {Name: "imports"},
		"Name \"\": must be":     {DB: w.DB},
		"Term 1s: must be":       {DB: w.DB, Name: "imports", Term: time.Second},
		"Prefix \"A-\": must be": {DB: w.DB, Name: "imports", Prefix: "A-"},
	} {
		if err := j.Begin(t.Context(), intent("a")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	without := &sqljournal.Journal[time.Duration]{DB: w.DB, Name: "imports"}
	if err := without.Begin(t.Context(), intent("a")); err == nil || !strings.Contains(err.Error(), "ID: must be set") {
		t.Errorf("a record without ID: got %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := j.Begin(ended, intent("late")); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context: got %v", err)
	}
	has[string](t, w.DB, "SELECT key FROM commerce_intent WHERE key = 'late'")
}

func beginsAgain(t *testing.T, w *journalWorld) {
	j := w.journal("imports")
	in := begun(t, j, "import 7")
	if err := j.Begin(t.Context(), in); err != nil {
		t.Errorf("the same intent: %v", err)
	}
	has[string](t, w.DB, "SELECT id FROM commerce_intent", in.ID.String())
}

// journalsByName: journals with other names do not see each other's intents.
func journalsByName(t *testing.T, w *journalWorld) {
	one, two := w.journal("imports"), w.journal("exports")
	begun(t, one, "7")
	begun(t, two, "7")
	w.expire(t)
	for _, j := range []*sqljournal.Journal[client.Category]{one, two} {
		if all := openIn(t, j); len(all) != 1 {
			t.Errorf("%s: %d open, want its own", j.Name, len(all))
		}
	}
}

func journalSchema(t *testing.T, w *journalWorld) {
	mine := w.journal("imports")
	mine.Prefix = "mine_"
	if err := mine.Begin(t.Context(), intent("a")); !errors.Is(err, sqljournal.ErrNoTables) {
		t.Errorf("without tables: got %v, want ErrNoTables", err)
	}
	exec(t, w.DB, mine.Schema())
	if err := mine.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	begun(t, mine, "a")
	has[string](t, w.DB, "SELECT key FROM mine_intent", "a")
	has[string](t, w.DB, "SELECT key FROM commerce_intent")
	exec(t, w.DB, "UPDATE mine_version SET version = 2, compatible_from = 2")
	later := w.journal("imports")
	later.Prefix = "mine_"
	if err := later.Begin(t.Context(), intent("b")); !errors.Is(err, sqljournal.ErrNewerSchema) {
		t.Errorf("tables of a later release: got %v, want ErrNewerSchema", err)
	}
}
