package traffic

import (
	"strconv"
	"strings"
)

// Count is a number with a noun.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + Plural(noun)
}

// Plural is a regular noun in the plural.
func Plural(noun string) string {
	if stem, ok := strings.CutSuffix(noun, "y"); ok {
		return stem + "ies"
	}
	return noun + "s"
}

// Off is an amount that reduces a price, with its sign.
func Off(amount string) string {
	if strings.Trim(amount, "0.") == "" {
		return amount
	}
	return "-" + amount
}
