package table

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// A walk over the changes finds each difference between two versions, in order, and little else.
func TestSince(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, records := range []int{0, 1, 50, 5000} {
		var tb Table[int64, int]
		for range records {
			_ = tb.Put(rnd.Int64N(6000), rnd.IntN(3))
		}
		for _, changes := range []int{0, 1, 3, 40, 4000} {
			was := tb
			for range changes {
				if k := rnd.Int64N(6000); rnd.IntN(3) == 0 {
					tb.Delete(k)
				} else {
					_ = tb.Put(k, 1+rnd.IntN(3))
				}
			}
			var walked []int64
			got := map[int64]Change[int]{}
			for k, c := range tb.Since(was) {
				walked = append(walked, k)
				if got[k] = c; c.Before == c.After {
					delete(got, k)
				}
			}
			if want := differences(was, tb); !maps.Equal(got, want) {
				t.Errorf("%d records, %d changes: got %v, want %v", records, changes, got, want)
			}
			if !slices.IsSorted(walked) || len(slices.Compact(slices.Clone(walked))) != len(walked) {
				t.Errorf("%d records, %d changes: the walk is not in order: %v", records, changes, walked)
			}
			if most := 40 * changes; len(walked) > most {
				t.Errorf("%d records, %d changes: walked over %d, want %d at most", records, changes, len(walked), most)
			}
		}
	}
}

// differences are found by a look at every record of both.
func differences(was, now Table[int64, int]) map[int64]Change[int] {
	out := map[int64]Change[int]{}
	for k := range int64(6000) {
		before, _ := was.Get(k)
		if after, _ := now.Get(k); before != after {
			out[k] = Change[int]{before, after}
		}
	}
	return out
}

func TestSinceEndsEarly(t *testing.T) {
	var tb Table[int64, int]
	for i := range int64(10) {
		_ = tb.Put(i, 1)
	}
	var walked []int64
	for k := range tb.Since(Table[int64, int]{}) {
		if walked = append(walked, k); k == 3 {
			break
		}
	}
	if want := []int64{0, 1, 2, 3}; !slices.Equal(walked, want) {
		t.Errorf("got %v, want %v", walked, want)
	}
}
