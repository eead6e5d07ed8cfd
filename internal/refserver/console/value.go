package console

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/act"
)

// value is a value of an answer. Members that there are none of are empty.
type value struct{ of any }

func parse(raw []byte) value {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	_ = d.Decode(&v) // the control API answers JSON
	return value{v}
}

// at is a member, with dots between the names of members in members.
func (v value) at(path string) value {
	for name := range strings.SplitSeq(path, ".") {
		m, _ := v.of.(map[string]any)
		v = value{m[name]}
	}
	return v
}

// text is a member as text: texts and numbers as they are, other values as JSON, null and nothing as "".
func (v value) text(path string) string { return v.at(path).shown() }

func (v value) shown() string {
	switch m := v.of.(type) {
	case nil:
		return ""
	case string:
		return m
	case json.Number:
		return m.String()
	case bool:
		if m {
			return "yes"
		}
		return "no"
	default:
		raw, _ := json.Marshal(m) // it was JSON
		return string(raw)
	}
}

// int is a member as a whole number, 0 if it is not a number.
func (v value) int(path string) int { return int(v.float(path)) }

// float is a member as a number.
func (v value) float(path string) float64 {
	n, _ := strconv.ParseFloat(v.text(path), 64)
	return n
}

// millis are milliseconds as a person reads them.
func (v value) millis(path string) string {
	switch ms := v.float(path); {
	case v.text(path) == "":
		return ""
	case ms < 1:
		return "<1"
	default:
		return strconv.Itoa(int(ms))
	}
}

// list is a member that is an array.
func (v value) list(path string) []value {
	all, _ := v.at(path).of.([]any)
	out := make([]value, len(all))
	for i, one := range all {
		out[i] = value{one}
	}
	return out
}

// names are the texts of a member that is an array of texts.
func (v value) names(path string) []string {
	var out []string
	for _, one := range v.list(path) {
		s, _ := one.of.(string)
		out = append(out, s)
	}
	return out
}

// pretty is a member as JSON with lines, or as text if it is text.
func (v value) pretty(path string) string {
	m := v.at(path).of
	if s, ok := m.(string); ok || m == nil {
		return s
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	_ = e.Encode(m) // it was JSON
	return strings.TrimSpace(b.String())
}

// when is a time as people read it, in UTC, to the second.
func when(stamp string) cell { return cell{Text: moment(stamp) + "Z", Class: "time"} }

// ago is a time as a distance from now, with the time itself when it is pointed at.
func ago(stamp, now string) cell {
	t, err := time.Parse(time.RFC3339Nano, stamp)
	at, err2 := time.Parse(time.RFC3339Nano, now)
	if err != nil || err2 != nil {
		return cell{Text: stamp}
	}
	out := cell{Hover: when(stamp).Text, Class: "time"}
	switch d := at.Sub(t); {
	case d <= -time.Second:
		out.Text = "in " + span(-d)
	case d < time.Second:
		out.Text = "now"
	default:
		out.Text = span(d) + " ago"
	}
	return out
}

// span is a duration in its largest unit.
func span(d time.Duration) string {
	switch {
	case d < 2*time.Minute:
		return strconv.Itoa(int(d.Seconds())) + " s"
	case d < 2*time.Hour:
		return strconv.Itoa(int(d.Minutes())) + " min"
	case d < 48*time.Hour:
		return strconv.Itoa(int(d.Hours())) + " h"
	}
	return strconv.Itoa(int(d.Hours()/24)) + " days"
}

// escape makes text a segment of a path.
func escape(s string) string { return act.Escape(s) }

// link is an address of a page, of pairs of names and values; empty values are left out.
func link(path string, pairs ...string) string {
	q := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			q.Set(pairs[i], pairs[i+1])
		}
	}
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}
