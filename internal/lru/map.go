package lru

import "iter"

// Map is a map whose pairs are in the order of their last use. The zero Map is empty and ready to use.
type Map[K comparable, V any] struct {
	byKey          map[K]*pair[K, V]
	oldest, newest *pair[K, V]
}

// pair is a key with its value, between its neighbours in the order of use.
type pair[K comparable, V any] struct {
	key          K
	value        V
	older, newer *pair[K, V]
}

// Len returns the number of pairs.
func (m *Map[K, V]) Len() int { return len(m.byKey) }

// Get returns the value of a key, and marks it as used now.
func (m *Map[K, V]) Get(key K) (value V, ok bool) {
	p, ok := m.byKey[key]
	if !ok {
		return value, false
	}
	m.unlink(p)
	m.link(p)
	return p.value, true
}

// Peek returns the value of a key, and leaves the order as it is.
func (m *Map[K, V]) Peek(key K) (value V, ok bool) {
	if p, ok := m.byKey[key]; ok {
		return p.value, true
	}
	return value, false
}

// Put sets the value of a key, and marks it as used now.
func (m *Map[K, V]) Put(key K, value V) {
	m.Remove(key)
	if m.byKey == nil {
		m.byKey = make(map[K]*pair[K, V])
	}
	p := &pair[K, V]{key: key, value: value}
	m.byKey[key] = p
	m.link(p)
}

// Remove removes a key with its value, if it is there.
func (m *Map[K, V]) Remove(key K) {
	if p, ok := m.byKey[key]; ok {
		delete(m.byKey, key)
		m.unlink(p)
	}
}

// All ranges over the pairs, beginning with the one that was not used for longest. The body of the loop may remove the
// pair that it has. Other changes of the order are not allowed in it.
func (m *Map[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) {
		for p := m.oldest; p != nil; {
			next := p.newer // before the body removes p
			if !yield(p.key, p.value) {
				return
			}
			p = next
		}
	}
}

// link makes a pair the newest.
func (m *Map[K, V]) link(p *pair[K, V]) {
	p.older, p.newer = m.newest, nil
	if p.older == nil {
		m.oldest = p
	} else {
		p.older.newer = p
	}
	m.newest = p
}

// unlink joins the neighbours of a pair.
func (m *Map[K, V]) unlink(p *pair[K, V]) {
	if p.older == nil {
		m.oldest = p.newer
	} else {
		p.older.newer = p.newer
	}
	if p.newer == nil {
		m.newest = p.older
	} else {
		p.newer.older = p.older
	}
}
