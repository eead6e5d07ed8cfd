package journaltest

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/sqljournal"
	"github.com/commerceplatform/commerce-go/internal/proctest"
)

func begin(t *testing.T, w *world) {
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

func beginRefuses(t *testing.T, w *world) {
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
		"Name \"\": must be":     {DB: w.db},
		"Term 1s: must be":       {DB: w.db, Name: "imports", Term: time.Second},
		"Prefix \"A-\": must be": {DB: w.db, Name: "imports", Prefix: "A-"},
	} {
		if err := j.Begin(t.Context(), intent("a")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	without := &sqljournal.Journal[time.Duration]{DB: w.db, Name: "imports"}
	if err := without.Begin(t.Context(), intent("a")); err == nil || !strings.Contains(err.Error(), "ID: must be set") {
		t.Errorf("a record without ID: got %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := j.Begin(ended, intent("late")); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context: got %v", err)
	}
	w.has(t, "SELECT key FROM commerce_intent WHERE key = 'late'")
}

func beginAgain(t *testing.T, w *world) {
	j := w.journal("imports")
	in := begun(t, j, "import 7")
	if err := j.Begin(t.Context(), in); err != nil {
		t.Errorf("the same intent: %v", err)
	}
	w.has(t, "SELECT id FROM commerce_intent", in.ID.String())
}

// names: journals with other names do not see each other's intents.
func names(t *testing.T, w *world) {
	one, two := w.journal("imports"), w.journal("exports")
	begun(t, one, "7")
	begun(t, two, "7")
	w.expire(t)
	for _, j := range []*sqljournal.Journal[client.Category]{one, two} {
		if all := opened(t, j); len(all) != 1 {
			t.Errorf("%s: %d open, want its own", j.Name, len(all))
		}
	}
}

// beginByMany: of 32 in four processes, each with two pools of connections, one begins.
func beginByMany(t *testing.T, w *world) {
	const processes = 4
	var children []*proctest.Process
	for range processes {
		c := proctest.Start(t, Role, w.env("begin")...)
		c.Line(t)
		children = append(children, c)
	}
	for _, key := range []string{"a", "b", "c", "d", "e"} {
		for _, c := range children {
			c.Say(t, key)
		}
		won := ""
		for _, c := range children {
			won += c.Line(t)
		}
		if strings.Count(won, "+") != 1 || strings.Count(won, "-") != processes*perProcess-1 {
			t.Errorf("key %s: %s, want one winner", key, won)
		}
	}
	for _, c := range children {
		c.Kill(t)
	}
}

const perProcess = 8

// beginMany has several goroutines begin a key: + is a winner, - one that got the intent of the winner.
func beginMany(ctx context.Context, journals []*sqljournal.Journal[client.Category], key string) string {
	results := make(chan string, perProcess)
	var all sync.WaitGroup
	for n := range perProcess {
		all.Go(func() {
			err := journals[n%len(journals)].Begin(ctx, intent(key))
			taken, ok := errors.AsType[*sqljournal.TakenError](err)
			switch {
			case err == nil:
				results <- "+"
			case ok && taken.Open && taken.Intent.ID != ulid.ULID{}:
				results <- "-"
			default:
				results <- err.Error()
			}
		})
	}
	all.Wait()
	close(results)
	line := ""
	for r := range results {
		line += r
	}
	return line
}

func schema(t *testing.T, w *world) {
	mine := w.journal("imports")
	mine.Prefix = "mine_"
	if err := mine.Begin(t.Context(), intent("a")); !errors.Is(err, sqljournal.ErrNoTables) {
		t.Errorf("without tables: got %v, want ErrNoTables", err)
	}
	w.exec(t, mine.Schema())
	if err := mine.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	begun(t, mine, "a")
	w.has(t, "SELECT key FROM mine_intent", "a")
	w.has(t, "SELECT key FROM commerce_intent")
	w.exec(t, "UPDATE mine_version SET version = 2, compatible_from = 2")
	later := w.journal("imports")
	later.Prefix = "mine_"
	if err := later.Begin(t.Context(), intent("b")); !errors.Is(err, sqljournal.ErrNewerSchema) {
		t.Errorf("tables of a later release: got %v, want ErrNewerSchema", err)
	}
}
