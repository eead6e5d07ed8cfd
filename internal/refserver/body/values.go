package body

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Text reads a text and reports whether there was one to read.
func (m Members) Text(name string, to *string) bool { return Value(m, name, BeString, to) }

// Texts reads an array of texts.
func (m Members) Texts(name string, to *[]string) { Value(m, name, BeStrings, to) }

// Bool reads a flag and reports whether there was one to read.
func (m Members) Bool(name string, to *bool) bool { return Value(m, name, BeBool, to) }

// Flag is Bool for a member of which null says nothing.
func (m Members) Flag(name string, to *bool) {
	if !m.Set(name) {
		m.Ignore(name)
	}
	m.Bool(name, to)
}

// Need reads a text that may be neither absent nor empty.
func (m Members) Need(name string, to *string) {
	raw := m.Raw(name)
	var s string
	null := len(raw) == 0 || isNull(raw)
	isText := !null && json.Unmarshal(raw, &s) == nil
	if null || isText && s == "" {
		m.Refuse(name, NotEmpty)
	}
	if !isText {
		m.Refuse(name, BeString)
	}
	if isText && s != "" {
		*to = s
	}
}

// Choice reads a text that is one of the allowed.
func (m Members) Choice(name, text string, allowed []string, to *string) {
	m.Text(name, to)
	if !slices.Contains(allowed, *to) {
		m.Refuse(name, text)
	}
}

// Choices reads an array of texts of which each is one of the allowed.
func (m Members) Choices(name, text string, allowed []string, to *[]string) {
	m.Texts(name, to)
	for _, s := range *to {
		if !slices.Contains(allowed, s) {
			m.Refuse(name, text)
		}
	}
}

// HTTPS reads a URL; an empty one is none.
func (m Members) HTTPS(name string, to *string) {
	m.Text(name, to)
	if *to != "" && !Secure(*to) {
		m.Refuse(name, BeHTTPS)
	}
}

// Public reads a partner's address; an empty one is none.
func (m Members) Public(in *api.In, name string, to *string) {
	if m.Text(name, to) && *to != "" && in.CheckURL(*to) != nil {
		m.Refuse(name, BePublic)
	}
}

// Secure reports whether a text is a URL with the scheme https.
func Secure(text string) bool {
	u, err := url.Parse(text)
	return err == nil && u.Scheme == "https" && u.Host != ""
}

// Number reads a number. One that is equal to what is there leaves it, however it is
// written.
func (m Members) Number(name string, to *decimal.Decimal) {
	var s Scalar
	if !Value(m, name, BeNumber, &s) {
		return
	}
	d, ok := s.Decimal()
	if !ok && s.Text != "" {
		m.Refuse(name, BeNumber)
		return
	}
	if !d.Equal(*to) {
		*to = d
	}
}

// Amount reads a number that is not negative and has to be there.
func (m Members) Amount(name, text string) decimal.Decimal {
	var s Scalar
	Value(m, name, text, &s)
	d, ok := s.Amount()
	if !ok {
		m.Refuse(name, text)
	}
	return d
}

// Integer reads a number that is not below the least and has to be there.
func (m Members) Integer(name, text string, least int64) int64 {
	var n json.Number
	Value(m, name, text, &n)
	i, err := strconv.ParseInt(n.String(), 10, 64)
	if err != nil || i < least {
		m.Refuse(name, text)
	}
	return i
}

// twoDecimals bounds an amount, so that no number can be huge.
var twoDecimals = regexp.MustCompile(`^[0-9]{1,15}\.[0-9]{2}$`)

// Money reads the value, a text with exactly two decimals, and the currency of an amount.
func (m Members) Money(text string) world.Amount {
	var a world.Amount
	var value string
	Value(m, "value", text, &value)
	if twoDecimals.MatchString(value) {
		a.Value = decimal.RequireFromString(value)
	} else {
		m.Refuse("value", text)
	}
	a.Currency = m.Currency("currency")
	return a
}

// Currency reads a currency that has to be there.
func (m Members) Currency(name string) string {
	var code string
	Value(m, name, BeISOCurrency, &code)
	if !IsCurrency(code) {
		m.Refuse(name, BeISOCurrency)
	}
	return code
}

var isoCurrency = regexp.MustCompile(`^[A-Z]{3}$`)

// IsCurrency reports whether a text has the form of an ISO 4217 code.
func IsCurrency(code string) bool { return isoCurrency.MatchString(code) }

// Time reads a time and reports whether there is one; null is none.
func (m Members) Time(name string, to *time.Time) bool {
	var s string
	if !Value(m, name, BeTime, &s) {
		return false
	}
	t, ok := ParseTime(s)
	if !ok && s != "" {
		m.Refuse(name, BeTime)
		return false
	}
	*to = t
	return ok
}

// ParseTime reads a date, or a date and a time to the minute or the second after T or a space, with the offset Z,
// +hh:mm, +hhmm or none, which is UTC.
func ParseTime(s string) (time.Time, bool) {
	for _, clock := range []string{"", "T15:04", "T15:04:05", " 15:04", " 15:04:05"} {
		for _, zone := range []string{"", "Z07:00", "-0700"} {
			if clock == "" && zone != "" {
				continue
			}
			if t, err := time.Parse("2006-01-02"+clock+zone, s); err == nil {
				return t.UTC(), true
			}
		}
	}
	return time.Time{}, false
}
