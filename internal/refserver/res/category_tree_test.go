package res_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/res"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
	"github.com/commerceplatform/commerce-go/internal/tier"
)

// tree is a category in each state a parent can be in.
type tree struct {
	*shop
	lit, dark int64 // a visible category and a hidden one
}

func (f *shop) category(body object) int64 {
	f.Helper()
	return id(f.object("POST /categories", body))
}

func (f *shop) visibility(category int64) world.Visibility {
	f.Helper()
	v, _ := f.object(fmt.Sprintf("GET /categories/%d", category), nil)["visibility"].(string)
	return world.Visibility(v)
}

// in makes a category in a state.
func (f *tree) in(state world.Visibility) int64 {
	f.Helper()
	switch state {
	case world.Hidden:
		return f.category(object{"name": "C", "parent": f.lit, "visibility": "hidden"})
	case world.SoftHidden:
		return f.category(object{"name": "C", "parent": f.dark})
	}
	return f.category(object{"name": "C", "parent": f.lit})
}

// A visibility of null was refused once.
func TestNullVisibilitySaysNothing(t *testing.T) {
	f := open(t)
	dark := f.category(object{"name": "Dark", "visibility": "hidden"})
	below := f.category(object{"name": "Below", "parent": dark, "visibility": nil})
	for category, want := range map[int64]world.Visibility{dark: world.Hidden, below: world.SoftHidden} {
		f.events()
		f.do(fmt.Sprintf("PUT /categories/%d", category), object{"visibility": nil})
		if got := f.visibility(category); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		f.wantEvents()
	}
}

// TestCategoryVisibility walks every edge of the table over HTTP and tries to set
// every state from every other.
func TestCategoryVisibility(t *testing.T) {
	f := &tree{shop: open(t)}
	f.lit, f.dark = f.category(object{"name": "Lit"}), f.category(object{"name": "Dark", "visibility": "hidden"})
	moves := map[string]object{
		"hide":    {"visibility": "hidden"},
		"show":    {"visibility": "visible"},
		"shade":   {"parent": f.dark},
		"unshade": {"parent": f.lit},
	}
	table := res.CategoryVisibility()
	if got := slices.Sorted(slices.Values(table.Events())); !slices.Equal(got, slices.Sorted(maps.Keys(moves))) {
		t.Fatalf("the test does not know the events %v", got)
	}
	seen := map[api.Edge[world.Visibility]]bool{}
	for _, from := range table.States {
		for on, body := range moves {
			c := f.in(from)
			if got := f.visibility(c); got != from {
				t.Fatalf("made %s, want %s", got, from)
			}
			f.do(fmt.Sprintf("PUT /categories/%d", c), body)
			to := f.visibility(c)
			if !table.Leads(from, on, to) {
				t.Errorf("%s led from %s to %s, which is no edge", on, from, to)
			}
			seen[api.Edge[world.Visibility]{From: from, To: to, On: on}] = true
		}
	}
	for _, e := range table.Edges {
		if !seen[e] {
			t.Errorf("nothing went from %s to %s on %s", e.From, e.To, e.On)
		}
	}
	for _, from := range table.States {
		for _, to := range table.States {
			c := f.in(from)
			w := f.send(f.token, fmt.Sprintf("PUT /categories/%d", c), object{"visibility": to})
			// soft-hidden is assigned and cannot be set; where it is, it may be sent back.
			if ok := w.Code == http.StatusOK; ok != (to != world.SoftHidden || from == to) {
				t.Errorf("setting %s on %s: got %d", to, from, w.Code)
			}
			on := map[world.Visibility]string{world.Visible: "show", world.Hidden: "hide"}[to]
			if got := f.visibility(c); got != from && !table.Leads(from, on, got) {
				t.Errorf("setting %s on %s led to %s", to, from, got)
			}
		}
	}
}

// A category that is shown below a hidden ancestor is soft-hidden, never visible.
func TestCategoryShownBelowHidden(t *testing.T) {
	f := open(t)
	top := f.category(object{"name": "Top", "visibility": "hidden"})
	c := f.category(object{"name": "C", "parent": top, "visibility": "hidden"})
	leaf := f.category(object{"name": "Leaf", "parent": c, "visibility": "visible"})
	if got := f.visibility(leaf); got != world.SoftHidden {
		t.Errorf("created below a hidden category: %s", got)
	}
	f.want(f.object(fmt.Sprintf("PUT /categories/%d", c), object{"visibility": "visible"}), object{"visibility": "soft-hidden"})
	f.do(fmt.Sprintf("PUT /categories/%d", top), object{"visibility": "visible"})
	if got := f.visibility(leaf); got != world.Visible {
		t.Errorf("after the top is shown: %s", got)
	}
}

// node is a category as an independent model has it.
type node struct {
	parent int64
	marked bool
}

type model map[int64]node

// state follows the rule as it is written: marked is hidden, otherwise a marked
// ancestor makes it soft-hidden.
func (m model) state(id int64) world.Visibility {
	if m[id].marked {
		return world.Hidden
	}
	for up := m[id].parent; up != 0; up = m[up].parent {
		if m[up].marked {
			return world.SoftHidden
		}
	}
	return world.Visible
}

func (m model) states() map[int64]world.Visibility {
	out := map[int64]world.Visibility{}
	for id := range m {
		out[id] = m.state(id)
	}
	return out
}

func (m model) below(id, above int64) bool {
	for ; id != 0; id = m[id].parent {
		if id == above {
			return true
		}
	}
	return false
}

// TestProofCategoryTree changes random trees and compares visibility and events with the model after every step.
func TestProofCategoryTree(t *testing.T) {
	for seed := range tier.Size[uint64](1, 4, 40) {
		f, m, random := open(t), model{}, rand.New(rand.NewPCG(seed, 1))
		any := func() int64 {
			ids := slices.Sorted(maps.Keys(m))
			return ids[random.IntN(len(ids))]
		}
		for step := range 150 {
			f.clock.Advance(time.Second)
			f.events()
			before, told := m.states(), map[string]bool{}
			if len(m) < 3 || random.IntN(4) == 0 {
				n := node{marked: random.IntN(5) == 0}
				body := object{"name": fmt.Sprint("C", step)}
				if len(m) > 0 && random.IntN(4) > 0 {
					n.parent = any()
					body["parent"] = n.parent
				}
				if n.marked {
					body["visibility"] = "hidden"
				}
				c := f.category(body)
				m[c] = n
				told[fmt.Sprint("category/created ", c)] = true
			} else {
				change(f, m, any(), any(), random, told)
			}
			after := m.states()
			for c, state := range after {
				if old, existed := before[c]; existed && old != state {
					told[fmt.Sprint("category/updated ", c)] = true
				}
				got := f.object(fmt.Sprintf("GET /categories/%d", c), nil)
				if got["visibility"] != string(state) {
					t.Fatalf("seed %d step %d: %d is %v, want %s", seed, step, c, got["visibility"], state)
				}
				if moved := before[c] != state; moved != (got["visibility_updated_at"] == now(f)) {
					t.Fatalf("seed %d step %d: visibility of %d from %s to %s dated %v", seed, step, c, before[c], state, got["visibility_updated_at"])
				}
			}
			f.wantEvents(slices.Collect(maps.Keys(told))...)
		}
	}
}

func now(f *shop) string { return f.clock.Now().Format("2006-01-02T15:04:05-0700") }

// change moves, marks or deletes a category in the server and in the model.
func change(f *shop, m model, c, other int64, random *rand.Rand, told map[string]bool) {
	path := fmt.Sprintf("/categories/%d", c)
	n := m[c]
	switch random.IntN(7) {
	case 0:
		f.do("DELETE "+path, nil)
		delete(m, c)
		told[fmt.Sprint("category/deleted ", c)] = true
		for child, k := range m {
			if k.parent == c {
				m[child] = node{marked: k.marked}
				told[fmt.Sprint("category/updated ", child)] = true
			}
		}
		return
	case 1, 2:
		if m.below(other, c) {
			if w := f.send(f.token, "PUT "+path, object{"parent": other}); w.Code != http.StatusUnprocessableEntity {
				f.Fatalf("a cycle was not refused: %d %s", w.Code, w.Body)
			}
			return
		}
		f.do("PUT "+path, object{"parent": other})
		n.parent = other
	case 3:
		f.do("PUT "+path, object{"parent": nil})
		n.parent = 0
	case 4:
		f.do("PUT "+path, object{"visibility": "hidden"})
		n.marked = true
	default:
		f.do("PUT "+path, object{"visibility": "visible"})
		n.marked = false
	}
	// Marking a category that is marked, and showing one that is not, change nothing.
	if n != m[c] {
		told[fmt.Sprint("category/updated ", c)] = true
	}
	m[c] = n
}
