// Package compiled counts what the compiler reads for a small program of an app. Every user pays for it at each edit.
// The benchmark in internal/proof/peers/build measures the time.
package compiled
