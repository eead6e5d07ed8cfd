package client_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
)

// restored is a journal that was restored to the moment since.
type restored struct {
	*book
	since  time.Time
	failed error
}

func (r *restored) Lost(context.Context) (time.Time, bool, error) { return r.since, true, r.failed }

func (r *restored) Made(_ context.Context, _ client.Intent, c *client.Category) (bool, error) {
	for _, id := range r.made {
		if id == c.ID {
			return true, nil
		}
	}
	return false, nil
}

// Keys that were begun after the moment of a restore are repeated, hours later and after other keys. A second record
// was made of each.
func TestOnceLooksForRecordsOfLostIntents(t *testing.T) {
	onServer(t, func(t *testing.T, srv *clienttest.Server, api *client.Client, _ client.ID) {
		backup := time.Now()
		b := &restored{book: newBook(), since: backup}
		once := categoriesOnce(api, b.book)
		once.Journal = b
		lost := map[string]*client.Category{}
		for _, name := range []string{"Mugs", "Hats"} {
			time.Sleep(time.Hour)
			lost[name] = must[*client.Category](t)(naming(api, name)(t.Context()))
		}
		time.Sleep(time.Hour)
		b.failed = errors.New("no database")
		if _, err := once.Create(t.Context(), "Caps", naming(api, "Caps")); !errors.Is(err, b.failed) {
			t.Errorf("unknown whether intents are lost: got %v, want nothing sent", err)
		}
		b.failed = nil
		must[*client.Category](t)(once.Create(t.Context(), "Caps", naming(api, "Caps")))
		for name, c := range lost {
			got, err := once.Create(t.Context(), name, naming(api, name))
			if err != nil || got.ID != c.ID || b.made[name] != c.ID {
				t.Errorf("%s: got %v, %v, and %d in the journal; want %d", name, got, err, b.made[name], c.ID)
			}
			if n := len(named(t, api, name)); n != 1 {
				t.Errorf("%d records of %s, want 1", n, name)
			}
		}
		// A record that the journal has is that of another key, even if it looks the same.
		b.made["other"] = lost["Mugs"].ID
		again := must[*client.Category](t)(once.Create(t.Context(), "Mugs", naming(api, "Mugs")))
		if again.ID == lost["Mugs"].ID {
			t.Errorf("got the record %d of another key", again.ID)
		}
	})
}
