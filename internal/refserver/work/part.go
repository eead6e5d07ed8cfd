package work

import "sort"

// Part is a part of a list whose records have ascending keys.
type Part struct {
	// After is the key that the part begins after. With Newest the part has the records before that key.
	After int64
	// Newest has the record with the greatest key first.
	Newest bool
	// Most is how many records the part has at most.
	Most int
}

// Of returns the part of a list of n records. It finds the beginning without a look at all of them, and calls record
// only for the records that it returns.
func Of[T any](p Part, n int, key func(i int) int64, record func(i int) T) []T {
	begin := sort.Search(n, func(i int) bool { return key(i) > p.After })
	end := min(n, begin+p.Most)
	if p.Newest {
		end = sort.Search(n, func(i int) bool { return key(i) >= p.After })
		begin = max(0, end-p.Most)
	}
	out := make([]T, 0, end-begin)
	for i := begin; i < end; i++ {
		at := i
		if p.Newest {
			at = begin + end - 1 - i
		}
		out = append(out, record(at))
	}
	return out
}
