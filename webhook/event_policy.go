package webhook

import (
	"fmt"
	"time"
)

// Kind is the kind of an event, which decides how a second delivery is treated.
type Kind string

const (
	// KindSignal means that a record changed. Arrivals while the entry is pending are merged into one run. An arrival
	// during a run causes another run. Nothing is remembered afterwards. A signal may be run too often, but never too
	// rarely.
	KindSignal Kind = "signal"
	// KindFact means that the key identifies the occurrence, which cannot happen again. A second arrival is a retry of
	// the platform and is dropped.
	KindFact Kind = "fact"
)

// FactWindow is how long facts are remembered. It is longer than the platform retries (48 hours), with a margin for
// clocks and queues.
const FactWindow = 72 * time.Hour

// Forever as a Window means that facts are never deleted.
const Forever time.Duration = -1

// Policy overrides how an inbox treats the deliveries of an event. Fields with the zero value do not change the table
// of the package.
type Policy struct {
	// Kind can make a fact a signal. Making a signal a fact loses updates, unless its key can never recur: see
	// Distinct.
	Kind Kind
	// Distinct gives each different body an entry of its own, compared by all members that the contract names. Without
	// it, a signal has one entry per record, with the body that arrived last.
	Distinct bool
	// Window is how long a fact is remembered after it was handled. It may be Forever.
	Window time.Duration
	// Settle is the time between an arrival and when its entry is due, for replicas that lag the event.
	Settle time.Duration
}

func (p Policy) check() error {
	switch {
	case p.Kind != "" && p.Kind != KindSignal && p.Kind != KindFact:
		return fmt.Errorf("Kind is %q: must be %q or %q", p.Kind, KindSignal, KindFact)
	case p.Kind == KindSignal && p.Window != 0:
		return fmt.Errorf("Window is %v: must be 0, because a signal is not remembered", p.Window)
	case p.Window < 0 && p.Window != Forever:
		return fmt.Errorf("Window is %v: must be above 0, or Forever", p.Window)
	case p.Settle < 0:
		return fmt.Errorf("Settle is %v: must be 0 or more", p.Settle)
	}
	return nil
}
