package delivery

import (
	"cmp"
	"time"
)

// Retries is when a failed delivery is tried again, as data.
type Retries struct {
	// First are the waits before the second and the following attempts. After
	// them each wait is the one before times Factor.
	First  []time.Duration
	Factor float64
	// Attempts counts all of them, the first included. None happens later than
	// Within after the first; 0 is the 48 hours of Standard.
	Attempts int
	Within   time.Duration
}

// Standard is the reading whose 16 attempts take 48 hours. There is one retry at once, then after about 5, 10 and 15
// minutes, and then after 1.4 times the wait before.
func Standard() Retries {
	return Retries{
		First:    []time.Duration{0, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute},
		Factor:   1.4,
		Attempts: 16,
		Within:   48 * time.Hour,
	}
}

// Literal is the other reading of the same sentence: the first four retries at
// once and only then 5, 10 and 15 minutes.
func Literal() Retries {
	r := Standard()
	r.First = append(make([]time.Duration, 3), r.First...)
	return r
}

// Waits returns the wait before each attempt after the first.
func (r Retries) Waits() []time.Duration {
	var waits []time.Duration
	within := cmp.Or(r.Within, Standard().Within)
	var wait, sum time.Duration
	for i := range r.Attempts - 1 {
		if i < len(r.First) {
			wait = r.First[i]
		} else {
			wait = time.Duration(float64(wait) * r.Factor)
		}
		if sum += wait; sum > within {
			break
		}
		waits = append(waits, wait)
	}
	return waits
}
