package value

import (
	"fmt"
	"time"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Date is a day of the store's calendar, without time and zone, such as 2030-12-31. Values outside a month are
// normalized as in time.Date. The zero Date means that there is no date, and is written as null.
type Date struct {
	Year  int        // such as 2030
	Month time.Month // 1 to 12
	Day   int        // 1 to 31
}

// DateOf returns the day of t in its own zone, or the zero Date for the zero time.
func DateOf(t time.Time) Date {
	if t.IsZero() {
		return Date{}
	}
	year, month, day := t.Date()
	return Date{year, month, day}
}

// ParseDate parses YYYY-MM-DD, or the day of a longer form that Time reads. The empty string returns the zero Date.
func ParseDate(s string) (Date, error) {
	t, err := ParseTime(s)
	if err != nil {
		return Date{}, fmt.Errorf("date %s: must be YYYY-MM-DD", wire.Quote(s))
	}
	return DateOf(t.Time), nil
}

// IsZero reports whether d is the zero Date.
func (d Date) IsZero() bool { return d == Date{} }

// Before reports whether d is earlier than o.
func (d Date) Before(o Date) bool { return d.In(time.UTC).Before(o.In(time.UTC)) }

// In returns the start of the day in a time zone.
func (d Date) In(zone *time.Location) time.Time {
	return time.Date(d.Year, d.Month, d.Day, 0, 0, 0, 0, zone)
}

// String returns YYYY-MM-DD, empty for the zero Date.
func (d Date) String() string {
	if d.IsZero() {
		return ""
	}
	return d.In(time.UTC).Format(time.DateOnly)
}

// MarshalJSON writes "YYYY-MM-DD", or null for the zero Date.
func (d Date) MarshalJSON() ([]byte, error) {
	if d.IsZero() {
		return []byte("null"), nil
	}
	return []byte(`"` + d.String() + `"`), nil
}

// UnmarshalJSON reads the day of every form that Time reads.
func (d *Date) UnmarshalJSON(data []byte) error {
	var t Time
	if err := t.UnmarshalJSON(data); err != nil {
		return err
	}
	*d = DateOf(t.Time)
	return nil
}
