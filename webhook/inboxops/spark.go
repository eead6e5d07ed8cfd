package inboxops

import (
	"fmt"
	"strings"
)

// The size of a sparkline in the units of its view box.
const (
	sparkWidth  = 120
	sparkHeight = 24
)

// spark returns the points of a polyline through values, the newest at the right edge. Its scale begins at 0, so that a
// small change of a large number looks small. It is empty for fewer than two values.
func spark(values []int) string {
	if len(values) < 2 {
		return ""
	}
	most := 1
	for _, v := range values {
		most = max(most, v)
	}
	step := float64(sparkWidth) / float64(mostSamples-1)
	left := sparkWidth - step*float64(len(values)-1)
	points := make([]string, len(values))
	for i, v := range values {
		points[i] = fmt.Sprintf("%.1f,%.1f", left+step*float64(i),
			sparkHeight-1-float64(sparkHeight-2)*float64(v)/float64(most))
	}
	return strings.Join(points, " ")
}
