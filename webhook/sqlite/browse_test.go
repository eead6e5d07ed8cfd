package sqlite_test

import (
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/sqlite"
)

// Whatever the filter, entries are found by an index in the order of their keys, and between two keys. SQLite uses one
// bound of each side: with two, it once read to the end of the second.
func TestBrowsePlans(t *testing.T) {
	t.Parallel()
	in := inbox(t, file(t), sqlite.Options{})
	filters := []webhook.EntryFilter{{}}
	for _, state := range append(webhook.EntryStates(), "") {
		f := webhook.EntryFilter{State: state, Event: client.Set(webhook.OrderPaid.Name), Until: time.Now()}
		filters = append(filters, webhook.EntryFilter{State: state}, f)
		f.Store = client.Set(client.ID(1))
		filters = append(filters, f)
		for _, prefix := range []string{"a", "b"} { // before and after where the page begins
			f.KeyPrefix = prefix
			filters = append(filters, f)
		}
	}
	for _, f := range filters {
		statements, values := in.BrowseSQL(f)
		for i, query := range statements {
			conditions := query[strings.LastIndex(query, "FROM inbox_entry"):]
			if from, to := strings.Count(conditions, "key >"), strings.Count(conditions, "key <"); from != 1 || to > 1 ||
				i == 1 && to != 1 {
				t.Errorf("%s: %d bounds from and %d to", query, from, to)
			}
			rows, err := in.DB().Query("EXPLAIN QUERY PLAN "+query, values...)
			done(t, err)
			found := false
			for rows.Next() {
				var id, parent, unused int
				var step string
				done(t, rows.Scan(&id, &parent, &unused, &step))
				found = found || strings.HasPrefix(step, "SEARCH inbox_entry USING") && strings.Contains(step, "key>?")
				if strings.HasPrefix(step, "SCAN inbox_") || strings.Contains(step, "TEMP B-TREE") {
					t.Errorf("%s: %s", query, step)
				}
			}
			done(t, rows.Err())
			if !found {
				t.Errorf("%s: no search by key", query)
			}
		}
	}
}
