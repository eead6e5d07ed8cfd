// Package peers measures this module beside what one would use instead: the clients of other platforms, the queues
// that receive and process deliveries, and handlers written by hand. It is a module of its own, so that nobody else
// downloads them.
//
// This package reads a page of a catalog, makes a small call, and receives a signed delivery by the functions of other
// platforms' modules. Package queue measures queues, package carts handlers of carts; both say how each peer is set up.
// Package build measures how long programs take to compile, and how large they are.
// Package sender sends to queues from a process of its own.
//
//	make bench-peers    # one table with all of them
//
// # Versions
//
// The figures are of these releases:
//
//   - github.com/bold-commerce/go-shopify/v4 v4.0.0
//   - github.com/go-json-experiment/json v0.0.0-20260820222146-c27c302e5fc3
//   - github.com/google/go-github/v92 v92.0.0
//   - github.com/jackc/pgx/v5 v5.12.0
//   - github.com/mikestefanello/backlite v0.6.0
//   - github.com/openai/openai-go/v3 v3.98.0
//   - github.com/riverqueue/river v0.51.2
//   - github.com/stripe/stripe-go/v85 v85.0.0
//   - github.com/svix/svix-webhooks v1.44.0
//   - github.com/ThreeDotsLabs/watermill-sql/v4 v4.1.2
//   - maragu.dev/goqite v0.4.0
//   - modernc.org/sqlite v1.60.1
package peers
