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
	places places[int64]
}

// block holds some records. The text of a free place is empty.
type block struct {
	keys  [perBlock]int64
	texts [perBlock]string
	// sieve is nil in the first block, where all texts are examined. Most stores of
	// tests need no other block.
	sieve sieve
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
	at, begun := x.places.take(key)
	if begun {
		added := &block{}
		if at > 0 {
			added.sieve = make(sieve, fewRows)
		}
		x.blocks = append(x.blocks, added)
	}
	block, i := x.blocks[at/perBlock], at%perBlock
	block.keys[i], block.texts[i] = key, text
	block.sieve.add(i, text)
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

func (x *TextIndex) remove(key int64) {
	at, ok := x.places.drop(key)
	if !ok {
		return
	}
	block, i := x.blocks[at/perBlock], at%perBlock
	block.keys[i], block.texts[i] = 0, ""
	block.sieve.clear(i)
}

// Find returns, in ascending order, the keys with a text that has the part in it, in
// any case. The part must not be empty.
func (x *TextIndex) Find(part string) []int64 {
	part = strings.ToLower(part)
	rows := rowsOf(part, fewRows)
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
