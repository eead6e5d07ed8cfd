package journaltest

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/sqljournal"
	"github.com/commerceplatform/commerce-go/client/v1"
	"github.com/commerceplatform/commerce-go/internal/proctest"
	"github.com/commerceplatform/commerce-go/internal/tier"
)

// platform is the server of a test, which children reach.
type platform struct {
	*clienttest.Server
	api *v1.API
	env []string
}

func newPlatform(t *testing.T) *platform {
	t.Helper()
	srv := clienttest.New(t, clienttest.Options{RealTime: true})
	if err := srv.Listen("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	token, err := srv.Install()
	if err != nil {
		t.Fatal(err)
	}
	return &platform{srv, v1.New(srv.Client()), []string{
		envURL + "=" + srv.URL(), envStore + "=" + srv.StoreID().String(), envToken + "=" + string(token),
	}}
}

// categories returns all there are, as appRows does.
func (p *platform) categories(t *testing.T) (all []string) {
	t.Helper()
	found, err := p.api.Categories.List(client.CategoryFilter{}).Collect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range found {
		all = append(all, c.Name.Get("en")+" "+c.ID.String())
	}
	return all
}

// killing runs a child until each story has ended or reached its step, kills it, and returns the lines that it printed.
func (p *platform) killing(t *testing.T, w *world, steps []string) (lines []string) {
	t.Helper()
	c := proctest.Start(t, Role, w.env("work", append(p.env, envSteps+"="+strings.Join(steps, ","))...)...)
	for range steps {
		lines = append(lines, c.Line(t))
	}
	w.kill(t, c)
	w.expire(t)
	w.has(t, appRows, must(w.rows(t.Context(), allEnded))(t)...) // together, or neither
	return lines
}

func must[V any](v V, err error) func(*testing.T) V {
	return func(t *testing.T) V {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// killed is TestProofOnceIsKilled of package client with processes. Each dies with many creates, at every step, on a
// network that loses requests and answers, and the next one continues from its state.
func killed(t *testing.T, w *world) {
	w.exec(t, appTable)
	p := newPlatform(t)
	places := []string{"beginning", "begun", "held", "looking", "sending", "answered", "ending", "ended"}
	const stories = 32
	kills, total := map[string]int{}, 0
	for n := range tier.Size(1, 1, 3) {
		for skip, f := range []clienttest.Fault{
			{Reset: true}, {Reset: true, After: true}, {Truncate: true, After: true},
			{Status: http.StatusServiceUnavailable}, {Status: http.StatusBadGateway, After: true}, {Status: 524, After: true},
		} {
			f.Operation, f.Count, f.Skip = "POST /categories", 1, skip
			if err := p.Fault(f); err != nil {
				t.Fatal(err)
			}
		}
		steps := make([]string, stories)
		for story := range steps {
			steps[story] = places[(story+3*n)%len(places)]
		}
		for _, line := range p.killing(t, w, steps) {
			if _, step, at := strings.Cut(line, " at "); at {
				kills[step]++
				total++
			} else if strings.Contains(line, " error: ") {
				t.Error(line)
			}
		}
		p.EndFaults()
	}
	t.Logf("killed %d times: %v", total, kills)
	if len(kills) < len(places)-1 || total < stories/2 {
		t.Errorf("killed %v, want at %q", kills, places)
	}
	for _, line := range p.killing(t, w, make([]string, stories)) {
		if !strings.Contains(line, " done ") {
			t.Errorf("the last process: %s", line)
		}
	}
	p.agree(t, w, stories)
}

// agree fails the test unless there is one record for each intent, which the journal and the app have.
func (p *platform) agree(t *testing.T, w *world, stories int) {
	t.Helper()
	for query, name := range map[string]string{allEnded: "journal", appRows: "app"} {
		has := map[string]bool{}
		for _, row := range must(w.rows(t.Context(), query))(t) {
			has[row] = true
		}
		if len(has) != stories {
			t.Errorf("the %s has %d records, want %d", name, len(has), stories)
		}
		made := p.categories(t)
		if len(made) != stories {
			t.Errorf("%d records were made, want %d", len(made), stories)
		}
		for _, row := range made {
			if !has[row] {
				t.Errorf("the %s does not have %s", name, row)
			}
		}
	}
	w.has(t, allOpen)
}

// killedInTransaction: the row of the app and the end of the intent are both there, or neither.
func killedInTransaction(t *testing.T, w *world) {
	w.exec(t, appTable)
	p := newPlatform(t)
	for _, step := range []string{"answered", "journal", "row", "journal", "row"} {
		if lines := p.killing(t, w, []string{step}); lines[0] != "Category 00 at "+step {
			t.Fatalf("got %q, want the process to die at %s", lines, step)
		}
		w.has(t, appRows)
		w.has(t, allOpen, "Category 00")
	}
	if lines := p.killing(t, w, []string{"ended"}); lines[0] != "Category 00 at ended" {
		t.Errorf("got %q", lines)
	}
	if lines := p.killing(t, w, []string{""}); !strings.HasPrefix(lines[0], "Category 00 done ") {
		t.Errorf("got %q", lines)
	}
	p.agree(t, w, 1)
}

// kill kills a process, and returns when the database executes nothing for it any more.
func (w *world) kill(t *testing.T, c *proctest.Process) {
	t.Helper()
	c.Kill(t)
	if w.Ended != nil {
		w.Ended(t, w.address)
	}
}

// killedInStatement: the server executes the last statement of a killed process after its death. The intent belongs to
// that process for Term at most, like that of any killed process. Then the next process continues it.
func killedInStatement(t *testing.T, w *world) {
	w.exec(t, appTable)
	p := newPlatform(t)
	lock, err := w.db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lock.Rollback() }() // no effect after the one below
	// The server executes Begin, and waits in it for the test.
	w.exec(t, `CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN PERFORM pg_advisory_xact_lock(hashtext(current_schema())); RETURN NEW; END $$`)
	w.exec(t, "CREATE TRIGGER pause BEFORE INSERT ON commerce_intent FOR EACH ROW EXECUTE FUNCTION pause()")
	if _, err := lock.ExecContext(t.Context(), "SELECT pg_advisory_xact_lock(hashtext(current_schema()))"); err != nil {
		t.Fatal(err)
	}
	c := proctest.Start(t, Role, w.env("work", append(p.env, envSteps+"=")...)...)
	const waits = "SELECT 'waits' FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = hashtext(current_schema())::oid"
	for len(must(w.rows(t.Context(), waits))(t)) == 0 {
		select {
		case <-c.Ended():
			t.Fatal("the process ended before its statement waited")
		case <-time.After(5 * time.Millisecond):
		}
	}
	c.Kill(t)
	w.has(t, allOpen)
	if err := lock.Rollback(); err != nil {
		t.Fatal(err)
	}
	w.Ended(t, w.address)
	w.has(t, allOpen, "Category 00") // begun by a process that is dead
	const left = "SELECT key FROM commerce_intent WHERE until > (extract(epoch FROM clock_timestamp()) * 1e6)::bigint + $1"
	for term, want := range map[time.Duration]int{0: 1, sqljournal.DefaultTerm: 0} {
		var n int
		err := w.db.QueryRowContext(t.Context(), "SELECT count(*) FROM ("+left+") AS held", term.Microseconds()).Scan(&n)
		if err != nil || n != want {
			t.Errorf("%d claims end later than in %v, %v; want %d", n, term, err, want)
		}
	}
	s := &story{api: p.api, key: "Category 00", Journal: w.journal("imports")}
	if _, err := s.run(t.Context()); !errors.Is(err, sqljournal.ErrHeld) {
		t.Errorf("within Term: %v, want ErrHeld", err)
	}
	w.expire(t)
	if lines := p.killing(t, w, []string{""}); !strings.HasPrefix(lines[0], "Category 00 done ") {
		t.Errorf("after Term: got %q", lines)
	}
	p.agree(t, w, 1)
}

// paused: a process that slept while another took its intent sends nothing when it wakes up.
func paused(t *testing.T, w *world) {
	p := newPlatform(t)
	c := proctest.Start(t, Role, w.env("pause", p.env...)...)
	if got := c.Line(t); got != "sending" {
		t.Fatalf("got %q", got)
	}
	c.Pause(t)
	w.expire(t)
	j := w.journal("imports")
	s := &story{api: p.api, key: "Paused", Journal: j}
	resumed := 0
	err := j.ResumeAll(t.Context(), func(ctx context.Context, in client.Intent) error {
		resumed++
		_, err := s.once().Resume(ctx, in, s.create)
		return err
	})
	if resumed != 1 || err != nil {
		t.Errorf("resumed %d: %v", resumed, err)
	}
	c.Wake(t)
	if got := c.Line(t); !strings.Contains(got, "not renewed in time") || !strings.Contains(got, "made record") {
		t.Errorf("the process that slept ended with %q", got)
	}
	c.Kill(t)
	if made := p.categories(t); len(made) != 1 {
		t.Errorf("made %q, want one", made)
	}
	w.has(t, allOpen)
}

// oneConnection: an app that has a single connection to its database does not lock itself out.
func oneConnection(t *testing.T, w *world) {
	w.exec(t, appTable)
	p := newPlatform(t)
	db := w.opened(t)
	db.SetMaxOpenConns(1)
	j := w.journal("imports")
	s := &story{api: p.api, key: "Category 00", Journal: j}
	j.DB, j.OnEnd = db, s.onEnd
	id := must(s.run(t.Context()))(t)
	if again := must(s.run(t.Context()))(t); again != id {
		t.Errorf("made %s and then %s", id, again)
	}
	_, err := s.once().Create(t.Context(), "Refused", func(context.Context) (*client.Category, error) {
		return nil, errRefused
	})
	if !errors.Is(err, errRefused) || errors.Is(err, sqljournal.ErrHeld) {
		t.Errorf("got %v, want the refusal", err)
	}
	p.agree(t, w, 1)
	w.has(t, "SELECT key FROM commerce_intent", s.key)
}

var errRefused = errors.New("refused")
