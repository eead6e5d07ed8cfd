package main

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	fine  = "ok  \texample.com/a\t1.0s\n?   \texample.com/n\t[no test files]\n"
	crash = "==7==ThreadSanitizer: CHECK failed: tsan_rtl.cpp:346 (tid=8)\n-test.shuffle 12\nexit status 66\nFAIL\texample.com/b\t3.1s\n"
	wrong = "--- FAIL: TestX (0.00s)\n    x_test.go:1: got 1\nFAIL\nFAIL\texample.com/c\t0.1s\n"
)

// Only what the detector ended is tested again, and only if nothing else failed.
func TestRun(t *testing.T) {
	flags := []string{"-race", "-count=1"}
	for name, tt := range map[string]struct {
		outputs []string // of one test after another; the last one that fails is the error
		args    []string // of the last test
		fails   bool
	}{
		"success":                         {[]string{fine}, []string{"./..."}, false},
		"a crash":                         {[]string{fine + crash, fine}, []string{"example.com/b"}, false},
		"two crashes of one package":      {[]string{crash, crash, fine}, []string{"example.com/b"}, false},
		"three crashes of one package":    {[]string{crash, crash, crash}, []string{"example.com/b"}, true},
		"a failure":                       {[]string{fine + wrong}, []string{"./..."}, true},
		"a failure beside a crash":        {[]string{wrong + crash}, []string{"./..."}, true},
		"a failure before a crash":        {[]string{"--- FAIL: TestB (0.00s)\n" + crash}, []string{"./..."}, true},
		"a race before a crash":           {[]string{"WARNING: DATA RACE\n" + crash}, []string{"./..."}, true},
		"a panic before a crash":          {[]string{"panic: x\n" + crash}, []string{"./..."}, true},
		"a failure when it is repeated":   {[]string{crash, wrong}, []string{"example.com/b"}, true},
		"no build":                        {[]string{"FAIL\texample.com/d [build failed]\n" + crash}, []string{"./..."}, true},
		"an end without a reason":         {[]string{"exit status 2\nFAIL\texample.com/e\t0.1s\n"}, []string{"./..."}, true},
		"no output":                       {[]string{""}, []string{"./..."}, false},
		"a crash of a package that is ok": {[]string{"ThreadSanitizer: CHECK failed\n" + fine + wrong}, []string{"./..."}, true},
	} {
		var n int
		var last []string
		var out strings.Builder
		err := run(t.Context(), &out, append(slices.Clone(flags), "./..."), func(_ context.Context, w io.Writer, args []string) error {
			last = args
			text := tt.outputs[n]
			n++
			_, _ = io.WriteString(w, text)
			if strings.Contains(text, "FAIL") {
				return errors.New("exit status 1")
			}
			return nil
		})
		if want := append(slices.Clone(flags), tt.args...); n != len(tt.outputs) || !slices.Equal(last, want) || (err != nil) != tt.fails {
			t.Errorf("%s: %d tests, the last with %q, %v; want %d, with %q, failed: %v", name, n, last, err, len(tt.outputs), want, tt.fails)
		}
		for _, text := range tt.outputs {
			if !strings.Contains(out.String(), text) {
				t.Errorf("%s: the output lacks %q", name, text)
			}
		}
	}
}

// What go test itself prints is understood: one binary ends as the detector ends it.
func TestGoTest(t *testing.T) {
	var out strings.Builder
	err := run(t.Context(), &out, []string{"-count=1", "./testdata/crash", "./testdata/fine"}, goTest)
	const again = "no test failed; testing again: github.com/commerceplatform/commerce-go/internal/proof/cmd/gotest/testdata/crash\n"
	if err == nil || strings.Count(out.String(), again) != 2 || strings.Count(out.String(), "ok  \t") != 1 {
		t.Errorf("got %v, want a package tested three times:\n%s", err, &out)
	}
}
