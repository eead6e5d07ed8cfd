package shipping

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// period checks the delivery dates: null, absent, or in order.
func (m members) period() *wrong {
	var ends [2]time.Time
	for i, name := range []string{"min_delivery_date", "max_delivery_date"} {
		if !m.has(name) {
			continue
		}
		if string(m[name]) == "null" {
			delete(m, name)
			continue
		}
		text, w := m.text(name)
		if w != nil {
			return w
		}
		t, err := time.Parse("2006-01-02T15:04:05-0700", text)
		if err != nil || t.Year() < 1970 {
			return &wrong{name, text, "ISO 8601 with an offset, such as 2016-07-14T14:48:45-0300"}
		}
		ends[i] = t
	}
	if !ends[0].IsZero() && !ends[1].IsZero() && ends[1].Before(ends[0]) {
		return &wrong{"max_delivery_date", ends[1].String(), "min_delivery_date or later"}
	}
	return nil
}

// point checks the members of rates to pickup points.
func (m members) point() *wrong {
	raw, w := m.take("address")
	if w != nil {
		return w
	}
	address, ok := readObject(raw)
	if !ok {
		return &wrong{"address", string(raw), "an object, each member once"}
	}
	if w := address.address(); w != nil {
		return w.in("address.")
	}
	hours, w := m.list("hours")
	if w != nil {
		return w
	}
	if len(hours) == 0 {
		return &wrong{"hours", "[]", "one at least"}
	}
	for i, raw := range hours {
		h, ok := readObject(raw)
		if !ok {
			return &wrong{fmt.Sprintf("hours[%d]", i), string(raw), "an object, each member once"}
		}
		if w := h.hours(); w != nil {
			return w.in("hours[%d].", i)
		}
	}
	return m.flag("availability")
}

func (m members) address() *wrong {
	if _, w := m.line("address"); w != nil {
		return w
	}
	known := 0
	for name, limit := range map[string]float64{"latitude": 90, "longitude": 180} {
		text, w := m.lineOrNull(name)
		if w != nil {
			return w
		}
		if text == "" {
			continue
		}
		known++
		d, err := strconv.ParseFloat(text, 64)
		if err != nil || d < -limit || d > limit || !json.Valid([]byte(text)) || strings.ContainsAny(text, "eE \t") {
			return &wrong{name, text, fmt.Sprintf("a decimal in a text, from -%v to %v", limit, limit)}
		}
	}
	if known == 1 {
		return &wrong{"longitude", "null", "both latitude and longitude, or neither"}
	}
	for _, name := range []string{"number", "floor", "locality", "city", "province", "country", "phone", "zipcode"} {
		text, w := m.lineOrNull(name)
		if w != nil {
			return w
		}
		if name == "country" && text != "" && (len(text) != 2 || text[0] < 'A' || text[0] > 'Z' || text[1] < 'A' || text[1] > 'Z') {
			return &wrong{name, text, "an ISO 3166-1 code, or null"}
		}
	}
	return m.rest()
}

// lineOrNull returns a text; empty for null or an absent member.
func (m members) lineOrNull(name string) (string, *wrong) {
	if !m.has(name) || string(m[name]) == "null" {
		delete(m, name)
		return "", nil
	}
	return m.line(name)
}

func (m members) hours() *wrong {
	raw, w := m.take("day")
	if w != nil {
		return w
	}
	var day int
	if json.Unmarshal(raw, &day) != nil || len(raw) != 1 || day > 6 {
		return &wrong{"day", string(raw), "0 to 6"}
	}
	var clock [2]string
	for i, name := range []string{"start", "end"} {
		if clock[i], w = m.text(name); w != nil {
			return w
		}
		if _, err := time.Parse("1504", clock[i]); err != nil || len(clock[i]) != len("1504") {
			return &wrong{name, clock[i], "HHMM, 0000 to 2359"}
		}
	}
	if clock[0] >= clock[1] {
		return &wrong{"end", clock[1], "a time after start"}
	}
	return m.rest()
}
