package act

import (
	"encoding"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The kinds of members, which are also the kinds of fields in forms.
const (
	Text   = "text"
	Number = "number" // a whole number
	Check  = "check"  // yes or no
	List   = "list"   // texts, separated by commas or spaces
	JSON   = "json"
)

// Member is a member of an input.
type Member struct {
	// Name has dots for a member within a member, such as contact.email.
	Name string
	// Kind is Text, Number, Check, List or JSON.
	Kind string
}

// Label returns the last name of the member as words, such as "Method type".
func (m Member) Label() string {
	words := strings.ReplaceAll(m.Name[strings.LastIndex(m.Name, ".")+1:], "_", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}

// Flag returns the member as the name of a flag, such as contact-email.
func (m Member) Flag() string { return strings.NewReplacer(".", "-", "_", "-").Replace(m.Name) }

// Members returns the members of the input, in the order of their declaration.
func (a Act) Members() []Member {
	if a.In == nil {
		return nil
	}
	return members("", a.In)
}

// Member returns the member of a name.
func (a Act) Member(name string) (Member, bool) {
	all := a.Members()
	i := slices.IndexFunc(all, func(m Member) bool { return m.Name == name })
	if i < 0 {
		return Member{}, false
	}
	return all[i], true
}

func members(within string, t reflect.Type) (out []Member) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		if kind := kindOf(f.Type); kind != "" {
			out = append(out, Member{within + name, kind})
		} else {
			out = append(out, members(within+name+".", f.Type)...)
		}
	}
	return out
}

// kindOf returns the kind of a member; empty for a struct, whose members have kinds.
func kindOf(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[json.RawMessage](), t.Kind() == reflect.Map, t.Kind() == reflect.Interface:
		return JSON
	case t == reflect.TypeFor[time.Time](), reads(t):
		return Text
	}
	switch t.Kind() {
	case reflect.Struct:
		return ""
	case reflect.Bool:
		return Check
	case reflect.String:
		return Text
	case reflect.Slice:
		if t.Elem().Kind() == reflect.String {
			return List
		}
		return JSON
	case reflect.Pointer:
		return kindOf(t.Elem())
	}
	return Number
}

// reads reports whether a type reads its own text.
func reads(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[json.Unmarshaler]()) || p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

// Put sets a member of a body to a value that was typed, which is left out if it is empty.
func (m Member) Put(body map[string]any, typed string) error {
	v, err := m.value(strings.TrimSpace(typed))
	if err != nil || v == nil {
		return err
	}
	Set(body, m.Name, v)
	return nil
}

// Set sets a member of a body, with dots in the name of a member within a member.
func Set(body map[string]any, name string, value any) {
	path := strings.Split(name, ".")
	for _, name := range path[:len(path)-1] {
		inner, ok := body[name].(map[string]any)
		if !ok {
			inner = map[string]any{}
			body[name] = inner
		}
		body = inner
	}
	body[path[len(path)-1]] = value
}

// value returns what was typed as JSON has it, nil if it is empty.
func (m Member) value(text string) (any, error) {
	if text == "" {
		return nil, nil
	}
	switch m.Kind {
	case Number:
		if _, err := strconv.ParseInt(text, 10, 64); err != nil {
			return nil, errors.New("must be a whole number")
		}
		return json.Number(text), nil
	case Check:
		return text == "yes" || text == "true", nil
	case JSON:
		if !json.Valid([]byte(text)) {
			return nil, errors.New("must be JSON")
		}
		return json.RawMessage(text), nil
	case List:
		return slices.Collect(strings.FieldsSeq(strings.ReplaceAll(text, ",", " "))), nil
	}
	return text, nil
}
