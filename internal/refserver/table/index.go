package table

import (
	"cmp"
	"fmt"
	"iter"
)

// Indexed is a record that can be found by more than its key.
type Indexed interface {
	// Indexes are the entries under which the record is found. They depend on
	// nothing but the record.
	Indexes() []Entry
}

// Entry is one value of one named index.
type Entry struct {
	Index, Value string
	unique       bool
}

// Unique is an entry that one record at most may hold.
func Unique(index, value string) Entry { return Entry{index, value, true} }

// Multi is an entry that many records may share.
func Multi(index, value string) Entry { return Entry{index, value, false} }

// Conflict says which unique entry belongs to another record already.
type Conflict struct{ Index, Value string }

// Error names the index and the value.
func (c *Conflict) Error() string {
	return fmt.Sprintf("index %s: another record holds %q", c.Index, c.Value)
}

// Find returns the first record, by key, under the entry.
func (t *Table[K, V]) Find(index, value string) (V, bool) {
	for _, v := range t.Where(index, value) {
		return v, true
	}
	var none V
	return none, false
}

// Where yields the records under the entry by ascending key. Like All it walks
// the table as it is now.
func (t *Table[K, V]) Where(index, value string) iter.Seq2[K, V] {
	now := *t
	return func(yield func(K, V) bool) {
		for k := range now.keys(index, value) {
			if v, ok := now.Get(k); ok && !yield(k, v) {
				return
			}
		}
	}
}

// Count is the number of records under the entry.
func (t *Table[K, V]) Count(index, value string) int {
	n := 0
	for range t.keys(index, value) {
		n++
	}
	return n
}

// ref ties an index entry to a record; the tree of them is every index at once.
type ref[K cmp.Ordered] struct {
	index, value string
	key          K
}

func byRef[K cmp.Ordered](a, b ref[K]) int {
	return cmp.Or(cmp.Compare(a.index, b.index), cmp.Compare(a.value, b.value), cmp.Compare(a.key, b.key))
}

func (t *Table[K, V]) keys(index, value string) iter.Seq[K] {
	refs := t.refs
	return func(yield func(K) bool) {
		before := func(r ref[K]) bool {
			return cmp.Or(cmp.Compare(r.index, index), cmp.Compare(r.value, value)) < 0
		}
		ascend(refs, before, func(r ref[K]) bool {
			return r.index == index && r.value == value && yield(r.key)
		})
	}
}

func (t *Table[K, V]) unindex(key K, old V) {
	for _, e := range entriesOf(old) {
		t.refs = remove(t.refs, ref[K]{e.Index, e.Value, key}, byRef)
	}
}

func entriesOf[V any](v V) []Entry {
	if i, ok := any(v).(Indexed); ok {
		return i.Indexes()
	}
	return nil
}
