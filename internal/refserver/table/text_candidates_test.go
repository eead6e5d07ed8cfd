package table

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// From any changes, all records with the parts are candidates, and few others are.
func TestCandidates(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 0))
	var c Candidates
	held := map[string]string{}
	found, others := 0, 0
	for range 3000 {
		key := strconv.Itoa(rnd.IntN(300))
		if rnd.IntN(4) == 0 {
			c.Delete(key)
			delete(held, key)
		} else {
			held[key] = strings.ToLower(text(rnd, 30))
			c.Put(key, held[key])
		}
		var parts []string
		for range 1 + rnd.IntN(2) {
			parts = append(parts, strings.ToLower(text(rnd, 4)))
		}
		got := c.Find(parts)
		if !slices.IsSorted(got) {
			t.Fatalf("%q are not in order", got)
		}
		for _, key := range got {
			if _, ok := held[key]; !ok {
				t.Fatalf("%s was deleted", key)
			}
		}
		for key, text := range held {
			lacks := slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(text, part) })
			long := !slices.ContainsFunc(parts, func(part string) bool { return len(part) < 3 })
			switch candidate := slices.Contains(got, key); {
			case !lacks && !candidate:
				t.Fatalf("%s with %q is no candidate for %q", key, text, parts)
			case !lacks:
				found++
			case candidate && long:
				others++
			}
		}
	}
	if found < 1000 || others > found {
		t.Errorf("%d candidates have the parts, %d others are long and have not", found, others)
	}
}
