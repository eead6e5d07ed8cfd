package callback

import (
	"cmp"
	"fmt"
	"time"
)

// Limits bound one kind of call in time, bytes and runs. In a configuration, zero means the default.
type Limits struct {
	Budget       time.Duration // from the arrival of a request to its answer
	ReadTime     time.Duration // from the arrival of a request to the end of its body
	Linger       time.Duration // from the due time of an answer to the end of the function's context
	MaxBody      int64         // bytes of a body
	MaxReceiving int64         // bytes of all bodies that are being received and verified
	MaxRuns      int           // functions in progress
}

// Bounds are the limits that a kind of call allows.
type Bounds struct {
	MinBudget, MaxBudget time.Duration
	MaxLinger            time.Duration
	Default              Limits // a ReadTime of 0 is the Budget
}

// Of returns chosen limits with the defaults in place of zeros.
func (b Bounds) Of(l Limits) Limits {
	d := b.Default
	l.Budget = cmp.Or(l.Budget, d.Budget)
	l.ReadTime = cmp.Or(l.ReadTime, min(cmp.Or(d.ReadTime, l.Budget), l.Budget))
	l.Linger = cmp.Or(l.Linger, d.Linger)
	l.MaxBody = cmp.Or(l.MaxBody, d.MaxBody)
	l.MaxReceiving = Room(l.MaxReceiving, d.MaxReceiving, l.MaxBody)
	l.MaxRuns = cmp.Or(l.MaxRuns, d.MaxRuns)
	return l
}

// CheckLimits checks chosen limits, which have the names of the fields of a handler.
func (c *Check) CheckLimits(l Limits, b Bounds) {
	budget := fmt.Sprintf("0 to %v", b.MaxBudget)
	if b.MinBudget > 0 {
		budget = fmt.Sprintf("0 or %v to %v", b.MinBudget, b.MaxBudget)
	}
	c.Refuse(l.Budget != 0 && (l.Budget < b.MinBudget || l.Budget > b.MaxBudget), "Budget is %v: must be %s", l.Budget, budget)
	c.Refuse(l.ReadTime < 0 || l.ReadTime > cmp.Or(l.Budget, b.Default.Budget), "ReadTime is %v: must be 0 to Budget", l.ReadTime)
	c.Refuse(l.Linger < 0 || l.Linger > b.MaxLinger, "Linger is %v: must be 0 to %v", l.Linger, b.MaxLinger)
	c.Refuse(l.MaxBody < 0, "MaxBody is %d: must be 0 or more", l.MaxBody)
	c.CheckRoom(l.MaxReceiving, cmp.Or(l.MaxBody, b.Default.MaxBody))
	c.Refuse(l.MaxRuns < 0, "MaxRuns is %d: must be 0 or more", l.MaxRuns)
}
