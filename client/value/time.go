package value

import (
	"fmt"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Time is a time of the platform. It reads every form that the platform sends, and the forms of other systems that pass
// values on:
//
//	2025-01-01T12:00:00+0000           also +00:00, +00, Z, or a space and UTC or GMT; T and Z in either case
//	2025-01-01 12:00:00.123456 -03     a space for T and before the zone; a fraction with a point or a comma
//	2025-01-01T12:00, 2025-01-01       without seconds, without a time
//	1735732800, 1735732800.5           Unix seconds, milliseconds, microseconds or nanoseconds
//	{date, timezone_type, timezone}    the object of CompletedAt
//
// The unit of a Unix time is the one that results in a year between 1973 and 5138. A Unix time in a string must have
// 10, 13, 16 or 19 digits before the point. Other numbers in strings are rejected, because they may be dates without
// dashes. A fraction is truncated after the ninth digit.
//
// A form without a zone, or with a zone that this machine does not know, is read as UTC. The zero Time is read from the
// empty string, null and the dates that databases use for none (0000-00-00 and -0001-11-30, in every form).
//
// It is written in RFC 3339; the zero Time is written as null.
type Time struct{ time.Time }

// At returns t as a Time.
func At(t time.Time) Time { return Time{t} }

// ParseTime parses one of the textual forms, or a Unix time in a string.
func ParseTime(s string) (Time, error) {
	if t, ok := parseUTC(s); ok {
		return Time{t}, nil
	}
	if t, ok := parseInstant(s); ok || s == "" {
		return Time{t}, nil
	}
	if whole, _, _ := strings.Cut(s, "."); unixDigits[len(whole)] {
		if t, ok := parseUnix(s); ok {
			return Time{t}, nil
		}
	}
	return Time{}, fmt.Errorf("time %s: must be ISO 8601, for example 2006-01-02T15:04:05+00:00", wire.Quote(s))
}

// parseUTC reads the form in which the platform sends nearly every time, such as 2025-01-01T12:00:00+0000.
func parseUTC[S string | []byte](s S) (t time.Time, ok bool) {
	const form = "0000-00-00T00:00:00+0000"
	if len(s) != len(form) {
		return t, false
	}
	for i := range len(form) {
		if digit := form[i] == '0' && i < len("0000-00-00T00:00:00"); digit && (s[i] < '0' || s[i] > '9') || !digit && s[i] != form[i] {
			return t, false
		}
	}
	two := func(i int) int { return 10*int(s[i]-'0') + int(s[i+1]-'0') }
	year, month, day, hour, minute, second := 100*two(0)+two(2), time.Month(two(5)), two(8), two(11), two(14), two(17)
	t = time.Date(year, month, day, hour, minute, second, 0, time.UTC)
	return t, t.Month() == month && t.Day() == day && hour < 24 && minute < 60 && second < 60
}

// MarshalJSON writes RFC 3339, or null for the zero Time.
func (t Time) MarshalJSON() ([]byte, error) {
	if t.IsZero() {
		return []byte("null"), nil
	}
	return t.Time.MarshalJSON()
}

// UnmarshalJSON reads one of the forms that Time describes.
func (t *Time) UnmarshalJSON(data []byte) (err error) {
	switch wire.Kind(data) {
	case 'n':
		*t = Time{}
		return nil
	case '"':
		var v Time
		if v, err = ParseTime(wire.Unquoted(data)); err == nil {
			*t = v
		}
		return err
	case '{':
		return t.readObject(data)
	}
	unix, ok := parseUnix(wire.Unquoted(data))
	if !ok {
		return fmt.Errorf("time %s: must be ISO 8601 text or a Unix time", wire.Shown(data))
	}
	*t = Time{unix}
	return nil
}

func (t *Time) readObject(data []byte) error {
	var object zonedTime
	if err := wire.Unmarshal(data, &object); err != nil {
		return fmt.Errorf("time: must be {date, timezone}: %w", err)
	}
	v, err := object.time()
	if err == nil {
		*t = v
	}
	return err
}

// zonedTime is a time in the form of an object.
type zonedTime struct {
	Date     string `json:"date"`
	Timezone string `json:"timezone"`
}

func (z zonedTime) time() (Time, error) {
	v, err := ParseTime(z.Date)
	if err != nil {
		return Time{}, err
	}
	if len(z.Timezone) > wire.MaxScalar {
		return Time{}, fmt.Errorf("time zone %s: must be a name of the IANA database or an offset", wire.Quote(z.Timezone))
	}
	zone, _ := location(z.Timezone)
	if !v.IsZero() {
		v = Time{time.Date(v.Year(), v.Month(), v.Day(), v.Hour(), v.Minute(), v.Second(), v.Nanosecond(), zone)}
	}
	return v, nil
}

// location returns the zone of a name ("UTC", "America/Sao_Paulo") or an offset ("-03:00"). An empty name means UTC. So
// does a name that this machine does not know, because a time that is hours off is better than a record that cannot be
// read.
func location(name string) (zone *time.Location, known bool) {
	if at, err := time.Parse("-07:00", name); err == nil {
		return at.Location(), true
	}
	if zone, err := time.LoadLocation(name); err == nil {
		return zone, true
	}
	return time.FixedZone(name, 0), false
}

// inKnownZone reports whether the zone of a time is known. An unknown zone is read as UTC.
func inKnownZone(raw []byte) bool {
	var z zonedTime
	if wire.Kind(raw) != '{' || wire.Unmarshal(raw, &z) != nil {
		return true
	}
	_, known := location(z.Timezone)
	return known
}
