// Package ratelimit is the leaky bucket of the API: each request of an app to a
// store adds one, and the bucket loses a fixed number per second. A request that
// finds it full is lost, not queued.
//
// A Limiter has a bucket for each app in each store; Take counts a request and returns what the headers of its
// answer tell. Standard is the rate of the contract, and plans that allow more are Times of it. Time is what
// the caller says it is.
package ratelimit
