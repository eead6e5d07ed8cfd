package statetest

import (
	"testing"

	"github.com/commerceplatform/commerce-go/internal/tier"
)

// Run plays all packages through all scenarios.
func Run(t *testing.T, e Engine) {
	for _, row := range rows() {
		t.Run(row.Name, func(t *testing.T) {
			t.Parallel()
			for _, s := range []struct {
				name string
				play func(t *testing.T, w *World, row Row)
			}{{"Killed", killed}, {"Panics", panics}, {"Writers", writers}} {
				t.Run(s.name, func(t *testing.T) { s.play(t, newWorld(t, e, e.New(t), row), row) })
			}
			for _, way := range e.Ways[:tier.Size(min(2, len(e.Ways)), len(e.Ways), len(e.Ways))] {
				t.Run("Writers/"+way.Name, func(t *testing.T) { writers(t, newWorld(t, e, way.New(t), row), row) })
			}
		})
	}
}
