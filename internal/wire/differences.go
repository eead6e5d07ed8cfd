package wire

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Differences returns the members of an input in which a record is another one, as paths such as "variants[0].price",
// in alphabetical order; nil if it has all of them. Both are compared as they are written. Members that the input does
// not have are not compared, and neither are its members that unread names, which no record has.
//
// Values in another form are equal, such as "10.5" and 10.50, a text for all languages and one by language, or ids and
// the records that have them. So are times that differ by less than a second, and null, "", false or [] for a member
// that the record lacks. If one of the two cannot be written, the only element has the reason.
func Differences(in, record any, unread ...string) []string {
	wanted, err := written(in)
	if err != nil {
		return []string{err.Error()}
	}
	there, err := written(record)
	if err != nil {
		return []string{err.Error()}
	}
	for _, name := range unread {
		delete(wanted, name)
	}
	var d differences
	d.members("", wanted, there)
	return d
}

// written reads what is written for a record.
func written(v any) (members map[string]any, err error) {
	data, err := Marshal(v)
	if err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	return members, dec.Decode(&members)
}

// differences are the paths that were found.
type differences []string

func (d *differences) members(at string, wanted, there map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		d.compare(at+name, wanted[name], there[name])
	}
}

func (d *differences) compare(at string, wanted, there any) {
	switch w := wanted.(type) {
	case map[string]any:
		if t, ok := there.(map[string]any); ok {
			d.members(at+".", w, t)
			return
		}
	case []any:
		if t, ok := there.([]any); ok && len(w) == len(t) {
			d.elements(at, w, t)
			return
		}
	}
	if !sameValue(wanted, there) {
		*d = append(*d, at)
	}
}

func (d *differences) elements(at string, wanted, there []any) {
	if ids := idsOf(there); ids != nil && plainText(wanted[0]) != "" {
		for _, id := range wanted {
			if !slices.Contains(ids, plainText(id)) {
				*d = append(*d, at)
				return
			}
		}
		return
	}
	for i := range wanted {
		d.compare(at+"["+strconv.Itoa(i)+"]", wanted[i], there[i])
	}
}

// idsOf returns the ids of a list of records; nil if it is another list.
func idsOf(list []any) (ids []string) {
	for _, element := range list {
		record, _ := element.(map[string]any)
		id, ok := record["id"]
		if !ok {
			return nil
		}
		ids = append(ids, plainText(id))
	}
	return ids
}

// sameValue compares values that do not both have members or elements.
func sameValue(a, b any) bool {
	if isEmpty(a) || isEmpty(b) {
		return isEmpty(a) && isEmpty(b)
	}
	languages, keyed := a.(map[string]any)
	if !keyed {
		a, b = b, a
		languages, keyed = a.(map[string]any)
	}
	if !keyed {
		return sameText(plainText(a), plainText(b))
	}
	for _, one := range languages {
		if !sameText(plainText(one), plainText(b)) {
			return false
		}
	}
	return true
}

// isEmpty reports whether a value is as good as none.
func isEmpty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case bool:
		return !v
	case string:
		return v == ""
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// plainText returns a text, a number or a bool as text. A value of another type equals no other value.
func plainText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

// sameText compares two texts, and numbers and times by what they say.
func sameText(a, b string) bool {
	if a == b {
		return a != ""
	}
	if x, y := number(a), number(b); x != "" || y != "" {
		return x == y
	}
	x, failed := time.Parse(time.RFC3339, a)
	y, err := time.Parse(time.RFC3339, b)
	return failed == nil && err == nil && x.Sub(y).Abs() < time.Second // the platform may keep no more of a time
}

// number returns a number without the zeros after its last decimal; empty if it is not a number.
func number(s string) string {
	plain, ok := Plain([]byte(s))
	if !ok {
		return ""
	}
	digits := string(plain)
	if strings.Contains(digits, ".") {
		digits = strings.TrimSuffix(strings.TrimRight(digits, "0"), ".")
	}
	return digits
}
