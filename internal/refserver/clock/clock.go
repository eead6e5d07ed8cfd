package clock

import "time"

// Clock returns the time and calls functions later.
type Clock interface {
	// Now is the present moment.
	Now() time.Time
	// AfterFunc calls f once d has passed; with d at or below zero it calls f
	// at once. Either way f runs on a goroutine that is not the caller's.
	AfterFunc(d time.Duration, f func()) Timer
}

// Timer is a call that AfterFunc has promised.
type Timer interface {
	// Stop takes the promise back. It reports whether the call had not begun.
	Stop() bool
}

// Real is the machine's clock, or the bubble's inside testing/synctest.
type Real struct{}

// Now is time.Now.
func (Real) Now() time.Time { return time.Now() }

// AfterFunc is time.AfterFunc.
func (Real) AfterFunc(d time.Duration, f func()) Timer { return time.AfterFunc(d, f) }
