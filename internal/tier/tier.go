// Package tier is for tests. It selects the size of a proof by the command that runs it.
//
// A proof kills processes, cuts the power or tries random schedules, and finds more the longer it runs. [Size] returns
// its number of steps, kills or seeds: few for make test, which everyone runs, more for make prove, which each change
// must pass, and all for make soak, which takes hours. The name of such a test contains "Proof", because make prove and
// make soak find it by its name. Child processes of a test have the same tier.
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
