package webhook

import (
	"fmt"
	"time"
)

// Kind says what an event is, which decides what becomes of a second delivery.
type Kind string

const (
	// Signal: something about a record changed. Arrivals while the entry is pending
	// become one run; one that arrives during a run causes another; nothing is
	// remembered afterwards. It can be run too often and never too rarely.
	KindSignal Kind = "signal"
	// Fact: the key identifies the occurrence, which cannot happen again. A second
	// arrival is a retry of the platform and is dropped.
	KindFact Kind = "fact"
)

// FactWindow is how long facts are remembered: longer than the platform retries (48
// hours), with room for clocks and queues.
const FactWindow = 72 * time.Hour

// Forever as a window is for facts that are kept as a record.
const Forever time.Duration = -1

// Policy overrides how the deliveries of an event are treated by an inbox. The zero
// value of each field keeps what the table of the package says.
type Policy struct {
	// Kind may make a signal of a fact. To make a fact of a signal loses updates unless
	// its key can never recur: see Distinct.
	Kind Kind
	// Distinct gives each different body an entry of its own, told apart by all
	// members that the contract names. Without it, a signal has one entry per
	// record, with the body that arrived last.
	Distinct bool
	// Window is how long a fact is remembered after it was handled; Forever keeps it.
	Window time.Duration
	// Settle is how long after an arrival the entry is due, for reads that lag
	// behind the event.
	Settle time.Duration
}

func (p Policy) check() error {
	switch {
	case p.Kind != "" && p.Kind != KindSignal && p.Kind != KindFact:
		return fmt.Errorf("Kind is %q: want %q or %q", p.Kind, KindSignal, KindFact)
	case p.Kind == KindSignal && p.Window != 0:
		return fmt.Errorf("Window is %v: a signal is not remembered", p.Window)
	case p.Window < 0 && p.Window != Forever:
		return fmt.Errorf("Window is %v: want more than 0 or Forever", p.Window)
	case p.Settle < 0:
		return fmt.Errorf("Settle is %v: want 0 or more", p.Settle)
	}
	return nil
}
