package res

import (
	"maps"
	"slices"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// combination is the values of a variant, one per attribute of the product.
type combination = []map[string]string

// alike reports whether two combinations are the same: value by value they have a
// language in common and agree in every language that both have.
func alike(a, b combination) bool { return slices.EqualFunc(a, b, sameValue) }

// sameValue is alike for one value. An empty text is none.
func sameValue(a, b map[string]string) bool {
	common := false
	for language, text := range a {
		other := b[language]
		if text == "" || other == "" {
			continue
		}
		if text != other {
			return false
		}
		common = true
	}
	return common
}

// sameTexts reports whether two combinations have the same texts in the same languages.
func sameTexts(a, b combination) bool {
	return slices.EqualFunc(a, b, maps.Equal[map[string]string, map[string]string])
}

// completeIn reports whether two combinations both have all their values in a language.
func completeIn(language string) func(a, b combination) bool {
	lacks := func(value map[string]string) bool { return value[language] == "" }
	return func(a, b combination) bool { return !slices.ContainsFunc(a, lacks) && !slices.ContainsFunc(b, lacks) }
}

// hasCombination reports whether one of the variants has the combination.
func hasCombination(variants []world.Variant, values combination) bool {
	return slices.ContainsFunc(variants, func(v world.Variant) bool { return alike(v.Values, values) })
}

// claimVariants finds the stored variant of each requested combination, each for one of them only, and returns their
// places by place; -1 means none. An identical combination comes first, then one that is the same in the main language,
// then any other; among equals the first.
func claimVariants(requested, stored []world.Variant, mainLanguage string) []int {
	out := slices.Repeat([]int{-1}, len(requested))
	claimed := make([]bool, len(stored))
	candidates := likenesses(requested, stored)
	for _, fits := range []func(a, b combination) bool{sameTexts, completeIn(mainLanguage), alike} {
		for i, w := range requested {
			for _, j := range candidates[i] {
				if out[i] < 0 && !claimed[j] && fits(w.Values, stored[j].Values) {
					out[i], claimed[j] = j, true
				}
			}
		}
	}
	return out
}

// likenesses are the places of the stored variants that each requested one is like.
func likenesses(requested, stored []world.Variant) [][]int {
	out := make([][]int, len(requested))
	for i, w := range requested {
		for j, v := range stored {
			if alike(w.Values, v.Values) {
				out[i] = append(out[i], j)
			}
		}
	}
	return out
}
