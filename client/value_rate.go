package client

import "time"

// Rate is the state of the rate limit after an answer. The zero Rate means that
// the answer did not tell.
type Rate struct {
	Limit     int           // size of the bucket
	Remaining int           // requests left until it is full
	Reset     time.Duration // time until it is empty
}
