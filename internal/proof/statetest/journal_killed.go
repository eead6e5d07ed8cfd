package statetest

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client/sqljournal"
	"github.com/commerceplatform/commerce-go/internal/proctest"
)

// killedInStatement: a server executes the last statement of a killed process after its death. The intent belongs to
// that process for Term at most, like that of any killed process. Then the next process continues with it.
func killedInStatement(t *testing.T, j *journalWorld) {
	if j.Ended == nil {
		return // there is no server
	}
	row := journal()
	w := newWorld(t, j.Engine, j.address, row)
	lock, err := w.DB.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lock.Rollback() }() // no effect after the one below
	// The server executes Begin, and waits in it for the test.
	exec(t, w.DB, `CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN PERFORM pg_advisory_xact_lock(hashtext(current_schema())); RETURN NEW; END $$`)
	exec(t, w.DB, "CREATE TRIGGER pause BEFORE INSERT ON commerce_intent FOR EACH ROW EXECUTE FUNCTION pause()")
	if _, err := lock.ExecContext(t.Context(), "SELECT pg_advisory_xact_lock(hashtext(current_schema()))"); err != nil {
		t.Fatal(err)
	}
	s := settings{Row: row.Name, Address: w.Address, Outside: w.outside}
	c := proctest.Start(t, Role, settingsVariable+"="+string(must(json.Marshal(s))))
	const waits = "SELECT 'waits' FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = hashtext(current_schema())::oid"
	for len(column[string](t, w.DB, waits)) == 0 {
		select {
		case <-c.Ended():
			t.Fatal("the process ended before its statement waited")
		case <-time.After(5 * time.Millisecond):
		}
	}
	c.Kill(t)
	has[string](t, w.DB, allOpen)
	if err := lock.Rollback(); err != nil {
		t.Fatal(err)
	}
	w.Ended(t, w.Address)
	has(t, w.DB, allOpen, "act 0") // begun by a process that is dead
	w.endsOnTime(t, row)
	if err := w.process(t, row).(*journalFace).create(t.Context(), 0); err == nil {
		t.Errorf("within %v: the intent was taken", sqljournal.DefaultTerm)
	}
	w.expire(t, row)
	w.continues(t, w.process(t, row), 0, 1)
}
