package payments

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
)

// damaged is a ledger with entries that cannot be read.
type damaged struct {
	MemoryLedger
	keys []string
}

func (d *damaged) Open(ctx context.Context, after string, n int) ([]Entry, error) {
	all, err := d.MemoryLedger.Open(ctx, after, n)
	for _, key := range d.keys {
		if i := slices.IndexFunc(all, func(e Entry) bool { return e.Key == key }); i >= 0 {
			all, err = slices.Delete(all, i, i+1), errors.Join(err, &UnreadableError{key, io.ErrUnexpectedEOF})
		}
	}
	if err != nil {
		err = fmt.Errorf("open: %w", err)
	}
	return all, err
}

// An entry that cannot be read stops no other one. It is reported once, by its key, until it can be read.
func TestUnreadableEntries(t *testing.T) {
	l := &damaged{keys: []string{"key 0003", "key 0700"}}
	for i := range 1200 { // more than two pages
		e := Entry{Key: fmt.Sprintf("key %04d", i), State: StateMoved, Call: CallProcess, About: About{StoreID: client.ID(i + 1)}}
		if _, _, err := l.Begin(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	var seen failures
	c := &Cashier{Ledger: l, OnFailure: seen.report}
	n, bad := 0, []string{}
	for _, err := range c.Unreported(t.Context()) {
		if e, ok := errors.AsType[*UnreadableError](err); ok {
			bad = append(bad, e.Key)
		} else if err != nil {
			t.Error(err)
		}
		n++
	}
	if !slices.Equal(bad, l.keys) || n != 1200 {
		t.Errorf("Unreported: %d entries, of which %q are unreadable", n, bad)
	}
	for range 3 {
		if _, err := c.scan(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if len(c.seen) != 1198 || len(seen.all()) != 2 {
		t.Errorf("three scans: %d entries seen, reported %s", len(c.seen), &seen)
	}
	l.keys = l.keys[:0]
	if _, err := c.scan(t.Context()); err != nil || len(c.seen) != 1200 {
		t.Errorf("repaired: %d entries seen, %v", len(c.seen), err)
	}
}
