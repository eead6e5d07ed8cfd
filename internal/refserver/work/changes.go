package work

import (
	"cmp"
	"slices"
)

// Change is one of a record. Rev is greater than that of every change before.
type Change struct{ Rev, ID int64 }

// Changes numbers the changes of records, and remembers the last change of each. The zero value is ready. It is for
// callers that hold a lock.
type Changes struct {
	last int64
	all  []Change // by Rev; of each record the last, and others
}

// fewChanges are so few that no space is to be gained.
const fewChanges = 100

// Touch numbers a change of a record. There are n records, and holds reports whether a change is the last of a record
// that is still there. It is called for all changes once half of them are superseded.
func (c *Changes) Touch(id int64, n int, holds func(Change) bool) int64 {
	c.last++
	c.all = append(c.all, Change{c.last, id})
	if len(c.all) > 2*n+fewChanges {
		last := c.last // the record does not have it yet
		c.all = slices.DeleteFunc(c.all, func(one Change) bool { return one.Rev != last && !holds(one) })
	}
	return c.last
}

// Last is the number of the last change, 0 if there was none.
func (c *Changes) Last() int64 { return c.last }

// Since returns the changes after that of the number, in their order. It has superseded ones.
func (c *Changes) Since(rev int64) []Change {
	begin, _ := slices.BinarySearchFunc(c.all, rev+1, func(c Change, rev int64) int { return cmp.Compare(c.Rev, rev) })
	return c.all[begin:]
}
