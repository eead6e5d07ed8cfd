package value

import (
	"strconv"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// instant is a parsed time.
type instant struct {
	year, month, day, hour, minute, second, nanosecond int
	// offset is the offset of the zone in seconds east of UTC.
	offset int
	// unset reports whether it is a date that databases use for none.
	unset bool
	// rfc is false if the form is in neither the contract nor RFC 3339.
	rfc bool
}

// parseInstant reads the textual forms that Time describes. It reads at most as many bytes as a time may have.
func parseInstant(s string) (time.Time, bool) {
	i, ok := readInstant(s)
	if !ok || i.unset {
		return time.Time{}, ok
	}
	zone := time.UTC
	if i.offset != 0 {
		zone = time.FixedZone("", i.offset)
	}
	t := time.Date(i.year, time.Month(i.month), i.day, i.hour, i.minute, i.second, i.nanosecond, zone)
	return t, t.Month() == time.Month(i.month) && t.Day() == i.day && i.hour < 24 && i.minute < 60 && i.second < 60
}

// isPrinted reports whether a text is a time in a form of the contract.
func isPrinted(s string) bool {
	i, ok := readInstant(s)
	return ok && i.rfc
}

func readInstant(s string) (i instant, ok bool) {
	if len(s) > wire.MaxScalar {
		return i, false
	}
	in := printed{rest: s, ok: true}
	i.rfc = true
	before := in.skip("-") // sign of a year before year 1
	i.year = in.number(4)
	in.must("-")
	i.month = in.number(2)
	in.must("-")
	i.day = in.number(2)
	i.unset = before && i.year == 1 || i.year == 0 && i.month == 0 && i.day == 0
	if !in.ok || before && i.year != 1 {
		return i, false
	}
	if i.unset {
		i.rfc = before
	}
	if in.rest == "" {
		return i, true
	}
	if !in.skip("T") && !in.skip(" ") {
		in.must("t")
		i.rfc = false
	}
	i.hour = in.number(2)
	in.must(":")
	i.minute = in.number(2)
	if in.skip(":") {
		i.second = in.number(2)
		i.readFraction(&in)
	}
	i.readZone(&in)
	return i, in.ok && in.rest == ""
}

// readFraction reads the fraction of a second, up to nine digits.
func (i *instant) readFraction(in *printed) {
	if !in.skip(".") {
		if !in.skip(",") {
			return
		}
		i.rfc = false
	}
	n := 0
	for n < len(in.rest) && isDigit(in.rest[n]) {
		n++
	}
	in.ok = in.ok && n > 0
	i.nanosecond, _ = strconv.Atoi((in.rest[:n] + "000000000")[:9])
	in.rest = in.rest[n:]
}

// readZone reads Z, UTC, GMT or an offset, all of them with or without a space.
func (i *instant) readZone(in *printed) {
	if in.rest == "" || in.skip("Z") {
		return
	}
	if in.skip(" ") {
		i.rfc = false
	}
	for _, name := range []string{"Z", "UTC", "GMT"} {
		if strings.EqualFold(in.rest, name) {
			in.rest, i.rfc = "", false
			return
		}
	}
	sign := 1
	if in.skip("-") {
		sign = -1
	} else {
		in.must("+")
	}
	hours, minutes := in.number(2), 0
	switch {
	case in.rest == "":
		i.rfc = false
	case in.skip(":"):
		minutes = in.number(2)
	default:
		minutes = in.number(2)
	}
	in.ok = in.ok && hours < 24 && minutes < 60
	i.offset = sign * 60 * (60*hours + minutes)
}

// printed is the unread rest of a text; ok is false after an unexpected character.
type printed struct {
	rest string
	ok   bool
}

// skip reads the prefix if it is next.
func (p *printed) skip(prefix string) (found bool) {
	p.rest, found = strings.CutPrefix(p.rest, prefix)
	return found
}

func (p *printed) must(prefix string) { p.ok = p.skip(prefix) && p.ok }

// number reads a number with the given number of digits.
func (p *printed) number(digits int) (n int) {
	if len(p.rest) < digits {
		p.ok = false
		return 0
	}
	for i := range digits {
		p.ok = p.ok && isDigit(p.rest[i])
		n = 10*n + int(p.rest[i]-'0')
	}
	p.rest = p.rest[digits:]
	return n
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// unixDigits are the lengths of Unix times in seconds, milliseconds, microseconds and nanoseconds, from 2001 to 2286.
var unixDigits = map[int]bool{10: true, 13: true, 16: true, 19: true}

// Units of Unix times. A number below a bound has this unit. In the next larger unit it would be after the year 5138.
const (
	secondsBelow      = 100_000_000_000
	millisecondsBelow = 1000 * secondsBelow
	microsecondsBelow = 1000 * millisecondsBelow
)

// parseUnix reads the time since 1970 in one of its units.
func parseUnix(s string) (t time.Time, ok bool) {
	plain, ok := wire.Plain([]byte(s))
	whole, fraction, _ := strings.Cut(string(plain), ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	if !ok || err != nil {
		return t, false
	}
	part, _ := strconv.ParseInt((fraction + "000000000")[:9], 10, 64) // fraction of the unit, in billionths
	if strings.HasPrefix(whole, "-") {
		part = -part
	}
	switch size := max(n, -n); {
	case size < secondsBelow && size >= 0:
		t = time.Unix(n, part)
	case size < millisecondsBelow && size >= 0:
		t = time.UnixMilli(n).Add(time.Duration(part / 1_000))
	case size < microsecondsBelow && size >= 0:
		t = time.UnixMicro(n).Add(time.Duration(part / 1_000_000))
	default:
		t = time.Unix(0, n)
	}
	return t.UTC(), true
}
