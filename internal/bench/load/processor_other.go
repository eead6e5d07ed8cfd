//go:build !unix

package load

import "time"

// processorTime is not known here, and 0.
func processorTime() time.Duration { return 0 }
