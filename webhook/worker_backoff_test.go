package webhook

import (
	"testing"
	"time"
)

// TestBackoff: pauses are drawn from the shortest to what doubles with each failure.
func TestBackoff(t *testing.T) {
	for _, tt := range []struct {
		failures int
		longest  time.Duration
	}{
		{1, time.Second}, {2, 2 * time.Second}, {3, 4 * time.Second}, {10, 512 * time.Second},
		{11, LongestBackoff}, {20, LongestBackoff}, {64, LongestBackoff}, {1000, LongestBackoff},
	} {
		var least, most time.Duration = 1 << 62, 0
		for range 1000 {
			d := backoff(tt.failures, ShortestBackoff, LongestBackoff)
			least, most = min(least, d), max(most, d)
		}
		spread := tt.longest - ShortestBackoff
		if least < ShortestBackoff || most > tt.longest || least > ShortestBackoff+spread/50 ||
			most < tt.longest-spread/50 {
			t.Errorf("after %d failures: got pauses of %v to %v, want 1s to %v", tt.failures, least, most, tt.longest)
		}
	}
}
