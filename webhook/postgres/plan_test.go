package postgres

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Statements find what they need by an index and touch few pages, however much is pending.
func TestPlans(t *testing.T) {
	t.Parallel()
	rows := 50_000
	if *soak {
		rows = 1_000_000
	}
	o := Options{Schema: newSchema(t), Queue: "plans"}
	in := open(t, database.URL(), o)
	// As much as that, and the statistics of an empty table.
	if _, err := in.pool.Exec(t.Context(), in.options.in(`SET synchronous_commit = off;
		INSERT INTO inbox.entry (queue, key, lane, kind, event, store_id, body, window_ns, settle_ns, clears, protected, unhandled,
			state, generation, due, attempts, arrivals, first_seen, last_seen, pending_since, outcome)
		SELECT 'plans', 'key ' || n, 'lane ' || n, 'signal', 'order/updated', 123, '{}', 0, 0, '{}', false, '',
			'pending', 1, now() - n * interval '1 ms', 0, 1, now(), now(), now(), 'stored' FROM generate_series(1, `+strconv.Itoa(rows)+`) n;
		INSERT INTO inbox.lane (queue, lane, due) SELECT queue, lane, due FROM inbox.entry;
		RESET synchronous_commit`)); err != nil {
		t.Fatal(err)
	}
	lease := []any{o.Queue, 16, time.Minute.Microseconds()}
	one := []any{[]string{"key 7"}, []string{"lane 7"}, []string{"signal"}, []string{"order/updated"}, []int64{123}, [][]byte{{}}, []int64{0}, []int64{0},
		[]string{""}, []bool{false}, []string{""}, []int32{1}, []int64{0}, "on", "1s"}
	for _, test := range []struct {
		name, statement string
		arguments       []any
	}{
		{"lease", in.sql.lease, lease},
		{"accept", in.sql.accept, append([]any{o.Queue}, one...)},
		{"extend", in.sql.extend, []any{o.Queue, "lane 7", 1, 1000}},
		{"next", in.sql.next, []any{o.Queue, 1000}},
		{"present", in.sql.present, []any{o.Queue, []string{"key 7"}}},
		{"dead", in.sql.dead, []any{o.Queue, "", 10}},
		{"commit", in.sql.commit, []any{o.Queue, "key 7", "lane 7", 1, 1, 123, []string{"order/created"}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var plan []string
			err := in.run(t.Context(), func(b *pgx.Batch) {
				b.Queue("EXPLAIN (ANALYZE, BUFFERS, TIMING OFF) "+test.statement, test.arguments...).Query(func(rows pgx.Rows) (err error) {
					plan, err = pgx.CollectRows(rows, pgx.RowTo[string])
					return err
				})
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range plan {
				if strings.Contains(line, "Seq Scan") || strings.Contains(line, "Bitmap") {
					t.Errorf("%s\nin\n%s", strings.TrimSpace(line), strings.Join(plan, "\n"))
				}
			}
			t.Log(plan[len(plan)-1])
		})
	}
}
