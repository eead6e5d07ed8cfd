package delivery

import (
	"slices"
	"testing"
	"time"
)

func TestWaits(t *testing.T) {
	for name, tc := range map[string]struct {
		retries Retries
		first   []time.Duration
		total   time.Duration
	}{
		"standard": {Standard(), []time.Duration{0, 5, 10, 15, 21, 29}, 35 * time.Hour},
		"literal":  {Literal(), []time.Duration{0, 0, 0, 0, 5, 10, 15, 21, 29}, 12 * time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			waits := tc.retries.Waits()
			if got := len(waits) + 1; got != 16 {
				t.Errorf("%d attempts, want 16", got)
			}
			var minutes []time.Duration
			var total time.Duration
			for _, w := range waits {
				minutes = append(minutes, w/time.Minute)
				total += w
			}
			if got := minutes[:len(tc.first)]; !slices.Equal(got, tc.first) {
				t.Errorf("first waits in minutes: got %d, want %d", got, tc.first)
			}
			if total > 48*time.Hour || total.Truncate(time.Hour) != tc.total {
				t.Errorf("total %v, want about %v and not above 48h", total, tc.total)
			}
			last := waits[len(waits)-1].Minutes() / waits[len(waits)-2].Minutes()
			if last < 1.399 || last > 1.401 {
				t.Errorf("the last wait is %.3f times the one before, want 1.4", last)
			}
		})
	}
}

func TestWaitsEndWithin(t *testing.T) {
	r := Standard()
	r.Within = time.Hour
	if got := r.Waits(); len(got) != 5 { // 0+5+10+15+21 minutes fit, 29 more do not
		t.Errorf("got %v", got)
	}
	r = Retries{Attempts: 4, First: []time.Duration{time.Minute}, Factor: 2}
	if got, want := r.Waits(), []time.Duration{time.Minute, 2 * time.Minute, 4 * time.Minute}; !slices.Equal(got, want) {
		t.Errorf("without an end: got %v, want %v", got, want)
	}
}
