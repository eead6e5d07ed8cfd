package shop

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
)

// value is a part of an answer with the path that leads to it.
type value struct {
	path string
	raw  json.RawMessage
}

// parse reads an answer as one JSON text without a name twice in an object.
func parse(answer []byte) (value, error) {
	switch {
	case len(answer) > delivery.MaxReply:
		return value{}, fmt.Errorf("answer is longer than %d bytes", delivery.MaxReply)
	case !utf8.Valid(answer):
		return value{}, errors.New("answer is not UTF-8")
	case !json.Valid(answer):
		return value{}, errors.New("answer is not JSON")
	}
	d := json.NewDecoder(bytes.NewReader(answer))
	if err := unrepeated(d); err != nil && !errors.Is(err, io.EOF) {
		return value{}, err
	}
	return value{"answer", answer}, nil
}

// unrepeated reads a value and refuses an object with one name twice.
func unrepeated(d *json.Decoder) error {
	t, err := d.Token()
	if err != nil {
		return err
	}
	names := map[string]bool{}
	for open, _ := t.(json.Delim); (open == '{' || open == '[') && d.More(); {
		if open == '{' {
			t, err := d.Token()
			if err != nil {
				return err
			}
			name, _ := t.(string)
			if names[name] {
				return fmt.Errorf("answer has the member %q twice in an object", name)
			}
			names[name] = true
		}
		if err := unrepeated(d); err != nil {
			return err
		}
	}
	if open, ok := t.(json.Delim); ok && (open == '{' || open == '[') {
		_, err = d.Token()
	}
	return err
}

func (v value) wrong(format string, args ...any) error {
	return fmt.Errorf("%s: %s", v.path, fmt.Sprintf(format, args...))
}

// shown is the value in a message.
func (v value) shown() string {
	const most = 60
	if len(v.raw) > most {
		return strings.ToValidUTF8(string(v.raw[:most]), "") + "…"
	}
	return string(v.raw)
}

// object is the members of a value. Unknown names are rejected, because their meaning would be lost.
func (v value) object(may ...string) (members, error) {
	m, err := v.free()
	if err != nil {
		return m, err
	}
	for _, name := range slices.Sorted(maps.Keys(m.by)) {
		if !slices.Contains(may, name) {
			return m, m.at(name).wrong("there is no such member here")
		}
	}
	return m, nil
}

// free is the members of an object that may have any.
func (v value) free() (members, error) {
	m := members{value: v}
	if err := json.Unmarshal(v.raw, &m.by); err != nil || m.by == nil {
		return m, v.wrong("%s is not an object", v.shown())
	}
	return m, nil
}

// list is the elements of an array that has some.
func (v value) list() ([]value, error) {
	var raws []json.RawMessage
	if err := json.Unmarshal(v.raw, &raws); err != nil || raws == nil {
		return nil, v.wrong("%s is not an array", v.shown())
	}
	var out []value
	for i, raw := range raws {
		out = append(out, value{fmt.Sprintf("%s[%d]", v.path, i), raw})
	}
	return out, nil
}

// text is a string with something in it.
func (v value) text() (string, error) {
	var s *string
	if err := json.Unmarshal(v.raw, &s); err != nil || s == nil {
		return "", v.wrong("%s is not a string", v.shown())
	}
	if *s == "" {
		return "", v.wrong("is empty")
	}
	return *s, nil
}

// oneOf is a text that is one of those.
func (v value) oneOf(texts ...string) (string, error) {
	s, err := v.text()
	if err == nil && !slices.Contains(texts, s) {
		err = v.wrong("%q is none of %s", s, strings.Join(texts, ", "))
	}
	return s, err
}

// members are those of an object.
type members struct {
	value
	by map[string]json.RawMessage
}

func (m members) at(name string) value { return value{m.path + "." + name, m.by[name]} }

func (m members) has(name string) bool {
	_, ok := m.by[name]
	return ok
}

// need is a member that has to be there.
func (m members) need(name string) (value, error) {
	v := m.at(name)
	if !m.has(name) {
		return v, v.wrong("is missing")
	}
	return v, nil
}

func (m members) text(name string) (string, error) {
	v, err := m.need(name)
	if err != nil {
		return "", err
	}
	return v.text()
}

// elements are those of an array that has to be there and to have some.
func (m members) elements(name string) ([]value, error) {
	v, err := m.need(name)
	if err != nil {
		return nil, err
	}
	out, err := v.list()
	if err == nil && len(out) == 0 {
		err = v.wrong("has no elements")
	}
	return out, err
}
