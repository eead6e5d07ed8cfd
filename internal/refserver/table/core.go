package table

import (
	"cmp"
	"iter"
)

// core is what a Table does, whatever the type of its records. Table is only a thin shell
// around it: the methods of a generic type are compiled again in every package that sees
// one of its instances, and there are dozens of those. Walks are not inlined for the
// same reason: such copies were a fifth of what a package compiled to talk to the server.
type core[K cmp.Ordered] struct {
	rows *node[row[K]]
	refs *node[ref[K]]
	// packer is nil if records are kept as they are, and before the first Put.
	packer *packer
}

type row[K cmp.Ordered] struct {
	key K
	val any
}

func byKey[K cmp.Ordered](a, b row[K]) int { return cmp.Compare(a.key, b.key) }

// ref ties an index entry to a record; the tree of them is every index at once.
type ref[K cmp.Ordered] struct {
	index, value string
	key          K
}

func byRef[K cmp.Ordered](a, b ref[K]) int {
	return cmp.Or(cmp.Compare(a.index, b.index), cmp.Compare(a.value, b.value), cmp.Compare(a.key, b.key))
}

func (t *core[K]) get(key K) (any, bool) {
	r, ok := find(t.rows, row[K]{key: key}, byKey)
	return r.val, ok
}

func (t *core[K]) put(key K, val any) error {
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
	if old, ok := t.get(key); ok {
		t.unindex(key, old)
	}
	t.rows = insert(t.rows, row[K]{key, t.packer.pack(val)}, byKey)
	for _, e := range entries {
		t.refs = insert(t.refs, ref[K]{e.Index, e.Value, key}, byRef)
	}
	return nil
}

func (t *core[K]) delete(key K) bool {
	old, ok := t.get(key)
	if !ok {
		return false
	}
	t.unindex(key, old)
	t.rows = remove(t.rows, row[K]{key: key}, byKey)
	return true
}

//go:noinline
func (t *core[K]) all() iter.Seq2[K, any] {
	return t.walk(func(row[K]) bool { return false })
}

//go:noinline
func (t *core[K]) after(key K) iter.Seq2[K, any] {
	return t.walk(func(r row[K]) bool { return r.key <= key })
}

//go:noinline
func (t *core[K]) backward() iter.Seq2[K, any] {
	return t.back(func(row[K]) bool { return false })
}

//go:noinline
func (t *core[K]) before(key K) iter.Seq2[K, any] {
	return t.back(func(r row[K]) bool { return r.key >= key })
}

func (t *core[K]) back(past func(row[K]) bool) iter.Seq2[K, any] {
	rows := t.rows
	return func(yield func(K, any) bool) {
		descend(rows, past, func(r row[K]) bool { return yield(r.key, r.val) })
	}
}

func (t *core[K]) walk(before func(row[K]) bool) iter.Seq2[K, any] {
	rows := t.rows
	return func(yield func(K, any) bool) {
		ascend(rows, before, func(r row[K]) bool { return yield(r.key, r.val) })
	}
}

func (t *core[K]) find(index, value string) (any, bool) {
	for _, val := range t.where(index, value) {
		return val, true
	}
	return nil, false
}

//go:noinline
func (t *core[K]) where(index, value string) iter.Seq2[K, any] {
	now := *t
	return func(yield func(K, any) bool) {
		for k := range now.keys(index, value) {
			if val, ok := now.get(k); ok && !yield(k, val) {
				return
			}
		}
	}
}

func (t *core[K]) count(index, value string) int {
	n := 0
	for range t.keys(index, value) {
		n++
	}
	return n
}

func (t *core[K]) keys(index, value string) iter.Seq[K] {
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

func (t *core[K]) unindex(key K, old any) {
	for _, e := range entriesOf(old) {
		t.refs = remove(t.refs, ref[K]{e.Index, e.Value, key}, byRef)
	}
}
