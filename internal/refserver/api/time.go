package api

import (
	"fmt"
	"strings"
	"time"
)

// layouts are the forms of a time that requests carry. In a query an unescaped
// plus sign arrives as a space.
var layouts = []string{
	time.RFC3339Nano,
	"2006-01-02T15:04:05-0700",
	"2006-01-02T15:04:05.999999999-0700",
	"2006-01-02T15:04:05",
	"2006-01-02 15:04:05",
	"2006-01-02T15:04Z07:00",
	"2006-01-02T15:04-0700",
	"2006-01-02T15:04",
	"2006-01-02",
}

// ParseTime reads an ISO 8601 time; without a zone it is UTC, without a time of
// day it is midnight.
func ParseTime(s string) (time.Time, error) {
	s = strings.TrimSpace(s)
	if date, zone, ok := strings.Cut(s, " "); ok && strings.Contains(date, "T") {
		s = date + "+" + zone
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("time %q: must be ISO 8601", s)
}
