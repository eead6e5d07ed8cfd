package table

import "math/bits"

// perBlock is how many records a block has: as many as there are bits in a word.
const perBlock = bits.UintSize

// places are the places of records in blocks. The zero value is empty and ready.
type places[K comparable] struct {
	// of has, for each key, the index of its block times perBlock plus its index there.
	of map[K]int
	// free lists the places without a key.
	free   []int
	blocks int
}

// take gives a key a free place. It reports whether the place is the first of another block.
func (p *places[K]) take(key K) (at int, begun bool) {
	if begun = len(p.free) == 0; begun {
		first := p.blocks * perBlock
		p.blocks++
		for i := perBlock - 1; i >= 0; i-- {
			p.free = append(p.free, first+i)
		}
	}
	last := len(p.free) - 1
	at, p.free = p.free[last], p.free[:last]
	if p.of == nil {
		p.of = make(map[K]int)
	}
	p.of[key] = at
	return at, begun
}

// drop frees the place of a key, unless it has none.
func (p *places[K]) drop(key K) (at int, ok bool) {
	if at, ok = p.of[key]; ok {
		delete(p.of, key)
		p.free = append(p.free, at)
	}
	return at, ok
}
