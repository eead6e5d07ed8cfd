//go:build !unix

package bench

import "time"

// ProcessorTime returns what the process has used of all processors: 0, because it is not known here.
func ProcessorTime() time.Duration { return 0 }
