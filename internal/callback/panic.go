package callback

import "github.com/commerceplatform/commerce-go/internal/rounds"

// ErrExit is the outcome of an app's function that neither returned nor panicked.
var ErrExit = rounds.ErrExit

// Panic is a panic of an app's function as an error.
type Panic = rounds.Panic

// Recovered returns the *Panic of what recover returned. It is to be called by the deferred
// function itself, so that the stack is that of the panic.
func Recovered(value any) error { return rounds.Recovered(value) }

// Panics calls f, and reports whether it panicked.
func Panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}
