package table

import (
	"math/bits"
	"slices"
	"strings"
)

// TextIndex finds keys by a part of their texts. The zero value is empty and ready.
// An TextIndex that several goroutines use needs a lock around it.
type TextIndex struct {
	blocks []*block
	// places has, for each key, the index of its block times perBlock plus its index there.
	places map[int64]int
	// free lists the places without a key.
	free []int
}

// perBlock is how many records a block has: as many as there are bits in a word.
const perBlock = bits.UintSize

// block holds some records. The text of a free place is empty.
type block struct {
	keys  [perBlock]int64
	texts [perBlock]string
	// sieve is nil in the first block, where all texts are examined. Most stores of
	// tests need no other block.
	sieve *sieve
}

// separator ends each text of a record. strings.ToLower returns valid UTF-8, which
// never contains this byte, so no part matches across two texts.
const separator = "\xff"

// Put replaces the texts of the key. A key whose texts are all empty is not held.
func (x *TextIndex) Put(key int64, texts ...string) {
	x.remove(key)
	text := inLowerCase(texts)
	if text == "" {
		return
	}
	at := x.place()
	block, i := x.blocks[at/perBlock], at%perBlock
	block.keys[i], block.texts[i] = key, text
	block.sieve.add(i, text)
	if x.places == nil {
		x.places = make(map[int64]int)
	}
	x.places[key] = at
}

// inLowerCase joins the texts that are not empty.
func inLowerCase(texts []string) string {
	size := 0
	for _, text := range texts {
		size += len(text) + len(separator)
	}
	var b strings.Builder
	b.Grow(size)
	for _, text := range texts {
		if text != "" {
			b.WriteString(strings.ToLower(text))
			b.WriteString(separator)
		}
	}
	return b.String()
}

// place returns a free place for a record.
func (x *TextIndex) place() int {
	if len(x.free) == 0 {
		first := len(x.blocks) * perBlock
		added := &block{}
		if first > 0 {
			added.sieve = new(sieve)
		}
		x.blocks = append(x.blocks, added)
		for i := perBlock - 1; i >= 0; i-- {
			x.free = append(x.free, first+i)
		}
	}
	last := len(x.free) - 1
	at := x.free[last]
	x.free = x.free[:last]
	return at
}

func (x *TextIndex) remove(key int64) {
	at, ok := x.places[key]
	if !ok {
		return
	}
	block, i := x.blocks[at/perBlock], at%perBlock
	block.keys[i], block.texts[i] = 0, ""
	block.sieve.clear(i)
	delete(x.places, key)
	x.free = append(x.free, at)
}

// Find returns, in ascending order, the keys with a text that has the part in it, in
// any case. The part must not be empty.
func (x *TextIndex) Find(part string) []int64 {
	part = strings.ToLower(part)
	rows := rowsOf(part)
	var out []int64
	for _, b := range x.blocks {
		for candidates := b.sieve.candidates(rows); candidates != 0; candidates &= candidates - 1 {
			if i := bits.TrailingZeros(candidates); strings.Contains(b.texts[i], part) {
				out = append(out, b.keys[i])
			}
		}
	}
	if !slices.IsSorted(out) {
		slices.Sort(out)
	}
	return out
}
