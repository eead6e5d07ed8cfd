package rounds

import (
	"errors"
	"fmt"
	"runtime/debug"
)

// ErrExit is the outcome of an app's function that neither returned nor panicked.
var ErrExit = errors.New("ended its goroutine (runtime.Goexit)")

// Panic is a panic of an app's function as an error.
type Panic struct {
	Value any
	Stack []byte
}

// Recovered returns the *Panic of what recover returned. It is to be called by the deferred
// function itself, so that the stack is that of the panic.
func Recovered(value any) error { return &Panic{value, debug.Stack()} }

// Guard calls f, and returns its panic as an error.
func Guard(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = Recovered(v)
		}
	}()
	return f()
}

// Error prints the value, which may be anything.
func (p *Panic) Error() string { return fmt.Sprintf("panic: %v", p.Value) }

// Panicked returns the value. By this method code outside of this module recognizes a panic.
func (p *Panic) Panicked() any { return p.Value }

// Unwrap returns the value if it is an error.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}
