package engine

import (
	"math"
	"time"
)

// The documented leaky bucket: 40 requests, emptied at 2 per second, per app and
// store. Larger plans have a larger bucket that empties in the same time.
const (
	bucketSize  = 40
	bucketDrain = 20 * time.Second
)

// bucket models the platform's bucket as if this process were the only one that fills it.
type bucket struct {
	size   float64
	at     time.Time // the time of the other fields
	tokens float64   // requests that may start now
	// expected is a lower bound of the requests that the platform says are left if nobody else spent any.
	expected float64
	trip     time.Duration // the longest time that an answer has taken recently
	ample    time.Time     // when more than spareTokens were left for the last time
	spare    float64       // tokens that are not spent
}

// A process that has kept the bucket full for spareAfter leaves one place in it free. Otherwise another
// process could never get a request in, and the two would not find each other.
const (
	spareTokens = 1
	spareAfter  = bucketDrain / 5
)

// drainStep is how long the platform may take between two looks at its clock.
const drainStep = bucketDrain / bucketSize

// rounding is the part of a request that is a rounding error and not a request.
const rounding = 1e-3

func newBucket(size int, now time.Time) bucket {
	return bucket{size: float64(size), at: now, tokens: float64(size), expected: float64(size), ample: now}
}

// perSecond returns how many requests drain in a second.
func (b *bucket) perSecond() float64 { return b.size / bucketDrain.Seconds() }

// advance brings the model to now.
func (b *bucket) advance(now time.Time) {
	drained := now.Sub(b.at).Seconds() * b.perSecond()
	if drained <= 0 {
		return
	}
	b.tokens, b.expected, b.at = min(b.size, b.tokens+drained), min(b.size, b.expected+drained), now
}

// grain returns how many requests less than expected may be left although nobody else spent any: the platform rounds
// down, and may drain its bucket in steps.
func (b *bucket) grain() float64 { return 1 + rounding + b.perSecond()*drainStep.Seconds() }

// wait returns the time until a request may start that others go before.
func (b *bucket) wait(others int) time.Duration {
	return seconds((1 + b.spare + float64(others) - b.tokens) / b.perSecond())
}

// take counts a request that starts.
func (b *bucket) take(now time.Time) {
	b.tokens--
	b.expected--
	switch {
	case b.tokens > spareTokens:
		b.ample, b.spare = now, 0
	case now.Sub(b.ample) > spareAfter && b.size > 4*spareTokens:
		b.spare = spareTokens
	}
}

// overflow takes a request back that the platform did not count because its bucket is full.
func (b *bucket) overflow() {
	b.expected = min(b.size, b.expected+1)
	b.tokens++
	b.tokens -= math.Floor(max(0, b.tokens))
}

// resize begins another bucket, whose size an answer reported. The platform may have counted the requests in flight
// already.
func (b *bucket) resize(r Rate, unsure float64) {
	left := max(0, float64(r.Remaining)-unsure)
	b.size, b.tokens, b.expected, b.spare = float64(r.Limit), left, left, 0
}

// hear takes over what is left in the bucket by an answer that took so long. It reports whether that is
// less than this process alone can have left.
func (b *bucket) hear(r Rate, took time.Duration, unsure float64) (others bool) {
	b.trip = max(b.trip*19/20, took)
	left := float64(r.Remaining)
	others = b.expected-b.perSecond()*(took+b.trip).Seconds()-left > b.grain()
	if others {
		b.expected = left - unsure
	}
	b.expected = max(b.expected, left-unsure, 0)
	if surplus := math.Floor(b.tokens) - left; surplus > 0 {
		b.tokens -= surplus
	}
	return others
}

// seconds returns a duration from seconds.
func seconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }
