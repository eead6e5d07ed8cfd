package sqlite

import (
	"slices"

	"github.com/commerceplatform/commerce-go/webhook"
)

// mostKept bounds the cached leases, because some leases are never ended.
const mostKept = 4096

// kept caches leases of the collector by key, with their entries as they were then. They are valid while no other
// connection writes; SQLite caches the pages of the rows under the same condition. So the end of a lease does not read
// the entry again. A change of an entry drops its lease, and a failed transaction drops all.
type kept struct {
	version int64 // of the file; it changes when another connection writes
	leases  map[string]keptLease
}

type keptLease struct {
	row   *row // without its body
	token int64
	until int64
}

// follow drops all leases if another connection has written. It must be called in the transaction.
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

// add caches a lease.
func (k *kept) add(r *row, token, until int64) {
	if k == nil {
		return
	}
	if len(k.leases) >= mostKept {
		k.drop()
	}
	own := *r
	own.entry.Body, own.entry.Clears = nil, slices.Clone(r.entry.Clears) // the handler owns the original
	k.leases[r.entry.Key] = keptLease{&own, token, until}
}

// take removes the entry of a lease that is valid at a time and returns it, or nil if it is not cached.
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

// forget drops the lease of an entry that changes.
func (k *kept) forget(key string) {
	if k != nil {
		delete(k.leases, key)
	}
}

// drop drops all leases.
func (k *kept) drop() {
	if k != nil {
		clear(k.leases)
	}
}
