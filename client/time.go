package client

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// layouts are the forms in which the platform prints an instant, the most
// frequent first. Fractions of a second are accepted by all of them.
var layouts = []string{
	"2006-01-02T15:04:05Z0700",
	time.RFC3339,
	"2006-01-02 15:04:05",
	time.DateOnly,
	"2006-01-02T15:04:05",
	"2006-01-02T15:04Z07:00",
	"2006-01-02T15:04Z0700",
	"2006-01-02 15:04:05Z07:00",
	"2006-01-02 15:04:05Z0700",
	"2006-01-02T15:04",
	"2006-01-02 15:04",
}

// Time is an instant of the platform. It reads every form that the platform
// prints: offsets +0000, +00:00 and Z, with or without fractions, a space instead
// of T, a bare date, Unix seconds or milliseconds as a number, and the object
// {date, timezone_type, timezone}. A form without zone, or with the name of one that
// this machine does not know, is taken as UTC. The empty string, null and the unset date "-0001-11-30T00:00:00+0000" read as the zero Time.
//
// It is written in RFC 3339; the zero Time is written as null.
type Time struct{ time.Time }

// At returns t as a Time.
func At(t time.Time) Time { return Time{t} }

// ParseTime reads one of the textual forms.
func ParseTime(s string) (Time, error) {
	if s == "" || strings.HasPrefix(s, "-0001") && len(s) <= mostScalar {
		return Time{}, nil
	}
	if t, ok := parseUTC(s); ok {
		return Time{t}, nil
	}
	if len(s) <= mostScalar { // the errors of each layout copy the text
		for _, layout := range layouts {
			t, err := time.Parse(layout, s)
			if err != nil {
				continue
			}
			if _, offset := t.Zone(); offset == 0 {
				t = t.UTC() // time.Parse would name the zone of the machine if its offset is zero, too
			}
			return Time{t}, nil
		}
	}
	return Time{}, fmt.Errorf("time %s: want ISO 8601, for example 2006-01-02T15:04:05+00:00", quote(s))
}

// parseUTC reads the form in which the platform prints nearly every time, such as 2025-01-01T12:00:00+0000.
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
	switch kind(data) {
	case 'n':
		*t = Time{}
		return nil
	case '"':
		var v Time
		if v, err = ParseTime(unquoted(data)); err == nil {
			*t = v
		}
		return err
	case '{':
		return t.readObject(data)
	}
	return t.readUnix(unquoted(data))
}

func (t *Time) readObject(data []byte) error {
	var object zonedTime
	if err := wire.Unmarshal(data, &object); err != nil {
		return fmt.Errorf("time: want {date, timezone}: %w", err)
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
	if len(z.Timezone) > mostScalar {
		return Time{}, fmt.Errorf("time zone %s: want a name of the IANA database or an offset", quote(z.Timezone))
	}
	zone, _ := location(z.Timezone)
	if !v.IsZero() {
		v = Time{time.Date(v.Year(), v.Month(), v.Day(), v.Hour(), v.Minute(), v.Second(), v.Nanosecond(), zone)}
	}
	return v, nil
}

// location knows names ("UTC", "America/Sao_Paulo") and offsets ("-03:00"). No name
// means UTC, and so does one that is not known to this machine, which is kept: a
// time that is off by hours costs less than a record that cannot be read.
func location(name string) (zone *time.Location, known bool) {
	if at, err := time.Parse("-07:00", name); err == nil {
		return at.Location(), true
	}
	if zone, err := time.LoadLocation(name); err == nil {
		return zone, true
	}
	return time.FixedZone(name, 0), false
}

// inKnownZone reports whether a time is not in a zone that is taken as UTC because
// its name is not known.
func inKnownZone(raw []byte) bool {
	var z zonedTime
	if kind(raw) != '{' || wire.Unmarshal(raw, &z) != nil {
		return true
	}
	_, known := location(z.Timezone)
	return known
}

// milliseconds is the number above which a bare number counts milliseconds: as
// seconds it would lie beyond the year 5000.
const milliseconds = 100_000_000_000

func (t *Time) readUnix(s string) error {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return fmt.Errorf("time %s: want ISO 8601 text or a whole Unix time", quote(s))
	}
	if n >= milliseconds {
		*t = Time{time.UnixMilli(n).UTC()}
	} else {
		*t = Time{time.Unix(n, 0).UTC()}
	}
	return nil
}
