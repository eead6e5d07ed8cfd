package postgres

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

const operating = "../docs/postgres.md"

// The page for operators dumps an inbox and restores it elsewhere. What was pending is pending, tokens continue above
// all that were given since, and the next process reports the change.
func TestOperatorsDump(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(operating)
	if err != nil {
		t.Fatal(err)
	}
	commands := regexp.MustCompile(`(?m)^.*pg_(dump|restore) .*$`).FindAllString(string(page), -1)
	if len(commands) != 2 {
		t.Fatalf("postgres.md has the commands %q, want a dump and a restore", commands)
	}
	c := cluster(t)
	if err := execute(t.Context(), c, "CREATE DATABASE restored"); err != nil {
		t.Fatal(err)
	}
	restored := strings.Replace(c.URL(), "/postgres?", "/restored?", 1)
	in := open(t, c.URL(), Options{})
	var w world
	if _, err := in.Accept(t.Context(), w.entry(1), w.entry(2)); err != nil {
		t.Fatal(err)
	}
	before, dir := leaseOne(t, in), t.TempDir()
	for i, command := range commands {
		shell := exec.CommandContext(t.Context(), "sh", "-c", command)
		shell.Dir = dir
		shell.Env = append(os.Environ(), "PATH="+c.Programs()+":"+os.Getenv("PATH"), "DATABASE="+c.URL(), "RESTORED="+restored)
		if out, err := shell.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", command, err, out)
		}
		if i == 0 { // since the dump
			if _, err := in.Commit(t.Context(), before); err != nil {
				t.Fatal(err)
			}
			before = leaseOne(t, in)
		}
	}
	for n, want := range []int{1, 0} { // reports
		var reports []string
		again := open(t, restored, Options{OnError: func(err error) { reports = append(reports, err.Error()) }})
		if len(reports) != want || want > 0 && !strings.Contains(reports[0], "run a Sweep") {
			t.Errorf("process %d reported %q, want %d that says to run a Sweep", n+1, reports, want)
		}
		if s, err := again.Stats(t.Context()); err != nil || s.Pending != 2 {
			t.Errorf("stats %+v, %v, want 2 pending", s, err)
		}
		if n == 0 {
			if l := leaseOne(t, again); l.Token <= before.Token {
				t.Errorf("token %d after %d, want more", l.Token, before.Token)
			}
		}
	}
}

// The statements of the page are those of the tables and of the server, and it has those of the proofs of a failover.
func TestOperatorsQueries(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(operating)
	if err != nil {
		t.Fatal(err)
	}
	in := open(t, database.URL(), Options{Queue: newQueue(t)})
	queries := 0
	for line := range strings.Lines(string(page)) {
		line, _, _ = strings.Cut(line, "; -- ")
		if !strings.HasPrefix(line, "SELECT ") || strings.Contains(line, "inbox_") && !strings.Contains(line, "webhook_inbox") ||
			strings.Contains(line, "pg_promote") {
			continue
		}
		queries++
		if _, err := in.pool.Exec(t.Context(), line); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	if queries < 3 {
		t.Errorf("postgres.md has %d statements of PostgreSQL, want 3 or more", queries)
	}
	for _, statement := range []string{"ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_promote()", "target_session_attrs=read-write",
		"default_query_exec_mode=exec", "pool_mode = transaction"} {
		if !strings.Contains(string(page), statement) {
			t.Errorf("postgres.md lacks %q", statement)
		}
	}
	u := strings.Replace(database.URL(), "sslmode=disable", "sslmode=disable&target_session_attrs=read-write", 1)
	conn, err := pgconn.Connect(t.Context(), u)
	if err != nil {
		t.Fatal(err)
	}
	if err := conn.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// The query about fairness shows which store has the backlog, and that each has a turn.
func TestOperatorsFairness(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(operating)
	if err != nil {
		t.Fatal(err)
	}
	in := open(t, database.URL(), Options{Queue: newQueue(t)})
	flood, quiet := delivery(1), delivery(3)
	quiet.StoreID = 7
	if _, err := in.Accept(t.Context(), flood, delivery(2), quiet); err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(page), "## Fairness between stores")
	for line := range strings.Lines(after) {
		query, found := strings.CutSuffix(strings.TrimSpace(line), "-- PostgreSQL")
		if !found {
			continue
		}
		rows, err := in.pool.Query(t.Context(), strings.ReplaceAll(query, "'default'", "$1"), in.options.Queue)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for _, want := range []struct{ store, lanes int64 }{{123, 2}, {7, 1}} {
			var store, lanes int64
			var waits, turn *float64
			if !rows.Next() {
				t.Fatalf("no row for store %d: %v", want.store, rows.Err())
			}
			if err := rows.Scan(&store, &lanes, &waits, &turn); err != nil {
				t.Fatal(err)
			}
			if store != want.store || lanes != want.lanes || waits == nil || turn == nil || *waits < 0 || *turn > 0 {
				t.Errorf("store %d with %d lanes waits %v and has its turn in %v; want store %d with %d, which waits",
					store, lanes, waits, turn, want.store, want.lanes)
			}
		}
		return
	}
	t.Error("postgres.md has no query about fairness")
}
