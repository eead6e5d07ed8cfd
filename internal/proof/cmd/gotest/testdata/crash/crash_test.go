// Package crash ends as the race detector ends a binary.
package crash

import (
	"os"
	"testing"
)

func TestCrash(*testing.T) {
	_, _ = os.Stderr.WriteString("==1==ThreadSanitizer: CHECK failed: tsan_rtl.cpp:346\n")
	os.Exit(66)
}
