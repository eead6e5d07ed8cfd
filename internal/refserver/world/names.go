package world

import (
	"fmt"
	"slices"
	"strings"
)

// StoreFeatures returns the features that a store may have.
func StoreFeatures() []string {
	return []string{"inventory-levels", "fulfillment-orders", "fulfillment_order_label_api"}
}

// Known returns an error if there is no such name, with the nearest one. A misspelt name would have no
// effect, and nobody would notice.
func Known(kind, name string, of []string) error {
	if slices.Contains(of, name) {
		return nil
	}
	if near := Nearest(name, of); near != "" {
		return fmt.Errorf("%s %.100q does not exist; the nearest is %s", kind, name, near)
	}
	return fmt.Errorf("%s %.100q: must be one of %s", kind, name, strings.Join(of, ", "))
}

// Nearest is the name that is most like a word, empty if none is like it.
func Nearest(word string, of []string) string {
	best, least := "", min(len(word), 64)/2+1
	for _, name := range of {
		if d := distance(strings.ToLower(word), strings.ToLower(name), least); d < least {
			best, least = name, d
		}
	}
	return best
}

// distance is how many bytes have to change, be left out or put in; most if it is more than that or the words are long.
func distance(a, b string, most int) int {
	if len(a) > 64 || len(b) > 64 || len(a)-len(b) >= most || len(b)-len(a) >= most {
		return most
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := corner
			if a[i] != b[j] {
				change++
			}
			corner = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return min(row[len(b)], most)
}
