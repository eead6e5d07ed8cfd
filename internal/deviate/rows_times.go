package deviate

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// times returns the deviations in how instants are written.
func times() []Deviation {
	in := func(layout string) func(time.Time) *node {
		return func(at time.Time) *node { return text(at.Format(layout)) }
	}
	zoned := func(hours int, minutes int, layout string) func(time.Time) *node {
		zone := time.FixedZone("", hours*3600+minutes*60)
		return func(at time.Time) *node { return text(at.In(zone).Format(layout)) }
	}
	return []Deviation{
		instant("times with +00:00", in("2006-01-02T15:04:05+00:00")),
		instant("times with Z", in("2006-01-02T15:04:05Z")),
		instant("times with t and z", in("2006-01-02t15:04:05z")),
		instant("times with a space", in("2006-01-02 15:04:05Z")),
		instant("times without a zone", in("2006-01-02 15:04:05")),
		instant("times with UTC", in("2006-01-02T15:04:05UTC")),
		instant("times with UTC after a space", in("2006-01-02 15:04:05 UTC")),
		instant("times with +00", in("2006-01-02T15:04:05+00")),
		instant("times with +0000 after a space", in("2006-01-02 15:04:05 +0000")),
		instant("times with +00:00 after a space", in("2006-01-02 15:04:05 +00:00")),
		instant("times with -03", zoned(-3, 0, "2006-01-02T15:04:05-07")),
		instant("times with -03 after a space", zoned(-3, 0, "2006-01-02 15:04:05-07")),
		instant("times with -0300", zoned(-3, 0, "2006-01-02T15:04:05-0700")),
		instant("times with -03:00", zoned(-3, 0, "2006-01-02T15:04:05-07:00")),
		instant("times with +05:30", zoned(5, 30, "2006-01-02T15:04:05-07:00")),
		instant("times with milliseconds", in("2006-01-02T15:04:05.000Z")),
		instant("times with microseconds", in("2006-01-02 15:04:05.000000+00:00")),
		instant("times with nanoseconds", in("2006-01-02T15:04:05.000000000+0000")),
		instant("times without seconds", func(at time.Time) *node {
			if at.Second() != 0 {
				return nil
			}
			return text(at.Format("2006-01-02T15:04+00:00"))
		}),
		instant("times as objects", func(at time.Time) *node {
			return &node{kind: '{', members: []member{
				{"date", text(at.Format("2006-01-02 15:04:05.000000"))}, {"timezone_type", number("3")}, {"timezone", text("UTC")},
			}}
		}),
		instant("times in seconds", func(at time.Time) *node { return number(strconv.FormatInt(at.Unix(), 10)) }),
		instant("times in milliseconds", func(at time.Time) *node { return number(strconv.FormatInt(at.UnixMilli(), 10)) }),
		unset("0000-00-00 00:00:00 for null", "0000-00-00 00:00:00"),
		unset("0000-00-00T00:00:00+0000 for null", "0000-00-00T00:00:00+0000"),
		unset("0000-00-00 for null", "0000-00-00"),
		unset("-0001-11-30T00:00:00+0000 for null", "-0001-11-30T00:00:00+0000"),
		unset("-0001-11-30 00:00:00 for null", "-0001-11-30 00:00:00"),
	}
}

var stamp = regexp.MustCompile(`^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.0+)?(Z|[+-]\d\d:?\d\d)?$`)

// readTime reads the forms in which the reference server writes instants. Those of objects with a zone are not read.
func readTime(at place, n *node) (time.Time, bool) {
	if n.kind != '"' || !stamp.MatchString(n.text) || at.parent == nil || at.parent.member("timezone_type") != nil {
		return time.Time{}, false
	}
	s := strings.Replace(n.text, " ", "T", 1)
	for _, layout := range []string{"2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC(), t.Year() >= 1970
		}
	}
	return time.Time{}, false
}

// instant writes times in another form; nil leaves one as it is.
func instant(name string, form func(time.Time) *node) Deviation {
	return typed("time", name, func(at place, n *node) bool {
		t, ok := readTime(at, n)
		if !ok {
			return false
		}
		other := form(t)
		return other != nil && (other.kind != n.kind || other.text != n.text) && become(n, other)
	})
}

// unset writes one of the forms of a time that is not set for null.
func unset(name, form string) Deviation {
	return typed("no time", name, func(at place, n *node) bool { return n.kind == 'n' && isTime(at) && become(n, text(form)) })
}
