package table

import "math/bits"

// sieve holds which trigrams the records of a block have. A row is for all trigrams with the same hash, and has a bit
// for each record. There are a power of two of rows. A nil sieve has all trigrams.
type sieve []uint

// How many rows a sieve has. A record with two short names and ten SKUs has some 50 trigrams, and so a bit in one of 20
// of few rows. An order with all its members has some 500, and so a bit in one of eight of many rows.
const (
	fewRows  = 1 << 10
	manyRows = 1 << 12
)

// rowOf is the row of a trigram, among so many.
func rowOf(a, b, c byte, rows int) int {
	const spread = 0x9e3779b1 // the golden ratio of 2^32
	return int((uint32(a)<<16 | uint32(b)<<8 | uint32(c)) * spread >> (33 - bits.Len(uint(rows))))
}

// rowsOf lists the rows of a text, each once; none for one of one or two bytes.
func rowsOf(text string, rows int) []int {
	var out []int
	seen := make([]bool, rows)
	for i := 2; i < len(text); i++ {
		if row := rowOf(text[i-2], text[i-1], text[i], rows); !seen[row] {
			seen[row] = true
			out = append(out, row)
		}
	}
	return out
}

// add adds the trigrams of a record's text.
func (s sieve) add(record int, text string) {
	if s == nil {
		return
	}
	for i := 2; i < len(text); i++ {
		s[rowOf(text[i-2], text[i-1], text[i], len(s))] |= 1 << record
	}
}

// clear deletes a record.
func (s sieve) clear(record int) {
	for row := range s {
		s[row] &^= 1 << record
	}
}

// candidates has a bit for each record that is in all of the rows: those with a text that
// has the trigrams, and a few more.
func (s sieve) candidates(rows []int) uint {
	all := ^uint(0)
	if s == nil {
		return all
	}
	for _, row := range rows {
		if all &= s[row]; all == 0 {
			return 0
		}
	}
	return all
}
