package engine

import "time"

// opening lets a process that has not used the bucket yet begin with one request, and then with twice the number of
// answers, until half of the bucket is used. Processes that start together find each other before the bucket is full.
type opening struct {
	over  bool
	width int // requests that may be under way
}

// openingStep is how long each request that is under way holds the next one back if no answer comes.
const openingStep = bucketDrain / bucketSize

func newOpening() opening { return opening{width: 1} }

// answered widens the opening.
func (o *opening) answered(b *bucket) {
	o.width++
	o.over = o.over || float64(o.width) >= b.size/2
}

// until returns the time at which a request may start at the latest.
func (o *opening) until(last time.Time, underWay int) time.Time {
	if o.over || underWay < o.width {
		return time.Time{}
	}
	return last.Add(time.Duration(underWay) * openingStep)
}
