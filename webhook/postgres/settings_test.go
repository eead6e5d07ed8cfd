package postgres

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/commerceplatform/commerce-go/internal/pgtest"
	"github.com/commerceplatform/commerce-go/internal/tier"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxtest"
)

// operator is what somebody may have made the default of a role.
type operator struct{ name, value string }

func (o operator) String() string { return o.name + "=" + o.value }

var operators = []operator{
	{"default_transaction_isolation", "'serializable'"},
	{"default_transaction_isolation", "'repeatable read'"},
	{"DateStyle", "'SQL, DMY'"},
	{"bytea_output", "'escape'"},
	{"statement_timeout", "'1s'"},
	{"lock_timeout", "'1ms'"},
	{"client_encoding", "'LATIN1'"},
	{"TimeZone", "'America/St_Johns'"},
	{"IntervalStyle", "'sql_standard'"},
	{"search_path", "hostile, pg_catalog"},
	{"standard_conforming_strings", "off"},
	{"synchronous_commit", "off"},
	{"enable_indexscan", "off"},
	{"plpgsql.variable_conflict", "'use_column'"},
	{"plpgsql.extra_errors", "'all'"},
	{"idle_session_timeout", "'2s'"},
	{"idle_in_transaction_session_timeout", "'1s'"},
}

// hostile has functions and operators in the place of those of the system.
const hostile = `CREATE SCHEMA IF NOT EXISTS hostile;
	CREATE OR REPLACE FUNCTION hostile.statement_timestamp() RETURNS timestamptz LANGUAGE sql AS $$ SELECT timestamptz '-infinity' $$;
	CREATE OR REPLACE FUNCTION hostile.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS $$ SELECT timestamptz 'infinity' $$;
	CREATE OR REPLACE FUNCTION hostile.never(text, text) RETURNS boolean LANGUAGE sql AS $$ SELECT false $$;
	CREATE OPERATOR hostile.= (LEFTARG = text, RIGHTARG = text, FUNCTION = hostile.never);
	GRANT USAGE ON SCHEMA hostile TO PUBLIC`

// asRole makes a role with the defaults and returns the URL with which it connects, in a pgx mode.
func asRole(t *testing.T, c *pgtest.Cluster, mode string, defaults ...operator) string {
	t.Helper()
	u, err := url.Parse(c.URL())
	if err != nil {
		t.Fatal(err)
	}
	password, _ := u.User.Password()
	role := "operator_" + strings.ToLower(rand.Text())
	statements := []string{fmt.Sprintf("CREATE ROLE %s LOGIN SUPERUSER PASSWORD '%s'", role, password)}
	for _, d := range defaults {
		statements = append(statements, fmt.Sprintf("ALTER ROLE %s SET %s = %s", role, d.name, d.value))
	}
	if err := execute(t.Context(), c, statements...); err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword(role, password)
	q := u.Query()
	q.Set("default_query_exec_mode", mode)
	u.RawQuery = q.Encode()
	return u.String()
}

// combinations returns all defaults that go together. At full size it also returns each alone and each two.
func combinations() (all [][]operator) {
	together, each := map[string]operator{}, tier.Size(false, false, true)
	for _, o := range operators {
		if each {
			all = append(all, []operator{o})
		}
		if _, there := together[o.name]; !there {
			together[o.name] = o
		}
	}
	var most []operator
	for _, o := range operators {
		if together[o.name] == o {
			most = append(most, o)
		}
	}
	all = append(all, most)
	for i, a := range operators {
		for _, b := range operators[i+1:] {
			if each && a.name != b.name {
				all = append(all, []operator{a, b})
			}
		}
	}
	return all
}

// engineAt is the engine of a database. All inboxes of a test share a pool, because a new connection takes the server
// as long as twenty statements.
func engineAt(t *testing.T, database string) inboxtest.Engine {
	pool := newPool(t, database, 64)
	return engineOn(func(*testing.T) *pgxpool.Pool { return pool })
}

// engineOn is the engine of the pools that a function returns.
func engineOn(pool func(t *testing.T) *pgxpool.Pool) inboxtest.Engine {
	return inboxtest.Engine{
		Open: func(t *testing.T) webhook.Inbox { return openOn(t, pool(t), Options{Queue: newQueue(t)}) },
		Limited: func(t *testing.T, highWater int) webhook.Inbox {
			return openOn(t, pool(t), Options{Queue: newQueue(t), HighWater: highWater})
		},
		Share: func(t *testing.T, inbox webhook.Inbox) webhook.Inbox {
			return openOn(t, pool(t), inbox.(*Inbox).options)
		},
		Reopen: func(t *testing.T, inbox webhook.Inbox) webhook.Inbox {
			in := inbox.(*Inbox)
			in.Close()
			return openOn(t, pool(t), in.options)
		},
	}
}

// Whatever an operator has made the defaults of the role, each rule holds.
func TestProofOperators(t *testing.T) {
	t.Parallel()
	c, err := pgtest.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Stop)
	if err := execute(t.Context(), c, hostile); err != nil {
		t.Fatal(err)
	}
	t.Run("settings", func(t *testing.T) { ownSettings(t, c) })
	t.Run("read only", func(t *testing.T) { refusedReadOnly(t, c) })
	modes := []string{"cache_statement", "exec", "cache_describe", "describe_exec"}[:tier.Size(1, 1, 4)] // TestProofPooler has exec
	for i, defaults := range combinations() {
		in := modes
		if len(defaults) == 2 { // there are too many of these to try each in all
			in = modes[i%len(modes):][:1]
		}
		for _, mode := range in {
			t.Run(fmt.Sprint(mode, " ", i), func(t *testing.T) {
				t.Log(defaults)
				// Each inbox has a pool of its own. A call with a large body fails on a session that was ended
				// while idle.
				url := asRole(t, c, mode, defaults...)
				rules(t, engineOn(func(t *testing.T) *pgxpool.Pool { return newPool(t, url, 8) }))
			})
		}
	}
}

// The settings of a transaction are its own, and those of the connection are as they were.
func ownSettings(t *testing.T, c *pgtest.Cluster) {
	const query = `SELECT concat_ws(', ', current_setting('transaction_isolation'), current_setting('DateStyle'), current_setting('bytea_output'),
		current_setting('statement_timeout'), current_setting('client_encoding'), current_setting('search_path'))`
	in := open(t, asRole(t, c, "cache_statement", operators[0], operators[2], operators[3], operators[6], operators[9],
		operator{"statement_timeout", "'1min'"}), Options{})
	var ours, theirs string
	err := in.run(t.Context(), func(b *pgx.Batch) { b.Queue(query).QueryRow(func(row pgx.Row) error { return row.Scan(&ours) }) })
	if want := "read committed, ISO, MDY, hex, 0, UTF8, pg_catalog"; err != nil || ours != want {
		t.Errorf("a transaction of the inbox has %s, %v, want %s", ours, err, want)
	}
	err = in.pool.QueryRow(t.Context(), query).Scan(&theirs)
	if want := "serializable, SQL, DMY, escape, 1min, LATIN1, hostile, pg_catalog"; err != nil || theirs != want {
		t.Errorf("afterwards a connection has %s, %v, want %s", theirs, err, want)
	}
}

// A role whose transactions are read only is refused with the name of the setting: somebody wants nothing written.
func refusedReadOnly(t *testing.T, c *pgtest.Cluster) {
	pool := newPool(t, asRole(t, c, "cache_statement", operator{"default_transaction_read_only", "on"}), 5)
	if _, err := Open(t.Context(), pool, Options{}); err == nil || !strings.Contains(err.Error(), "default_transaction_read_only must be off") {
		t.Errorf("Open: %v, want an error that names default_transaction_read_only", err)
	}
}

// A pool that is too small is reported, and one that is large enough is not.
func TestOpenSmallPool(t *testing.T) {
	t.Parallel()
	for most, want := range map[int32]string{4: "at most 4 connections: must be 5 or more", 5: ""} {
		var got string
		in, err := Open(t.Context(), newPool(t, database.URL(), most), Options{Queue: newQueue(t), OnError: func(err error) { got = err.Error() }})
		if err != nil {
			t.Fatal(err)
		}
		in.Close()
		if (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("a pool of %d: reported %q, want %q", most, got, want)
		}
	}
}

// Settings that make a server forget what it acknowledges are noticed while it runs, and nothing is acknowledged then.
func TestLossyLater(t *testing.T) {
	t.Parallel()
	c, err := pgtest.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Stop)
	in := open(t, c.URL(), Options{})
	careless, err := Open(t.Context(), in.pool, Options{Queue: "careless", AllowLossy: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = careless.Close() })
	var w world
	accept := func() error {
		_, err := in.Accept(t.Context(), w.entry(1))
		return err
	}
	for _, setting := range []string{"fsync", "full_page_writes"} {
		for _, value := range []string{"off", "on"} {
			if err := execute(t.Context(), c, "ALTER SYSTEM SET "+setting+" = "+value, "SELECT pg_reload_conf()"); err != nil {
				t.Fatal(err)
			}
			until(t, setting+" is "+value+" for Accept", func() bool { return errors.Is(accept(), ErrLossy) == (value == "off") })
			if value == "on" {
				continue
			}
			if err := accept(); err == nil || !strings.Contains(err.Error(), setting+" is off: must be on") {
				t.Errorf("Accept with %s off: %v", setting, err)
			}
			if _, err := careless.Accept(t.Context(), w.entry(1)); err != nil {
				t.Errorf("Accept of an inbox with AllowLossy: %v", err)
			}
			if _, err := Open(t.Context(), in.pool, Options{}); !errors.Is(err, ErrLossy) || !strings.Contains(err.Error(), setting+" is off") {
				t.Errorf("Open with %s off: %v, want ErrLossy that names it", setting, err)
			}
		}
	}
	for _, kind := range []string{"UNLOGGED", "LOGGED"} {
		if err := execute(t.Context(), c, "ALTER TABLE webhook_inbox.entry SET "+kind); err != nil {
			t.Fatal(err)
		}
		_ = in.verify(t.Context()) // as it does every minute; Accept returns what it found
		if err := accept(); errors.Is(err, ErrLossy) != (kind == "UNLOGGED") {
			t.Errorf("Accept into a table that is %s: %v", kind, err)
		}
	}
}

// until waits until something holds.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for began := time.Now(); !holds(); <-time.After(10 * time.Millisecond) {
		if time.Since(began) > hung {
			t.Fatalf("not within %v: %s", hung, what)
		}
	}
}

// Where an operator ends idle sessions, a call after a pause, or Open in a slow process, finds all connections of the
// pool closed, and does not fail.
func TestIdleSessionsEnd(t *testing.T) {
	t.Parallel()
	in := open(t, asRole(t, database, "exec", operator{"idle_session_timeout", "'200ms'"}), Options{Queue: newQueue(t)})
	idle := func() {
		t.Helper()
		var held []*pgxpool.Conn
		for range in.pool.Config().MaxConns {
			conn, err := in.pool.Acquire(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			held = append(held, conn)
		}
		for _, conn := range held {
			conn.Release()
		}
		time.Sleep(400 * time.Millisecond) // less than a second, after which the pool looks at a connection first
	}
	idle()
	var w world
	if _, err := in.Accept(t.Context(), w.entry(1)); err != nil {
		t.Error(err)
	}
	idle()
	again, err := Open(t.Context(), in.pool, in.options)
	if err != nil {
		t.Fatal(err)
	}
	again.Close()
}

// A connection that broke must not use up the tries that idle sessions have.
func TestAttempts(t *testing.T) {
	t.Parallel()
	broken, idle := errors.New("broken pipe"), error(&pgconn.PgError{Code: idleSession})
	for name, row := range map[string]struct {
		err  error
		want int
	}{"broken": {broken, mostAttempts}, "idle": {idle, mostAttempts + 7*idleAttempts}} {
		for _, before := range []error{broken, idle} {
			tried, n := attempts{}, 1
			tried.again(before, 7)
			for tried.again(row.err, 7) {
				n++
			}
			if before == row.err {
				n++
			}
			if n != row.want {
				t.Errorf("%s after %v: %d tries, want %d", name, before, n, row.want)
			}
		}
	}
}
