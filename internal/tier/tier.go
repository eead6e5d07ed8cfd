package tier

import (
	"fmt"
	"os"
)

// Variable is the environment variable with the tier. Unset is make test; the other values are "prove" and "soak".
const Variable = "COMMERCE_TEST_TIER"

// Size returns test, prove or soak, depending on the tier of this run. It panics if the tier is unknown.
func Size[T any](test, prove, soak T) T {
	switch tier := os.Getenv(Variable); tier {
	case "":
		return test
	case "prove":
		return prove
	case "soak":
		return soak
	default:
		panic(fmt.Sprintf("%s is %q, must be unset, prove or soak", Variable, tier))
	}
}

// Unwatched is Size for a walk that the race detector makes ten times slower. With the detector, a walk always has its
// size of make test. The target check runs walks without the detector, at the size of make prove.
func Unwatched[T any](test, prove, soak T) T {
	if watched {
		return test
	}
	return Size(test, prove, soak)
}
