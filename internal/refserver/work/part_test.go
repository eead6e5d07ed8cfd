package work

import (
	"fmt"
	"math"
	"testing"
)

func TestPart(t *testing.T) {
	keys := []int64{2, 3, 5, 8, 13}
	for _, c := range []struct {
		part Part
		want string
	}{
		{Part{After: math.MinInt64, Most: 2}, "[2 3]"},
		{Part{After: 3, Most: 2}, "[5 8]"},
		{Part{After: 4, Most: 9}, "[5 8 13]"},
		{Part{After: 13, Most: 9}, "[]"},
		{Part{After: math.MaxInt64, Newest: true, Most: 2}, "[13 8]"},
		{Part{After: 8, Newest: true, Most: 2}, "[5 3]"},
		{Part{After: 4, Newest: true, Most: 9}, "[3 2]"},
		{Part{After: 2, Newest: true, Most: 9}, "[]"},
	} {
		looks := 0
		got := Of(c.part, len(keys), func(i int) int64 { looks++; return keys[i] }, func(i int) int64 { return keys[i] })
		if fmt.Sprint(got) != c.want || looks > 6 {
			t.Errorf("%+v: got %v after %d looks, want %s", c.part, got, looks, c.want)
		}
	}
	var l Log[int]
	for range 30 {
		l.Add(0, func(r *int, n int) { *r = n })
	}
	got := l.Part(Part{After: math.MaxInt64, Newest: true, Most: 3}, func(r int) int64 { return int64(r) })
	if fmt.Sprint(got) != "[30 29 28]" {
		t.Errorf("got %v", got)
	}
}
