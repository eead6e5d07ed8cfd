package statetest

import (
	"errors"
	"testing"
)

var errApp = errors.New("the disk of the app is full")

// panics has functions of the app fail and panic. The act was not done then. The next one does not wait for it,
// although the process has one connection and the context of the failed act has not ended.
func panics(t *testing.T, w *World, row Row) {
	w.DB.SetMaxOpenConns(1)
	f := row.Open(w, w.DB)
	for i, hook := range []func() error{func() error { return errApp }, func() error { panic(errApp) }} {
		n := 2 * i
		w.hook.Store(hook)
		if err := recovered(func() error { return f.Act(t.Context(), n) }); !errors.Is(err, errApp) {
			t.Errorf("act %d: got %v, want the failure of the app", n, err)
		}
		w.hook.Store(func() error { return nil })
		if ok, err := f.Has(t.Context(), n); ok || err != nil {
			t.Errorf("act %d failed: %v, %v; want that it was not done", n, ok, err)
		}
		if err := acts(t, f, n+1); err != nil {
			t.Errorf("the act after it: %v", err)
		}
		w.expire(t, row)
		w.continues(t, f, n, n+1)
	}
}

// recovered calls a function, and returns a panic as its error.
func recovered(f func() error) (err error) {
	defer func() {
		if v, is := recover().(error); is {
			err = v
		}
	}()
	return f()
}
