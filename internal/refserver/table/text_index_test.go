package table

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// letters are those of random texts: few, so that parts are found; some whose lower case has another length
// than they have, or is the lower case of two of them; and bytes that are no letters.
var letters = []string{
	"a", "A", "b", "é", "É", "ñ", "ß", "ẞ", "İ", "i", "ſ", "K", "k", "日", "本",
	" ", "-", "%", "\x00", "\xff", "\xc3",
}

func text(rnd *rand.Rand, most int) string {
	var b strings.Builder
	for range rnd.IntN(most + 1) {
		b.WriteString(letters[rnd.IntN(len(letters))])
	}
	return b.String()
}

// linear is the rule that an index has to follow.
func linear(texts map[int64][]string, part string) []int64 {
	var out []int64
	for key, all := range texts {
		has := func(s string) bool { return strings.Contains(strings.ToLower(s), strings.ToLower(part)) }
		if slices.ContainsFunc(all, has) {
			out = append(out, key)
		}
	}
	slices.Sort(out)
	return out
}

// From any changes, an index finds what a look at all texts finds.
func TestIndexIsLinear(t *testing.T) {
	const keys = 300 // of some five blocks
	found := 0
	for seed := range uint64(20) {
		rnd := rand.New(rand.NewPCG(seed, 0))
		var x TextIndex
		held := map[int64][]string{}
		for step := range 1000 {
			key := rnd.Int64N(keys)
			switch rnd.IntN(4) {
			case 0:
				x.Put(key)
				delete(held, key)
			default:
				texts := []string{text(rnd, 12), text(rnd, 3)}
				x.Put(key, texts...)
				held[key] = texts
			}
			if step%5 > 0 {
				continue
			}
			part := letters[rnd.IntN(len(letters))] + text(rnd, 3)
			if texts := held[rnd.Int64N(keys)]; len(texts) > 0 && texts[0] != "" && rnd.IntN(2) == 0 {
				from := rnd.IntN(len(texts[0]))
				part = texts[0][from : from+1+rnd.IntN(len(texts[0])-from)]
			}
			got, want := x.Find(part), linear(held, part)
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d, step %d, %q: got %v, want %v", seed, step, part, got, want)
			}
			found += len(want)
		}
	}
	if found < 10000 {
		t.Errorf("the searches found %d, so the test shows little", found)
	}
}

func TestIndexFinds(t *testing.T) {
	var x TextIndex
	x.Put(2, "Remera Azul", "REM-1")
	x.Put(1, "Camisa", "azul")
	for part, want := range map[string][]int64{
		"azul": {1, 2}, "AZUL": {1, 2}, "rem": {2}, "m-": {2}, "1": {2},
		"Camisaazul": nil, "Azul\xff": nil, "\xff": nil, "\xffrem": nil,
	} {
		if got := x.Find(part); !slices.Equal(got, want) {
			t.Errorf("%q: got %v, want %v", part, got, want)
		}
	}
}

// Places that were left are taken again, so that changes do not make an index grow.
func TestIndexReusesPlaces(t *testing.T) {
	var x TextIndex
	for i := range int64(10 * perBlock) {
		x.Put(i, "text")
		x.Put(i, "another")
		x.Put(i - 5)
	}
	if len(x.blocks) != 1 || len(x.places.of) != 5 {
		t.Errorf("got %d blocks and %d places, want 1 and 5", len(x.blocks), len(x.places.of))
	}
}
