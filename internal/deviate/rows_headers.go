package deviate

import (
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// headers returns the deviations of headers other than Link and X-Total-Count.
func headers() []Deviation {
	return []Deviation{
		contentType("Content-Type text/html", "text/html; charset=UTF-8"),
		contentType("Content-Type text/plain", "text/plain"),
		contentType("no Content-Type"),
		contentType("Content-Type in upper case", "APPLICATION/JSON;CHARSET=UTF-8"),
		contentType("Content-Type application/octet-stream", "application/octet-stream"),
		{Name: "Date an hour ahead", Group: "date", change: date(func(at time.Time) string { return at.Add(time.Hour).Format(http.TimeFormat) })},
		{Name: "Date an hour late", Group: "date", change: date(func(at time.Time) string { return at.Add(-time.Hour).Format(http.TimeFormat) })},
		{Name: "Date a day ahead", Group: "date", change: date(func(at time.Time) string { return at.Add(24 * time.Hour).Format(http.TimeFormat) })},
		{Name: "Date in the form of RFC 850", Group: "date", change: date(func(at time.Time) string { return at.UTC().Format("Monday, 02-Jan-06 15:04:05 GMT") })},
		{Name: "Date in the form of asctime", Group: "date", change: date(func(at time.Time) string { return at.UTC().Format(time.ANSIC) })},
		{Name: "no Date", Group: "date", HidesTime: true, Without: []string{"retry"}, change: date(func(time.Time) string { return "" })},
		{Name: "an unreadable Date", Group: "date", HidesTime: true, Without: []string{"retry"}, change: date(func(time.Time) string { return "yesterday" })},
		{Name: "Retry-After with a fraction", Group: "retry", change: retryAfter(func(_ *answer, s int) string { return strconv.Itoa(s) + ".0" })},
		{Name: "Retry-After as a date", Group: "retry", change: retryAfter(func(a *answer, s int) string {
			own, err := http.ParseTime(a.header.Get("Date"))
			if err != nil {
				return strconv.Itoa(s)
			}
			return own.Add(time.Duration(s) * time.Second).UTC().Format(http.TimeFormat)
		})},
		{Name: "header names in lower case", Group: "case", change: headerNames(strings.ToLower)},
		{Name: "header names in upper case", Group: "case", change: headerNames(strings.ToUpper)},
		{Name: "foreign headers", change: func(a *answer, _ *rand.Rand) int {
			a.header.Add("Set-Cookie", "lb=3; Path=/; HttpOnly")
			a.header.Set("Via", "1.1 gateway")
			a.header.Set("Deprecation", "@1767225600")
			a.header.Set("Cache-Control", "no-transform, max-age=0")
			a.header.Set("X-Retry-After", "3600")
			return 1
		}},
	}
}

func contentType(name string, value ...string) Deviation {
	return Deviation{Name: name, Group: "type", change: func(a *answer, _ *rand.Rand) int {
		if a.json == nil {
			return 0
		}
		a.header["Content-Type"] = value
		return 1
	}}
}

// date rewrites the time of the response; "" removes it.
func date(form func(time.Time) string) func(*answer, *rand.Rand) int {
	return func(a *answer, _ *rand.Rand) int {
		at, err := http.ParseTime(a.header.Get("Date"))
		if err != nil {
			return 0
		}
		a.header.Del("Date")
		if s := form(at); s != "" {
			a.header.Set("Date", s)
		}
		return 1
	}
}

// retryAfter rewrites a number of seconds.
func retryAfter(form func(a *answer, seconds int) string) func(*answer, *rand.Rand) int {
	return func(a *answer, _ *rand.Rand) int {
		seconds, err := strconv.Atoi(a.header.Get("Retry-After"))
		if err != nil {
			return 0
		}
		a.header.Set("Retry-After", form(a, seconds))
		return 1
	}
}

func headerNames(as func(string) string) func(*answer, *rand.Rand) int {
	return func(a *answer, _ *rand.Rand) int {
		a.headerCase = as
		return 1
	}
}
