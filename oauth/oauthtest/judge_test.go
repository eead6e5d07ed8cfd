package oauthtest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
)

// recorder is a test that notes how it failed.
type recorder struct {
	testing.TB
	mu     sync.Mutex
	failed []string
	fatal  func()
}

func (*recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failed = append(r.failed, fmt.Sprintf(format, args...))
}

func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	r.fatal()
}

func (r *recorder) Fatal(args ...any) { r.Fatalf("%s", fmt.Sprint(args...)) }

// judge returns the rules that a design breaks.
func judge[S any](t *testing.T, rules []rule[S], open func() []S) (broken []string) {
	t.Helper()
	for _, r := range rules {
		synctest.Test(t, func(t *testing.T) { // designs sleep where a rival can pass them
			rec, stopped := &recorder{TB: t}, errors.New("stopped")
			rec.fatal = func() { panic(stopped) }
			func() {
				defer func() {
					if reason := recover(); reason != nil && reason != stopped {
						panic(reason)
					}
				}()
				r.test(&probe[S]{TB: rec, handles: open()})
			}()
			if len(rec.failed) > 0 {
				broken = append(broken, r.name)
			}
		})
	}
	return broken
}

// expect fails the test unless a design breaks a rule; with no rule, unless it breaks none.
func expect(t *testing.T, broken []string, rule string) {
	t.Helper()
	t.Logf("breaks %s", strings.Join(broken, ", "))
	if rule == "" && len(broken) > 0 || rule != "" && !slices.Contains(broken, rule) {
		t.Errorf("breaks %q, want %q among them", broken, rule)
	}
}
