package value

import (
	"database/sql/driver"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Values can be stored in databases with database/sql and pgx. They are read from each form that drivers use for a
// suitable column, and are never rounded. NULL is read as the zero value if a type has a value for "none". A Secret has
// no Value method, because drivers log arguments. An app that stores a secret must convert it to a string, or better
// encrypt it.

// Value returns the amount as a decimal text, such as "19.90", for a column of the type NUMERIC or TEXT. In SQLite,
// NUMERIC is binary floating point from 16 digits on and drops trailing zeros, so use TEXT there.
func (m Money) Value() (driver.Value, error) { return m.String(), nil }

// Scan reads a decimal text, an integer or a floating-point number. A floating-point number is read as its shortest
// decimal, such as 19.9. It is rejected if that has more than 15 digits, which are not exact. NULL is an error, because
// a missing amount is not 0.00. Scan into a sql.Null[Money] or a **Money to accept NULL.
func (m *Money) Scan(src any) error {
	text, err := decimalOf(src)
	if err != nil {
		return fmt.Errorf("amount: %w", err)
	}
	if src == nil {
		return fmt.Errorf("amount: must not be NULL: scan into a sql.Null[client.Money] or a **client.Money")
	}
	plain, ok := wire.Plain([]byte(text))
	read, exact := parseMoney(withoutZeros(plain))
	if !ok || !exact {
		_, err := ParseMoney(text)
		if err == nil {
			err = fmt.Errorf("amount %s: must be a decimal", wire.Quote(text))
		}
		return err
	}
	*m = read
	return nil
}

// Value returns the number, including 0.
func (id ID) Value() (driver.Value, error) { return int64(id), nil }

// Scan reads an integer, or a text with an integer. NULL is 0, which means none.
func (id *ID) Scan(src any) error {
	text, err := decimalOf(src)
	if err != nil {
		return fmt.Errorf("id: %w", err)
	}
	if src == nil {
		*id = 0
		return nil
	}
	read, err := ParseID(text)
	if err == nil {
		*id = read
	}
	return err
}

// Value returns the number.
func (n Int) Value() (driver.Value, error) { return int64(n), nil }

// Scan reads an integer, or a text with an integer. NULL is an error. Scan into a sql.Null[Int] or a **Int to accept
// NULL.
func (n *Int) Scan(src any) error {
	if src == nil {
		return fmt.Errorf("integer: must not be NULL: scan into a sql.Null[client.Int] or a **client.Int")
	}
	return (*ID)(n).Scan(src)
}

// Value returns the digits as a text, NULL for the empty Decimal. It fails if d is not a decimal.
func (d Decimal) Value() (driver.Value, error) {
	if d == "" {
		return nil, nil
	}
	return string(d), d.check()
}

// Scan reads a decimal text or a number. NULL is the empty Decimal.
func (d *Decimal) Scan(src any) error {
	text, err := decimalOf(src)
	if err == nil && src != nil {
		err = Decimal(text).check()
	}
	if err == nil {
		*d = Decimal(text)
	}
	return err
}

// Value returns the number as a text, NULL for the empty Measure.
func (m Measure) Value() (driver.Value, error) {
	if m == "" {
		return nil, nil
	}
	return string(m), nil
}

// Scan reads a decimal text or a number. NULL is the empty Measure.
func (m *Measure) Scan(src any) error {
	text, err := decimalOf(src)
	if err == nil {
		*m = Measure(text)
	}
	return err
}

// Value returns the time in UTC with the precision of PostgreSQL, which is microseconds. It is NULL for the zero Time.
func (t Time) Value() (driver.Value, error) {
	if t.IsZero() {
		return nil, nil
	}
	return t.UTC().Truncate(time.Microsecond), nil
}

// Scan reads a time, a text in a form of Time or in a form that SQLite drivers write, or a Unix time. The result is in
// UTC. NULL is the zero Time.
func (t *Time) Scan(src any) error {
	switch src := src.(type) {
	case nil:
		*t = Time{}
	case time.Time:
		*t = Time{src.UTC()}
	case int64:
		unix, ok := parseUnix(strconv.FormatInt(src, 10))
		if !ok {
			return fmt.Errorf("time %d: must be a Unix time", src)
		}
		*t = Time{unix}
	default:
		text, err := textOf(src)
		if err != nil {
			return fmt.Errorf("time: %w", err)
		}
		read, err := ParseTime(strings.TrimSuffix(text, " UTC")) // 2025-01-01 12:00:00 +0000 UTC, as time.Time prints
		if err != nil {
			return err
		}
		if !read.IsZero() {
			read = Time{read.UTC()}
		}
		*t = read
	}
	return nil
}

// Value returns the value of Time.Value.
func (c CompletedAt) Value() (driver.Value, error) { return Time(c).Value() }

// Scan reads the forms of Time.Scan. A database does not store the zone.
func (c *CompletedAt) Scan(src any) error { return (*Time)(c).Scan(src) }

// Value returns the day as YYYY-MM-DD, NULL for the zero Date.
func (d Date) Value() (driver.Value, error) {
	if d.IsZero() {
		return nil, nil
	}
	return d.String(), nil
}

// Scan reads the day of a time in its own zone, or a text in a form of ParseDate. NULL is the zero Date.
func (d *Date) Scan(src any) error {
	if at, ok := src.(time.Time); ok {
		*d = DateOf(at)
		return nil
	}
	text, err := textOf(src)
	if err != nil {
		return fmt.Errorf("date: %w", err)
	}
	read, err := ParseDate(text)
	if err == nil {
		*d = read
	}
	return err
}

// Value returns the JSON of the text, for a column of the type JSONB, JSON or TEXT, NULL for a nil Text.
func (t Text) Value() (driver.Value, error) {
	if t == nil {
		return nil, nil
	}
	data, err := t.MarshalJSON()
	return string(data), err
}

// Scan reads JSON in a form of UnmarshalJSON. NULL is the nil Text.
func (t *Text) Scan(src any) error {
	text, err := textOf(src)
	if err != nil {
		return fmt.Errorf("text: %w", err)
	}
	if src == nil {
		*t = nil
		return nil
	}
	var read Text
	if !wire.Valid([]byte(text)) {
		return fmt.Errorf("text %s: must be JSON", wire.Quote(text))
	}
	if err := read.UnmarshalJSON([]byte(text)); err != nil {
		return err
	}
	*t = read
	return nil
}

// Value returns the database value of o, or NULL if o is null or absent. An update that must not change the column for
// an absent Opt must check IsZero first. To read a column, scan into a *T and use NullIfNil.
func (o Opt[T]) Value() (driver.Value, error) {
	if o.state != set {
		return nil, nil
	}
	return driver.DefaultParameterConverter.ConvertValue(o.value)
}

// decimalOf returns the digits of a number from a driver, empty for NULL.
func decimalOf(src any) (string, error) {
	switch src := src.(type) {
	case int64:
		return strconv.FormatInt(src, 10), nil
	case float64:
		return exactFloat(src)
	}
	return textOf(src)
}

// exactFloat returns the shortest decimal of a floating-point number. With up to 15 digits it is unique.
func exactFloat(f float64) (string, error) {
	shortest := strconv.FormatFloat(f, 'e', -1, 64)
	digits, _, _ := strings.Cut(strings.TrimPrefix(shortest, "-"), "e")
	const most = 15
	if len(strings.Replace(digits, ".", "", 1)) > most || f-f != 0 {
		return "", fmt.Errorf("floating-point number %v: must have at most %d digits, because more are not exact: "+
			"store text or an exact type", f, most)
	}
	return strconv.FormatFloat(f, 'f', -1, 64), nil
}

// textOf returns a text from a driver, empty for NULL.
func textOf(src any) (string, error) {
	switch src := src.(type) {
	case nil:
		return "", nil
	case string:
		return src, nil
	case []byte:
		return string(src), nil
	}
	return "", fmt.Errorf("got a %T from the database: must be a text or a number", src)
}
