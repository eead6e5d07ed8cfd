package engine

import (
	"math"
	"math/rand/v2"
	"time"
)

// Processes that share a bucket agree through the bucket itself, because all of them hear how full it is. Each waits
// between two requests for as long as the bucket needs to drain to a level, sharedLevel, if nobody filled it. If N
// processes do that, the level settles N requests above it: in the time in which N requests drain, each process makes
// one. The rate of each is then the Nth part of the drain, at once and whatever N is, and the bucket is never empty.
//
// That holds for about as many processes as fit between sharedLevel and a full bucket. More of them, and platforms
// without the headers of the rate limit, are left to the factor: a 429 lowers it by a part, and time raises it again.
const (
	sharedLevel  = 0.4             // of the bucket's size
	factorCut    = 0.85            // of the factor, by a 429 with headers
	blindCut     = 0.8             // of the factor, by a 429 without
	leastFactor  = 1.0 / 32        // of the drain
	factorReturn = 8 * time.Minute // from nothing to all of the drain, at first slowly
	firstRate    = 0.25            // of the drain, for the first requests of a process that shares
	paceWeight   = 0.3             // of the last interval in the mean of them
	spread       = 0.15            // of an interval, by which it is made longer or shorter
)

// A process shares the bucket for at least aloneTime and aloneRequests more after it saw a sign of others.
const (
	aloneTime     = 30 * time.Second
	aloneRequests = 8
)

// share is the part of the drain that this process takes while others use the bucket, too.
type share struct {
	on      bool
	rate    float64 // requests per second
	stretch float64 // of the interval after the last request
	pace    float64 // seconds between requests that waited, in the mean
	factor  struct {
		low float64 // what the last 429 made of it
		at  time.Time
	}
	left struct { // the newest answer about it
		requests float64
		sent     time.Time // the request
		known    bool
	}
	watch watch
}

func newShare() share {
	s := share{stretch: 1}
	s.factor.low = 1
	return s
}

// interval returns the seconds between the last request and the next one.
func (s *share) interval() float64 { return s.stretch / s.rate }

// begin starts to share.
func (s *share) begin(b *bucket) {
	if s.on {
		return
	}
	s.on, s.watch = true, watch{}
	s.rate, s.pace = b.perSecond()*firstRate, 1/b.perSecond()
	s.stretch = 0.3 + rand.Float64()*0.7 // processes that found each other in the same moment must not continue in step
}

// start counts a request that starts, and the interval before it if it had to wait for that.
func (s *share) start(waited bool, since time.Duration) {
	if waited {
		s.pace += paceWeight * (since.Seconds() - s.pace)
	}
	s.stretch = 1 + spread*(2*rand.Float64()-1)
}

// hear remembers what is left in the bucket by an answer. Answers may overtake each other.
func (s *share) hear(r Rate, sent time.Time) {
	if sent.After(s.left.sent) || !s.left.known {
		s.left.requests, s.left.sent, s.left.known = float64(r.Remaining), sent, true
	}
}

// allowed returns the rate that the bucket allows this process.
func (s *share) allowed(b *bucket, now time.Time) float64 {
	wait := 1.0
	if s.left.known {
		wait = max(1, (1-sharedLevel)*b.size-s.left.requests)
	}
	return b.perSecond() / wait * s.part(now)
}

// part returns the factor.
func (s *share) part(now time.Time) float64 {
	return min(1, s.factor.low+math.Pow(now.Sub(s.factor.at).Seconds()/factorReturn.Seconds(), 2))
}

// accept adapts the rate after an answer. It grows to the double at most, so that processes that wait for the same room
// do not all take it.
func (s *share) accept(b *bucket, now time.Time) {
	s.rate = min(s.allowed(b, now), max(2*s.rate, b.perSecond()*firstRate))
}

// refuse adapts the rate after a 429. Refusals of requests that were under way at the last cut do not count.
func (s *share) refuse(b *bucket, sent, now time.Time, told bool) {
	if !sent.Before(s.factor.at) {
		cut := blindCut
		if told {
			cut = factorCut
		}
		s.factor.low, s.factor.at = max(s.part(now)*cut, leastFactor), now
	}
	s.watch = watch{}
	s.rate = min(s.rate, s.allowed(b, now))
}

// watch counts what others spend.
type watch struct {
	since time.Time
	left  float64 // then
	idle  float64 // requests that could have drained while the bucket was empty
	own   int
}

// alone reports whether nobody else has used the bucket for some time, by what an answer says. Of the requests of this
// process the unsure ones may have been counted by the platform, or not yet.
func (w *watch) alone(b *bucket, r Rate, unsure float64, now time.Time) bool {
	if w.since.IsZero() {
		*w = watch{since: now, left: float64(r.Remaining)}
		return false
	}
	w.own++
	drained := now.Sub(w.since).Seconds() * b.perSecond()
	expected := w.left + drained - float64(w.own) - w.idle
	if over := expected - (b.size - 1); over > 0 {
		w.idle += over
		expected -= over
	}
	if now.Sub(w.since) < aloneTime || w.own < aloneRequests || drained < aloneRequests*(1+unsure) {
		return false
	}
	others := expected - float64(r.Remaining)
	*w = watch{since: now, left: float64(r.Remaining)}
	return others < max(b.grain(), unsure)
}
