package engine

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Rate is the state of the rate limit after an answer. The zero Rate means that the answer has no such headers.
type Rate struct {
	Limit     int           // size of the bucket
	Remaining int           // requests left until it is full
	Reset     time.Duration // time until it is empty
}

// maxLimit is the largest bucket that is believed.
const maxLimit = 1 << 30

// RateOf reads the headers x-rate-limit-limit, -remaining and -reset
// (milliseconds). Without a usable limit and remainder it returns the zero Rate.
func RateOf(h http.Header) Rate {
	limit, ok := sole(h["X-Rate-Limit-Limit"])
	if !ok || limit < 1 || limit > maxLimit {
		return Rate{}
	}
	remaining, ok := sole(h["X-Rate-Limit-Remaining"])
	if !ok {
		return Rate{}
	}
	r := Rate{Limit: int(limit), Remaining: int(min(remaining, limit))}
	if ms, ok := sole(h["X-Rate-Limit-Reset"]); ok {
		r.Reset = duration(ms, time.Millisecond)
	}
	return r
}

// sole returns the number that a header states. A proxy may repeat or join a header, so equal numbers are one.
// Different numbers are of different limits, and none of them is used.
func sole(lines []string) (n float64, ok bool) {
	for _, line := range lines {
		for one := range strings.SplitSeq(line, ",") {
			value, valid := decimalOf(one)
			if !valid || ok && value != n {
				return 0, false
			}
			n, ok = value, true
		}
	}
	return n, ok
}

// decimalOf reads digits with an optional fraction and optional spaces around them.
func decimalOf(text string) (float64, bool) {
	text = strings.TrimSpace(text)
	if n, ok := digitsOf(text); ok {
		return float64(n), true
	}
	if text == "" || strings.Trim(text, "0123456789.") != "" {
		return 0, false
	}
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil
}

// digitsOf reads up to 15 digits, which a float64 holds exactly.
func digitsOf(text string) (n int64, ok bool) {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return 0, false
		}
		n = 10*n + int64(text[i]-'0')
		if i == 15 {
			return 0, false
		}
	}
	return n, text != ""
}

// retryAfter returns the longest wait that the Retry-After headers of an answer ask for, and false if there is none. 0,
// a date that has passed and other forms count as absent. A date is measured from the Date of the answer, because the
// two clocks may differ. It is measured from now if the answer has no Date.
func retryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	var longest time.Duration
	for _, line := range h["Retry-After"] {
		if at, err := http.ParseTime(line); err == nil {
			if date := Date(h); !date.IsZero() {
				longest = max(longest, at.Sub(date))
			} else {
				longest = max(longest, at.Sub(now))
			}
			continue
		}
		for one := range strings.SplitSeq(line, ",") {
			if seconds, ok := decimalOf(one); ok {
				longest = max(longest, duration(seconds, time.Second))
			}
		}
	}
	return longest, longest > 0
}

// duration returns n units, or the longest duration if that overflows.
func duration(n float64, unit time.Duration) time.Duration {
	if n >= math.MaxInt64/float64(unit) {
		return math.MaxInt64
	}
	return time.Duration(n * float64(unit))
}

// Date returns the time of an answer, or the zero time.
func Date(h http.Header) time.Time {
	date, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return time.Time{}
	}
	return date.UTC()
}
