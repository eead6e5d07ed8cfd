package table

import (
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

type fruit struct{ Name, Colour string }

func (f fruit) Indexes() []Entry {
	return []Entry{Unique("name", f.Name), Multi("colour", f.Colour)}
}

func keysOf[V any](seq func(func(int64, V) bool)) []int64 {
	var out []int64
	for k := range seq {
		out = append(out, k)
	}
	return out
}

func TestIndexes(t *testing.T) {
	var tb Table[int64, fruit]
	for k, f := range map[int64]fruit{3: {"cherry", "red"}, 1: {"apple", "red"}, 2: {"lime", "green"}} {
		if err := tb.Put(k, f); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := keysOf(tb.Where("colour", "red")), []int64{1, 3}; !slices.Equal(got, want) {
		t.Errorf("red: got %v, want %v", got, want)
	}
	if got, ok := tb.Find("name", "lime"); !ok || got.Colour != "green" {
		t.Errorf("lime: got %v, %v", got, ok)
	}
	var conflict *Conflict
	if err := tb.Put(4, fruit{"lime", "yellow"}); !errors.As(err, &conflict) || tb.Has(4) {
		t.Errorf("a taken name: got %v, kept %v", err, tb.Has(4))
	}
	if err := tb.Put(2, fruit{"lime", "yellow"}); err != nil {
		t.Errorf("a record's own name: got %v", err)
	}
	if n := tb.Count("colour", "green"); n != 0 {
		t.Errorf("green after the change: got %d, want 0", n)
	}
	if !tb.Delete(2) || tb.Delete(2) {
		t.Error("delete must succeed once")
	}
	if _, ok := tb.Find("name", "lime"); ok || tb.Len() != 2 {
		t.Errorf("after delete: found %v, len %d", ok, tb.Len())
	}
	if got, want := keysOf(tb.After(1)), []int64{3}; !slices.Equal(got, want) {
		t.Errorf("after 1: got %v, want %v", got, want)
	}
	if got, want := keysOf(tb.Backward()), []int64{3, 1}; !slices.Equal(got, want) {
		t.Errorf("backward: got %v, want %v", got, want)
	}
	if got, want := keysOf(tb.Before(3)), []int64{1}; !slices.Equal(got, want) {
		t.Errorf("before 3: got %v, want %v", got, want)
	}
}

func TestCopyIsSnapshot(t *testing.T) {
	var tb Table[int64, fruit]
	_ = tb.Put(1, fruit{"apple", "red"})
	was := tb
	_ = tb.Put(1, fruit{"apple", "green"})
	_ = tb.Put(2, fruit{"lime", "green"})
	if got, _ := was.Get(1); got.Colour != "red" || was.Len() != 1 || was.Count("colour", "green") != 0 {
		t.Errorf("the copy changed: %v, len %d", got, was.Len())
	}
}

func TestWalkWhileChanging(t *testing.T) {
	var tb Table[int64, string]
	for i := range int64(10) {
		_ = tb.Put(i, "x")
	}
	n := 0
	for k := range tb.All() {
		tb.Delete(k)
		n++
	}
	if n != 10 || tb.Len() != 0 {
		t.Errorf("walked %d of 10, %d left", n, tb.Len())
	}
}

func TestAgainstMap(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var tb Table[int64, int]
	model := map[int64]int{}
	for i := range 20000 {
		k := rnd.Int64N(700)
		if rnd.IntN(3) == 0 {
			_, had := model[k]
			delete(model, k)
			if tb.Delete(k) != had {
				t.Fatalf("step %d: delete %d: want %v", i, k, had)
			}
			continue
		}
		model[k] = i
		_ = tb.Put(k, i)
	}
	if got, want := keysOf(tb.All()), slices.Sorted(maps.Keys(model)); !slices.Equal(got, want) {
		t.Fatalf("keys: got %d, want %d", len(got), len(want))
	}
	for i, key := range slices.Sorted(maps.Keys(model)) {
		if got := tb.At(i); got != model[key] {
			t.Errorf("at %d: got %d, want %d", i, got, model[key])
		}
	}
	for k, want := range model {
		if got, ok := tb.Get(k); !ok || got != want {
			t.Errorf("get %d: got %d, want %d", k, got, want)
		}
	}
	if d := depth(tb.core.rows); d > 20 {
		t.Errorf("a tree of %d is %d deep", tb.Len(), d)
	}
}

func TestStaysBalanced(t *testing.T) {
	var tb Table[int64, int]
	for i := range int64(1 << 12) {
		_ = tb.Put(i, 0)
	}
	for i := range int64(1<<12 - 16) {
		tb.Delete(i)
	}
	if d := depth(tb.core.rows); d > 8 {
		t.Errorf("16 records in a tree %d deep", d)
	}
}

func depth[E any](n *node[E]) int {
	if n == nil {
		return 0
	}
	return 1 + max(depth(n.l), depth(n.r))
}

func BenchmarkPut(b *testing.B) {
	var tb Table[int64, string]
	for i := range int64(100000) {
		_ = tb.Put(i, "x")
	}
	for i := int64(0); b.Loop(); i++ {
		_ = tb.Put(i%100000, "y")
	}
}
