package webhook

import "strings"

// The parts of a traceparent header of W3C Trace Context, such as
// 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01: version, id of the trace, id of the span and flags.
const (
	traceSize  = 55 // bytes of version 00
	traceStart = 3  // where the id of the trace begins
	traceEnd   = 35
	spanStart  = 36
	spanEnd    = 52
	flagsStart = 53
)

// Traceparent returns a valid traceparent header in version 00 of W3C Trace Context, which has 55 bytes, or "" if the
// header is not valid. A header of a later version is reduced to version 00, as the specification requires: of its
// flags, only "sampled" is kept.
func Traceparent(header string) string {
	if len(header) < traceSize || header[2] != '-' || header[traceEnd] != '-' || header[spanEnd] != '-' ||
		!isID(header[traceStart:traceEnd]) || !isID(header[spanStart:spanEnd]) {
		return ""
	}
	version, flags := header[:2], header[flagsStart:traceSize]
	switch {
	case !isLowerHex(version) || version == "ff" || !isLowerHex(flags):
		return ""
	case version == "00" && len(header) == traceSize:
		return header
	case version == "00" || len(header) > traceSize && header[traceSize] != '-':
		return ""
	}
	sampled := "-00"
	if strings.ContainsRune("13579bdf", rune(flags[1])) {
		sampled = "-01"
	}
	return "00" + header[2:spanEnd] + sampled
}

// isID reports whether an id is valid. An id of zeros is not.
func isID(id string) bool { return isLowerHex(id) && strings.Trim(id, "0") != "" }

func isLowerHex(s string) bool {
	for i := range len(s) {
		if (s[i] < '0' || s[i] > '9') && (s[i] < 'a' || s[i] > 'f') {
			return false
		}
	}
	return true
}
