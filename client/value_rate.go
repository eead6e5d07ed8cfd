package client

import "time"

// Rate is the state of the rate limit after an answer. It is zero if the answer had no rate limit headers.
type Rate struct {
	Limit     int           // size of the bucket
	Remaining int           // requests left until it is full
	Reset     time.Duration // time until it is empty
}
