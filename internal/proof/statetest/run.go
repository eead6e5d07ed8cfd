package statetest

import (
	"testing"

	"github.com/commerceplatform/commerce-go/internal/tier"
)

// scenario is a rule that all packages follow.
type scenario struct {
	name string
	of   func(Row) bool // nil means all rows
	play func(t *testing.T, w *World, row Row)
}

func scenarios() []scenario {
	return []scenario{
		{"Killed", nil, killed},
		{"Panics", func(r Row) bool { return r.Calls }, panics},
		{"Writers", nil, writers},
		{"Processes", nil, processes},
		{"Restored", nil, restored},
		{"Damaged", func(r Row) bool { return r.Damage != nil }, damaged},
		{"Clocks", nil, clocks},
		{"Claimed", func(r Row) bool { return r.Claim != "" }, claimed},
		{"Apps", nil, apps},
	}
}

// Run plays all packages through all scenarios.
func Run(t *testing.T, e Engine) {
	if e.Failover != nil && tier.Size(false, true, true) {
		t.Run("Failover", func(t *testing.T) {
			t.Parallel()
			failover(t, e, e.Failover(t))
		})
	}
	ways := e.Ways[:tier.Size(min(2, len(e.Ways)), len(e.Ways), len(e.Ways))]
	for _, row := range rows() {
		t.Run(row.Name, func(t *testing.T) {
			t.Parallel()
			for _, s := range scenarios() {
				if s.of == nil || s.of(row) {
					t.Run(s.name, func(t *testing.T) { s.play(t, newWorld(t, e, e.New(t), row), row) })
				}
			}
			for _, way := range ways {
				t.Run("Writers/"+way.Name, func(t *testing.T) {
					w := newWorld(t, e, way.New(t), row)
					if way.Connect != nil {
						w.Connect = way.Connect
					}
					writers(t, w, row)
				})
			}
		})
	}
}

// rule is a test of a package alone.
type rule struct {
	name string
	test func(t *testing.T, e Engine)
}

// Rules tests the rules of each package alone.
func Rules(t *testing.T, e Engine) {
	t.Run("tables", func(t *testing.T) {
		t.Parallel()
		migrations(t, e)
	})
	t.Run("values", func(t *testing.T) {
		t.Parallel()
		refusedValues(t, e)
	})
	for _, row := range rows() {
		for _, r := range row.Rules {
			t.Run(row.Name+"/"+r.name, func(t *testing.T) {
				t.Parallel()
				r.test(t, e)
			})
		}
	}
}
