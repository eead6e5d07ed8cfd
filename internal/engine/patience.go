package engine

import (
	"context"
	"net/http"
	"time"
)

// patience returns how long the call may still wait for the rate limit. A repetition of an attempt must also start in
// time.
func (k *call) patience() time.Duration {
	most := k.core.config.MaxWait - k.waited
	if k.attempts > 0 {
		most = min(most, k.left())
	}
	return most
}

// queues reports whether a call that was answered 429 waits for its turn to be repeated. It waits at the limiter if the
// bucket is full. If there is room in the bucket, the 429 came from a limit of the endpoint and concerns no other call.
func (k *call) queues(ctx context.Context, resp *http.Response) bool {
	wait := k.core.limiter.delay(k.patience())
	if !fullBucket(resp) {
		k.wait = k.nextWait(resp, k.refusals)
		wait = max(wait, k.wait)
	}
	k.asked = wait
	reaction := k.class.reactionTo(tooMany)
	if reaction == never || reaction == asked && !k.core.config.Effects {
		return false
	}
	if asked, ok := askedWait(resp); ok {
		wait = max(wait, asked)
	}
	if wait > k.patience() || beyond(ctx, wait) {
		return false
	}
	k.waited += k.wait
	return true
}

// hear takes over what an answer says about the rate limit.
func (k *call) hear(resp *http.Response) {
	r := RateOf(resp.Header)
	asked, pause := retryAfter(resp.Header, time.Now())
	if resp.StatusCode == http.StatusTooManyRequests {
		if k.refusals++; fullBucket(resp) {
			hold := k.nextWait(resp, k.refusals)
			if !pause { // by the headers of the bucket, which drains in less than that
				hold = min(hold, k.core.config.MaxWait)
			}
			k.core.limiter.refuse(k.pass, r, hold)
			return
		}
	}
	k.core.limiter.follow(k.pass, r)
	if pause && resp.StatusCode == http.StatusServiceUnavailable {
		k.core.limiter.pause(asked)
	}
}

// fullBucket reports whether a 429 says that the bucket is full, or does not say that it is not. Some endpoints
// have another limit that depends on the size of requests.
func fullBucket(resp *http.Response) bool {
	r := RateOf(resp.Header)
	return r.Limit == 0 || r.Remaining == 0
}

// nextWait returns how long to wait before another request. It is the time that the platform asks for, spread so that
// waiting calls do not wake together, or else the backoff.
func (k *call) nextWait(resp *http.Response, failures int) time.Duration {
	wait := backoff(failures)
	if resp == nil {
		return wait
	}
	asked, ok := askedWait(resp)
	switch {
	case !ok:
		return wait
	case asked > k.core.config.MaxWait:
		return asked
	}
	return asked + min(wait, asked)
}

// askedWait returns how long the platform asks to wait: Retry-After, or after a
// 429 the time in which one request leaks out of the bucket.
func askedWait(resp *http.Response) (time.Duration, bool) {
	if asked, ok := retryAfter(resp.Header, time.Now()); ok {
		return asked, true
	}
	r := RateOf(resp.Header)
	if resp.StatusCode != http.StatusTooManyRequests || r.Reset <= 0 || r.Limit <= r.Remaining {
		return 0, false
	}
	return r.Reset / time.Duration(r.Limit-r.Remaining), true
}
