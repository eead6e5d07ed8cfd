package deviate_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/deviate"
	"github.com/commerceplatform/commerce-go/internal/tier"
)

// TestProofListsEnd reads lists with each combination of a size of pages, a form of Link and a total. What one of the
// three does not say, another one does, and where none of them says anything an empty page is the end. In make test,
// one combination of twelve is tried.
func TestProofListsEnd(t *testing.T) {
	parts := []func(*tour){(*tour).endsOfLists}
	wanted := run(t, nil, nil, deviate.Always(0), parts...).made
	byGroup := map[string][]deviate.Deviation{}
	for _, group := range []string{"pages", "links", "relations", "total", "end"} {
		byGroup[group] = []deviate.Deviation{{}} // none of them
	}
	for _, d := range deviate.All() {
		if rows := byGroup[d.Group]; rows != nil {
			byGroup[d.Group] = append(rows, d)
		}
	}
	r := rand.New(rand.NewPCG(*seedFlag, 2))
	for _, pages := range byGroup["pages"] {
		for _, links := range append(byGroup["links"], byGroup["relations"][1:]...) {
			for _, total := range byGroup["total"] {
				var rows []deviate.Deviation
				for _, d := range []deviate.Deviation{pages, total, links, byGroup["end"][r.IntN(len(byGroup["end"]))]} {
					if d.Name != "" {
						rows = append(rows, d)
					}
				}
				if !deviate.Compatible(rows...) || r.IntN(tier.Unwatched(12, 1, 1)) > 0 {
					continue
				}
				t.Run(strings.ReplaceAll(names(rows), "/", "|"), func(t *testing.T) {
					t.Parallel()
					report(t, run(t, wanted, rows, deviate.Always(*seedFlag, rows...), parts...))
				})
			}
		}
	}
}
