package proctest

import (
	"os"
	"runtime/debug"
	"slices"
)

// EnvFlags is the variable with the flags (as in GOFLAGS) with which the tests were compiled.
const EnvFlags = "COMMERCE_TEST_GOFLAGS"

// BuildFlags returns the flags, as in GOFLAGS, with which this test was compiled. A program that a test builds is built
// with the same, because packages of others are compiled already then: SQLite takes a minute.
func BuildFlags() string {
	if flags, set := os.LookupEnv(EnvFlags); set {
		return flags
	}
	info, ok := debug.ReadBuildInfo()
	if ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		return "-race"
	}
	return ""
}
