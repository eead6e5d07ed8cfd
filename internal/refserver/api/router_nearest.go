package api

import (
	"net/url"
	"strings"
)

// Costs of making one path of another, in hundredths of a segment.
const (
	wholeSegment = 100 // a segment that is missing or is too much
	otherSegment = 120 // another word, or a word where an id belongs
	oddValue     = 30  // a value for a {name} that may be anything
	otherMethod  = 25
	otherVersion = 10
)

// Only the beginning of a path is compared, so that a long one costs no more than others.
const (
	mostSegments = 10
	mostBytes    = 40
)

// Nearest returns the row that a method and an escaped path come closest to, by the segments that differ and by how
// much. A row that the version has comes before an equal one that it lacks. It is nil if every row differs in more
// than half of the path.
func (r *Router) Nearest(version, method, escapedPath string) *Op {
	segs := legible(escapedPath)
	words := map[string][]int{} // the cost of each literal segment of the table, for each segment of the path
	var nearest *Op
	least := 0
	for _, op := range r.ops {
		row := strings.Split(strings.Trim(op.Path, "/"), "/")
		cost := pathCost(segs, row, words)
		if cost > wholeSegment*max(len(segs), len(row))/2 {
			continue
		}
		if op.Method != method {
			cost += otherMethod
		}
		if !op.In(version) {
			cost += otherVersion
		}
		if nearest == nil || cost < least {
			nearest, least = op, cost
		}
	}
	return nearest
}

// legible splits a path that need not be well-formed.
func legible(escapedPath string) []string {
	var segs []string
	for s := range strings.SplitSeq(escapedPath, "/") {
		if s == "" {
			continue
		}
		if len(segs) == mostSegments {
			break
		}
		if v, err := url.PathUnescape(s); err == nil {
			s = v
		}
		segs = append(segs, s[:min(len(s), mostBytes)])
	}
	return segs
}

// pathCost is the edit distance of two paths by segments.
func pathCost(segs, row []string, words map[string][]int) int {
	before := make([]int, len(row)+1)
	for j := range before {
		before[j] = j * wholeSegment
	}
	for i := range segs {
		now := make([]int, len(row)+1)
		now[0] = (i + 1) * wholeSegment
		for j, seg := range row {
			now[j+1] = min(before[j]+segmentCost(segs, i, seg, words), before[j+1]+wholeSegment, now[j]+wholeSegment)
		}
		before = now
	}
	return before[len(row)]
}

func segmentCost(segs []string, i int, seg string, words map[string][]int) int {
	name, ok := variable(seg)
	switch {
	case ok && isID(name) && wordy(segs[i]):
		return otherSegment
	case ok && isID(name):
		return 0
	case ok:
		return oddValue
	}
	costs, known := words[seg]
	if !known {
		for _, s := range segs {
			costs = append(costs, letterCost(s, seg))
		}
		words[seg] = costs
	}
	return costs[i]
}

// letterCost is the edit distance of two words by bytes, as a part of the longer one. Words that differ in more than
// half are others.
func letterCost(a, b string) int {
	before := make([]int, len(b)+1)
	for j := range before {
		before[j] = j
	}
	for i := range len(a) {
		now := append(make([]int, 0, len(b)+1), i+1)
		for j := range len(b) {
			other := 1
			if a[i] == b[j] {
				other = 0
			}
			now = append(now, min(before[j]+other, before[j+1]+1, now[j]+1))
		}
		before = now
	}
	if part := before[len(b)] * wholeSegment / max(len(a), len(b), 1); part <= wholeSegment/2 {
		return part
	}
	return otherSegment
}

// isID reports whether a {name} is that of an id.
func isID(name string) bool { return name == "id" || strings.HasSuffix(name, "_id") }

// wordy reports whether a value is a word rather than an id: each integer, ULID and UUID has a digit.
func wordy(value string) bool { return !strings.ContainsAny(value, "0123456789") }
