package sqlite

import (
	"slices"

	"github.com/commerceplatform/commerce-go/webhook"
)

// mostKept bounds the leases that are kept, of those that nobody ends.
const mostKept = 4096

// kept are leases that the collector handed out, by key, with their entries as they were then. They are as good as the
// rows while no other connection writes: SQLite caches the pages of the rows under the same condition. So the end of a
// lease does not read the entry again. A change of an entry drops its lease, and a transaction that fails drops all.
type kept struct {
	version int64 // of the file; it changes when another connection writes
	leases  map[string]keptLease
}

type keptLease struct {
	row   *row // without its body
	token int64
	until int64
}

// follow drops all if another connection has written. It has to be asked in the transaction.
func (k *kept) follow(t *transaction) error {
	was := k.version
	if _, err := t.one("PRAGMA data_version", nil, &k.version); err != nil {
		return err
	}
	if k.version != was {
		k.drop()
	}
	return nil
}

// add keeps a lease.
func (k *kept) add(r *row, token, until int64) {
	if k == nil {
		return
	}
	if len(k.leases) >= mostKept {
		k.drop()
	}
	own := *r
	own.entry.Body, own.entry.Clears = nil, slices.Clone(r.entry.Clears) // the others are given to the handler
	k.leases[r.entry.Key] = keptLease{&own, token, until}
}

// take returns the entry of a lease that holds at a time, or nil if that is not known. It is not kept any more.
func (k *kept) take(l webhook.Lease, now int64) *row {
	if k == nil {
		return nil
	}
	h, ok := k.leases[l.Key]
	if !ok || h.row.entry.Lane != l.Lane || h.token != int64(l.Token) || h.until <= now {
		return nil
	}
	delete(k.leases, l.Key)
	return h.row
}

// forget drops what is known of an entry, which changes.
func (k *kept) forget(key string) {
	if k != nil {
		delete(k.leases, key)
	}
}

// drop drops all.
func (k *kept) drop() {
	if k != nil {
		clear(k.leases)
	}
}
