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
type Table[K cmp.Ordered, V any] struct{ core core[K] }

// Len is the number of records.
func (t *Table[K, V]) Len() int { return t.core.rows.weight() - 1 }

// Get returns the record with the key.
func (t *Table[K, V]) Get(key K) (V, bool) {
	val, ok := t.core.get(key)
	return recordOf[V](val), ok
}

// Has reports whether there is a record with the key.
func (t *Table[K, V]) Has(key K) bool {
	_, ok := t.core.get(key)
	return ok
}

// Put inserts the record, or replaces the one with the same key. It fails with a
// *Conflict, and changes nothing, if another record holds one of its unique keys.
func (t *Table[K, V]) Put(key K, val V) error {
	if t.core.packer == nil {
		t.core.packer = packerOf[V]()
	}
	return t.core.put(key, val)
}

// Delete removes the record with the key. It reports whether there was one.
func (t *Table[K, V]) Delete(key K) bool { return t.core.delete(key) }

// All yields every record by ascending key. It walks the table as it is now:
// the loop may change the table without disturbing the walk.
func (t *Table[K, V]) All() iter.Seq2[K, V] { return recordsOf[K, V](t.core.all()) }

// After yields the records whose key is greater than the given one.
func (t *Table[K, V]) After(key K) iter.Seq2[K, V] { return recordsOf[K, V](t.core.after(key)) }

// Backward yields every record by descending key. It walks the table as it is now.
func (t *Table[K, V]) Backward() iter.Seq2[K, V] { return recordsOf[K, V](t.core.backward()) }

// Before yields the records whose key is less than the given one, by descending key.
func (t *Table[K, V]) Before(key K) iter.Seq2[K, V] { return recordsOf[K, V](t.core.before(key)) }

// At returns the record that has i others before it by ascending key, for i from 0 to Len-1.
func (t *Table[K, V]) At(i int) V { return recordOf[V](at(t.core.rows, i).val) }

// Values returns every record by ascending key.
func (t *Table[K, V]) Values() []V {
	out := make([]V, 0, t.Len())
	t.core.all()(func(_ K, val any) bool {
		out = append(out, recordOf[V](val))
		return true
	})
	return out
}

// Find returns the first record, by key, under the entry.
func (t *Table[K, V]) Find(index, value string) (V, bool) {
	val, ok := t.core.find(index, value)
	return recordOf[V](val), ok
}

// Where yields the records under the entry by ascending key. Like All it walks
// the table as it is now.
func (t *Table[K, V]) Where(index, value string) iter.Seq2[K, V] {
	return recordsOf[K, V](t.core.where(index, value))
}

// Count is the number of records under the entry.
func (t *Table[K, V]) Count(index, value string) int { return t.core.count(index, value) }

// recordsOf gives records their type. It is compiled once for each type, and not again
// wherever it is called.
//
//go:noinline
func recordsOf[K cmp.Ordered, V any](vals iter.Seq2[K, any]) iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		vals(func(key K, val any) bool { return yield(key, recordOf[V](val)) })
	}
}
