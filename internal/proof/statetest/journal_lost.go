package statetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/appdb"
	"github.com/commerceplatform/commerce-go/client/sqljournal"
)

// losesIntents tests since when intents may be missing after the tables have moved, until that is settled.
func losesIntents(t *testing.T, w *journalWorld) {
	j := w.journal("imports")
	at := time.Unix(1_700_000_000, 0).UTC() // of intents
	lost := func(j *sqljournal.Journal[client.Category], want time.Time, wantLost bool) {
		t.Helper()
		since, lost, err := j.Lost(t.Context())
		if err != nil || lost != wantLost || !since.Equal(want) {
			t.Errorf("Lost: %v, %v, %v; want %v, %v", since, lost, err, want, wantLost)
		}
	}
	begin := func(key string, since time.Time) client.Intent {
		t.Helper()
		in := intent(key)
		in.Since = since
		if err := j.Begin(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		return in
	}
	moves := func() {
		exec(t, w.DB, "UPDATE commerce_version SET place = 'another' WHERE package = 'client/sqljournal'")
	}

	lost(j, time.Time{}, false)
	moves()
	lost(w.journal("other"), time.Time{}, true) // there was no intent
	if err := (appdb.Tables{DB: w.DB, Parts: []appdb.Part{sqljournal.Tables}}).Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	lost(j, time.Time{}, false)

	in := begin("a", at)
	moves()
	lost(j, at.Add(-time.Hour), true)
	begin("b", at.Add(5*time.Hour))
	moves()
	lost(j, at.Add(-time.Hour), true) // of the first move
	exec(t, w.DB, "UPDATE commerce_version SET place = '' WHERE package = 'client/sqljournal'")
	lost(j, at.Add(-time.Hour), true) // an unknown place is no move
	ago := func(days int64) {
		exec(t, w.DB, fmt.Sprintf("UPDATE commerce_version SET moved = moved - %d", days*24*time.Hour.Microseconds()))
	}
	ago(29)
	lost(j, at.Add(-time.Hour), true)
	ago(2)
	lost(j, time.Time{}, false)

	made := func(id client.ID, want bool) {
		t.Helper()
		if made, err := j.Made(t.Context(), intent("c"), record(id)); made != want || err != nil {
			t.Errorf("Made of record %d: %v, %v; want %v", id, made, err, want)
		}
	}
	made(5, false)
	if err := j.End(t.Context(), in, record(5)); err != nil {
		t.Fatal(err)
	}
	made(5, true)
	made(6, false)
}
