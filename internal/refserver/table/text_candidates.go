package table

import (
	"math/bits"
	"slices"
)

// Candidates finds the keys of records whose texts may have some parts. It keeps no texts, so that it suits records
// with long ones: whoever uses it examines the candidates. The zero value is empty and ready. Candidates that several
// goroutines use need a lock around them.
type Candidates struct {
	blocks []*candidates
	places places[string]
}

type candidates struct {
	keys  [perBlock]string
	taken uint
	sieve sieve
}

// Put replaces the text of the key, which must be in lower case.
func (c *Candidates) Put(key, text string) {
	c.Delete(key)
	at, begun := c.places.take(key)
	if begun {
		c.blocks = append(c.blocks, &candidates{sieve: make(sieve, manyRows)})
	}
	b, i := c.blocks[at/perBlock], at%perBlock
	b.keys[i] = key
	b.taken |= 1 << i
	b.sieve.add(i, text)
}

// Delete removes the key.
func (c *Candidates) Delete(key string) {
	at, ok := c.places.drop(key)
	if !ok {
		return
	}
	b, i := c.blocks[at/perBlock], at%perBlock
	b.keys[i] = ""
	b.taken &^= 1 << i
	b.sieve.clear(i)
}

// Find returns, in ascending order, all keys with a text that has each of the parts, which must be in lower case, and
// some other keys. Parts of one or two bytes exclude none.
func (c *Candidates) Find(parts []string) (out []string) {
	var rows []int
	for _, part := range parts {
		rows = append(rows, rowsOf(part, manyRows)...)
	}
	for _, b := range c.blocks {
		for found := b.taken & b.sieve.candidates(rows); found != 0; found &= found - 1 {
			out = append(out, b.keys[bits.TrailingZeros(found)])
		}
	}
	slices.Sort(out)
	return out
}
