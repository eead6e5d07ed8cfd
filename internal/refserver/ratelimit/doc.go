// Package ratelimit is the leaky bucket of the API: each request of an app to a
// store adds one, and the bucket loses a fixed number per second. A request that
// finds it full is lost, not queued.
package ratelimit
