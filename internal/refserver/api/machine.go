package api

import "slices"

// Machine is a set of states and the ways between them. What has no edge is
// refused.
type Machine[S comparable] struct {
	// Name is what the states are of, for example "category visibility".
	Name    string
	Initial S
	States  []S
	Edges   []Edge[S]
}

// Edge leads from one state to another when something happens.
type Edge[S comparable] struct {
	From, To S
	// On names what happens.
	On string
	// When says in words what has to hold for this edge rather than another of the
	// same From and On; empty if there is no other.
	When string
}

// Next returns the states that an event leads to from a state, in the order of
// the table; none if the event is refused there.
func (m Machine[S]) Next(from S, on string) []S {
	var to []S
	for _, e := range m.Edges {
		if e.From == from && e.On == on {
			to = append(to, e.To)
		}
	}
	return to
}

// Leads reports whether an event may lead from one state to the other.
func (m Machine[S]) Leads(from S, on string, to S) bool {
	return slices.Contains(m.Next(from, on), to)
}

// Events returns what may happen in any of the states, in the order of the table.
func (m Machine[S]) Events() []string {
	var on []string
	for _, e := range m.Edges {
		if !slices.Contains(on, e.On) {
			on = append(on, e.On)
		}
	}
	return on
}
