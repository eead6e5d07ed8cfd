package queue

import (
	"context"
	"net/http"
)

// Workers is how many handlers run at a time in each queue.
const Workers = 16

// Queue stores deliveries until they are handled. Every queue does the same duty:
//
//   - it answers a delivery with 401 unless its signature is right;
//   - it answers 200 once the delivery is on disk;
//   - it stores a delivery once, however often it arrives while it is pending;
//   - it handles each at least once, and handles it again if that failed.
type Queue interface {
	// Handler receives deliveries.
	Handler() http.Handler
	// Work calls handle for the stored deliveries, at most [Workers] at a time, until ctx ends. It returns nil after the
	// results of all calls are stored.
	Work(ctx context.Context, handle Handle) error
	// Close releases connections and goroutines. Stored deliveries remain.
	Close() error
}

// Handle handles the delivery about an order.
type Handle func(ctx context.Context, order int64) error
