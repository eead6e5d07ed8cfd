package tablestest

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/sqljournal"
	"github.com/commerceplatform/commerce-go/internal/tables"
)

// claimer is a table with claims: how one call, and then another one, claims the row.
type claimer struct {
	table string
	open  func(t *testing.T, db *sql.DB) (first, second func() error)
}

func claimers() []claimer {
	return []claimer{
		{"commerce_intent", func(t *testing.T, db *sql.DB) (first, second func() error) {
			j := &sqljournal.Journal[client.Category]{DB: db, Name: "categories"}
			in := client.Intent{ID: ulid.Make(), StoreID: 7, Path: "/categories", Key: "a", Since: time.Now()}
			if err := j.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			return func() error { return j.Begin(t.Context(), in) }, func() error {
				_, release, err := j.Hold(t.Context(), in, false)
				if err == nil {
					release()
				}
				return err
			}
		}},
		{"commerce_thing", func(t *testing.T, db *sql.DB) (first, second func() error) {
			set := tables.Set{Package: "tablestest", Migrations: fstest.MapFS{"migrations/0001.sql": {Data: []byte(
				"-- compatible from 1\nCREATE TABLE commerce_thing " +
					"(id BIGINT, holder TEXT, taken BIGINT, until BIGINT, term BIGINT);" +
					"INSERT INTO commerce_thing VALUES (1, '', 0, 0, 0), (2, 'another', 1, 2, 1)")}}}
			if err := set.Migrate(t.Context(), db, ""); err != nil {
				t.Fatal(err)
			}
			claim := func() error {
				c := tables.Claim{
					Tables: tables.Tables{Set: set, DB: db}, Table: "commerce_thing",
					Key: []string{"id"}, Values: []any{1}, Term: time.Minute, Holder: tables.Holder(""),
				}
				ours, err := c.Take(t.Context())
				if err == nil && !ours {
					who, failed := c.Who(t.Context(), db)
					err = errors.Join(errors.New(who), failed)
				}
				return err
			}
			return claim, claim
		}},
	}
}

// claims tests that a claim ends by the clock of the database, also after that was set back, and names its holder.
func claims(t *testing.T, open func(t *testing.T) *sql.DB) {
	for _, c := range claimers() {
		t.Run(c.table, func(t *testing.T) {
			db := open(t)
			first, second := c.open(t, db)
			if err := first(); err != nil {
				t.Fatal(err)
			}
			host, _ := os.Hostname()
			err := second()
			if want := fmt.Sprintf("%s/%d/", host, os.Getpid()); err == nil ||
				!strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), " since 20") {
				t.Errorf("a second call: %v, want the holder %s and the time of its claim", err, want)
			}
			for until, free := range map[time.Duration]bool{
				50 * time.Second: false, -time.Second: true, 100 * time.Second: false, time.Hour: true,
			} {
				_, err := db.ExecContext(t.Context(), "UPDATE "+c.table+" SET holder = 'killed', until = $1, term = $2",
					time.Now().Add(until).UnixMicro(), time.Minute.Microseconds())
				if err != nil {
					t.Fatal(err)
				}
				if err := second(); (err == nil) != free {
					t.Errorf("a claim that ends in %v: %v, want it free: %t", until, err, free)
				}
			}
		})
	}
}
