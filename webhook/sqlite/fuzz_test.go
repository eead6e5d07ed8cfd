package sqlite_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// damagedColumns are those of an entry, as somebody who edits the file may spoil them.
var damagedColumns = []string{"lane", "kind", "event", "store_id", "body", "keep", "settle", "clears", "protected", "unhandled", "state",
	"generation", "due", "since", "attempts", "unfinished", "arrivals", "first_seen", "last_seen", "run_arrivals", "again_seen", "failed_at", "cause", "died_at", "forget_at", "sum",
	"trace", "trace_sum"}

func kept(key string) webhook.Entry {
	return webhook.Entry{Key: key, Lane: "lane of " + key, Kind: webhook.KindSignal, Event: "product/updated", StoreID: 123,
		Body: []byte(`{"store_id":123,"event":"product/updated","id":1}`), Clears: []webhook.Name{"product/created"},
		Trace: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"}
}

// FuzzRecord writes anything into a column of an entry. What cannot be read becomes a
// dead entry, and nothing else is kept back.
func FuzzRecord(f *testing.F) {
	f.Add(uint(1), uint(0), int64(0), []byte("fact"))
	f.Add(uint(3), uint(1), int64(-1), []byte(nil))
	f.Add(uint(7), uint(0), int64(0), []byte("\n\n"))
	f.Add(uint(10), uint(0), int64(0), []byte("dead"))
	f.Add(uint(12), uint(1), int64(1)<<62, []byte(nil))
	f.Add(uint(25), uint(0), int64(0), []byte("00-4bf92f3577b34da6a3ce929d0e0e4737-00f067aa0ba902b7-01"))
	f.Add(uint(26), uint(1), int64(1), []byte(nil))
	f.Add(uint(14), uint(2), int64(0), []byte("many"))
	in, err := sqlite.Open(context.Background(), file(f), sqlite.Options{Sync: sqlite.Off, AllowLossy: true})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = in.Close() })
	f.Fuzz(func(t *testing.T, column, kind uint, number int64, text []byte) {
		ctx := t.Context()
		for _, table := range []string{"inbox_entry", "inbox_lane", "inbox_protected"} {
			if _, err := in.DB().ExecContext(ctx, "DELETE FROM "+table); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := in.Accept(ctx, kept("a"), kept("b"), kept("c")); err != nil {
			t.Fatal(err)
		}
		value := []any{string(text), number, text, float64(number) / 3}[kind%4]
		name := damagedColumns[column%uint(len(damagedColumns))]
		what := fmt.Sprintf("%s = %#v", name, value)
		if _, err := in.DB().ExecContext(ctx, "UPDATE inbox_entry SET "+name+" = ? WHERE key = 'b'", value); err != nil {
			what += ", which the table does not take" // and everything must be as it was
		}
		var handled []string
		for range 4 {
			leases, err := in.Lease(ctx, webhook.LeaseQuery{Limit: 10, Term: time.Hour})
			if err != nil {
				t.Errorf("%s: lease: %v", what, err)
			}
			for _, l := range leases {
				if string(l.Body) != string(kept("b").Body) {
					t.Errorf("%s: %s has the body %q", what, l.Key, l.Body)
				}
				if l.Trace != kept("b").Trace && (l.Trace != "" || l.Key != "b") {
					t.Errorf("%s: %s has the trace %q", what, l.Key, l.Trace)
				}
				if _, err := in.Commit(ctx, l); err == nil {
					handled = append(handled, l.Key)
				}
			}
		}
		if !slices.Contains(handled, "a") || !slices.Contains(handled, "c") {
			t.Errorf("%s: only %v are handled", what, handled)
		}
		if _, err := in.Accept(ctx, kept("d"), kept("b")); err != nil {
			t.Errorf("%s: accept: %v", what, err)
		}
		if _, err := in.Stats(ctx); err != nil {
			t.Errorf("%s: stats: %v", what, err)
		}
		dead, err := in.Dead(ctx, "", 10)
		if err != nil {
			t.Errorf("%s: dead: %v", what, err)
		}
		for _, l := range dead {
			if n, err := in.Purge(ctx, l.Key); n != 1 || err != nil {
				t.Errorf("%s: %d purged, %v", what, n, err)
			}
		}
	})
}
