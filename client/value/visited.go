package value

import "time"

// Visited is the result of the visits of a store by something that visits all stores repeatedly, such as Copies.
type Visited struct {
	Good   time.Time // end of the last visit that succeeded; zero if there was none
	Failed time.Time // time of the last failure; zero if there was none
	Err    error     // the last failure, even if a later visit succeeded
	Began  time.Time // start of the visit in progress; zero if there is none
}
