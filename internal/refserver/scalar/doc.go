// Package scalar reads numbers of request bodies: written as numbers or as strings, by
// strangers, so with bounds on their size before anything is computed.
package scalar
