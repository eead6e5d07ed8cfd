package scenariotest

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// Report collects the reports of a function under test, which ends with Test.
type Report struct {
	testing.TB
	Test   testing.TB
	Errors strings.Builder // of Errorf
	All    strings.Builder // of Errorf and Logf
}

// Helper does nothing.
func (*Report) Helper() {}

// Context is that of the test.
func (r *Report) Context() context.Context { return r.Test.Context() }

// Errorf implements testing.TB.
func (r *Report) Errorf(format string, of ...any) {
	fmt.Fprintf(&r.Errors, format, of...)
	r.Logf(format, of...)
}

// Logf implements testing.TB.
func (r *Report) Logf(format string, of ...any) { fmt.Fprintf(&r.All, format, of...) }
