package callback

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// held returns how many places stores get that want so many, one after another: "1:40 2:40".
func held(most int, wants ...[2]int) string {
	g := NewGate(most)
	var got []string
	for _, w := range wants {
		n := 0
		for range w[1] {
			if g.admits(Party{Store: client.ID(w[0])}) {
				g.hold(Party{Store: client.ID(w[0])})
				n++
			}
		}
		got = append(got, fmt.Sprint(n))
	}
	return strings.Join(got, " ")
}

func TestGate(t *testing.T) {
	for _, v := range []struct {
		name  string
		most  int
		wants [][2]int
		want  string
	}{
		{"a store alone", 64, [][2]int{{1, 100}}, "64"},
		{"two stores", 64, [][2]int{{1, 1}, {2, 100}, {1, 100}}, "1 32 15"},
		{"a store that had all, and then another", 64, [][2]int{{1, 100}, {2, 100}, {1, 100}}, "64 16 0"},
		{"seven that hang, and a quiet one", 64, [][2]int{{1, 100}, {2, 100}, {3, 100}, {4, 100}, {5, 100}, {6, 100},
			{7, 1}}, "64 16 8 4 2 1 1"},
		{"as many stores as places", 3, [][2]int{{1, 1}, {2, 1}, {3, 1}, {4, 1}}, "1 1 1 0"},
		{"a single place", 1, [][2]int{{1, 2}, {2, 1}}, "1 0"},
		{"two places", 2, [][2]int{{1, 3}, {2, 2}}, "2 1"},
	} {
		if got := held(v.most, v.wants...); got != v.want {
			t.Errorf("%s: got %s, want %s", v.name, got, v.want)
		}
	}
	// What is given back can be had again, in any order.
	g := NewGate(4)
	for range 3 {
		for _, store := range []client.ID{1, 1, 1, 1, 2} {
			if !g.Take(t.Context(), Party{Store: store}) {
				t.Fatalf("store %d has no place", store)
			}
		}
		for _, store := range []client.ID{1, 2, 1, 1, 1} {
			g.Give(Party{Store: store})
		}
		if g.all != 0 || g.counted != 0 || len(g.held) != 0 {
			t.Fatalf("%d places, %d of them counted, are held by %d stores", g.all, g.counted, len(g.held))
		}
	}
}

// A part of a store leaves places for the other parts. Several parts may take all of them.
func TestGateOfParts(t *testing.T) {
	for _, most := range []int{4, 8, 10, 128} {
		g := NewGate(most)
		var held []Party
		take := func(part string, wants int) (got int) {
			for range wants {
				if p := (Party{Store: 1, Part: part}); g.admits(p) {
					g.hold(p)
					held = append(held, p)
					got++
				}
			}
			return got
		}
		if a, b := take("a", 2*most), take("b", 1); a != 3*most/4 || b != 1 {
			t.Errorf("of %d places a part alone got %d, and another one %d; want three quarters and 1", most, a, b)
		}
		for n := range most {
			take(fmt.Sprint("c", n), 1)
		}
		if g.all != most {
			t.Errorf("of %d places a store alone got %d, want all", most, g.all)
		}
		for _, p := range held {
			g.Give(p)
		}
		if g.all != 0 || len(g.parts) != 0 {
			t.Errorf("%d places are held by %d parts at the end", g.all, len(g.parts))
		}
	}
}

// A place that is free goes to the request that has waited longest of those whose store may have it.
func TestGateGivesPlaces(t *testing.T) {
	for _, v := range []struct {
		most              int
		hold, wait, given []client.ID
		got               string // store/arrival, sorted
	}{
		{4, []client.ID{1, 1, 2, 3}, []client.ID{1, 2, 2, 4, 4}, []client.ID{1, 3, 1, 2}, "1/0 2/1 4/3"},
		{3, []client.ID{1, 2}, []client.ID{2, 1}, []client.ID{1}, "1/1 2/0"},
	} {
		synctest.Test(t, func(t *testing.T) {
			g := NewGate(v.most)
			for _, store := range v.hold {
				g.hold(Party{Store: store})
			}
			var mu sync.Mutex
			var order []string
			for i, store := range v.wait {
				time.Sleep(100 * time.Microsecond)
				go func() {
					if g.Take(t.Context(), Party{Store: store}) {
						mu.Lock()
						defer mu.Unlock()
						order = append(order, fmt.Sprint(store, "/", i))
					}
				}()
			}
			synctest.Wait()
			for _, store := range v.given {
				g.Give(Party{Store: store})
				synctest.Wait()
			}
			time.Sleep(patience)
			synctest.Wait()
			slices.Sort(order)
			if got := strings.Join(order, " "); got != v.got {
				t.Errorf("places went to %s, want %s", got, v.got)
			}
			if g.waiters.Len() > 0 {
				t.Errorf("%d requests still wait", g.waiters.Len())
			}
		})
	}
}

// More than a bounded number of requests do not wait for a place.
func TestGateBoundsItsQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewGate(1)
		g.hold(Party{Store: 1})
		for range mostPatient {
			go g.Take(t.Context(), Party{Store: 2})
		}
		synctest.Wait()
		if began := time.Now(); g.Take(t.Context(), Party{Store: 3}) || time.Since(began) > 0 {
			t.Errorf("one more request waited %v", time.Since(began))
		}
		time.Sleep(patience)
	})
}
