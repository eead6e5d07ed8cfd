package table

import (
	"cmp"
	"iter"
)

// Table is an ordered map from key to record with indexes over the records. The
// zero value is empty and ready; a copy is a snapshot. A Table that several
// goroutines change needs a lock around it, one that they only read does not.
//
// A record type that implements Indexed is found by more than its key.
type Table[K cmp.Ordered, V any] struct {
	rows *node[row[K, V]]
	refs *node[ref[K]]
}

type row[K cmp.Ordered, V any] struct {
	key K
	val V
}

func byKey[K cmp.Ordered, V any](a, b row[K, V]) int { return cmp.Compare(a.key, b.key) }

// Len is the number of records.
func (t *Table[K, V]) Len() int { return t.rows.weight() - 1 }

// Get returns the record with the key.
func (t *Table[K, V]) Get(key K) (V, bool) {
	r, ok := find(t.rows, row[K, V]{key: key}, byKey)
	return r.val, ok
}

// Has reports whether there is a record with the key.
func (t *Table[K, V]) Has(key K) bool {
	_, ok := t.Get(key)
	return ok
}

// Put inserts the record, or replaces the one with the same key. It fails with a
// *Conflict, and changes nothing, if another record holds one of its unique keys.
func (t *Table[K, V]) Put(key K, val V) error {
	entries := entriesOf(val)
	for _, e := range entries {
		if !e.unique {
			continue
		}
		for other := range t.keys(e.Index, e.Value) {
			if other != key {
				return &Conflict{Index: e.Index, Value: e.Value}
			}
		}
	}
	if old, ok := t.Get(key); ok {
		t.unindex(key, old)
	}
	t.rows = insert(t.rows, row[K, V]{key, val}, byKey)
	for _, e := range entries {
		t.refs = insert(t.refs, ref[K]{e.Index, e.Value, key}, byRef)
	}
	return nil
}

// Delete removes the record with the key. It reports whether there was one.
func (t *Table[K, V]) Delete(key K) bool {
	old, ok := t.Get(key)
	if !ok {
		return false
	}
	t.unindex(key, old)
	t.rows = remove(t.rows, row[K, V]{key: key}, byKey)
	return true
}

// All yields every record by ascending key. It walks the table as it is now:
// the loop may change the table without disturbing the walk.
func (t *Table[K, V]) All() iter.Seq2[K, V] {
	return t.walk(func(row[K, V]) bool { return false })
}

// After yields the records whose key is greater than the given one.
func (t *Table[K, V]) After(key K) iter.Seq2[K, V] {
	return t.walk(func(r row[K, V]) bool { return r.key <= key })
}

func (t *Table[K, V]) walk(before func(row[K, V]) bool) iter.Seq2[K, V] {
	rows := t.rows
	return func(yield func(K, V) bool) {
		ascend(rows, before, func(r row[K, V]) bool { return yield(r.key, r.val) })
	}
}

// Values returns every record by ascending key.
func (t *Table[K, V]) Values() []V {
	out := make([]V, 0, t.Len())
	for _, v := range t.All() {
		out = append(out, v)
	}
	return out
}
