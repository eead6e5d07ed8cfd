package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
)

// semantic is a version without a suffix.
var semantic = regexp.MustCompile(`^v(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$`)

// parse returns the numbers of a version, or nil if it is not semantic or has a suffix.
func parse(version string) (numbers []int) {
	m := semantic.FindStringSubmatch(version)
	if m == nil {
		return nil
	}
	for _, s := range m[1:] {
		n, err := strconv.Atoi(s)
		if err != nil {
			return nil
		}
		numbers = append(numbers, n)
	}
	return numbers
}

// checkVersion reports a version that is not semantic, or not above those of all tags.
func (r *release) checkVersion() {
	is := parse(r.version)
	if is == nil {
		r.report("VERSION", strconv.Quote(r.version), "must be vX.Y.Z", "such as v0.1.0")
		return
	}
	if is[0] > 1 {
		r.report("VERSION", r.version, "the path of a module of major version 2 or above must end in /vN", "rename the modules first")
	}
	for _, tag := range r.tags {
		if was := parse(tag); was != nil && tag != r.version && slices.Compare(is, was) < 0 {
			r.report("git", "tag "+tag, fmt.Sprintf("%s must be above every version with a tag", r.version), "choose a version above it")
		}
	}
}
