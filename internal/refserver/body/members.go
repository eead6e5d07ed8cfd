package body

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
)

// Members are those of an object, read one by one. Problems are collected under dotted
// paths. A member that is absent leaves what is there, and null is the zero value.
type Members struct {
	path   string
	left   map[string]json.RawMessage // not read yet
	wrong  *Problems
	unread *[]string
	// solid is set if no member may be null.
	solid bool
}

// Read reads a body that is an object; an empty one has no members.
func Read(in *api.In) (Members, error) {
	m := start()
	if len(bytes.TrimSpace(in.Raw)) == 0 {
		return m, nil
	}
	left, ok := object(in.Raw)
	if !ok {
		return m, api.Malformed()
	}
	m.left = left
	return m, nil
}

// ReadArray reads a body that is an array of objects and has from 1 to most of them. The
// name is what paths call it.
func ReadArray(in *api.In, name string, most int, read func(Members)) *Problems {
	m := start()
	m.elements(name, in.Raw, most, read)
	return m.Done(in)
}

func start() Members {
	return Members{left: map[string]json.RawMessage{}, wrong: &Problems{}, unread: new([]string)}
}

// Solid returns the members as those of an object in which null is refused.
func (m Members) Solid() Members {
	m.solid = true
	return m
}

// Done ends the reading of a body: it notes what nothing has read and returns what is
// wrong.
func (m Members) Done(in *api.In) *Problems {
	m.leave()
	in.MarkUnread(*m.unread...)
	return m.wrong
}

// leave is the end of reading an object.
func (m Members) leave() {
	for _, name := range slices.Sorted(maps.Keys(m.left)) {
		*m.unread = append(*m.unread, m.at(name))
	}
}

// at is the path of a member; that of the object itself has no name.
func (m Members) at(name string) string {
	if m.path == "" || name == "" {
		return m.path + name
	}
	return m.path + "." + name
}

// Refuse notes what is wrong with a member, or with the object itself if the name is
// empty.
func (m Members) Refuse(name, text string) { m.wrong.Add(m.at(name), text) }

// Refused reports whether something is wrong with a member.
func (m Members) Refused(name string) bool { return len(m.wrong.Of(m.at(name))) > 0 }

// take removes a member, so that what is left has not been read.
func (m Members) take(name string) (raw json.RawMessage, ok bool) {
	raw, ok = m.left[name]
	delete(m.left, name)
	return raw, ok
}

// Ignore reads members that change nothing, such as those of an answer that is sent back.
func (m Members) Ignore(names ...string) {
	for _, name := range names {
		delete(m.left, name)
	}
}

// Null reports whether the object is null, and not one without members.
func (m Members) Null() bool { return m.left == nil }

// Has reports whether the body has a member that nothing has read yet.
func (m Members) Has(name string) bool {
	_, ok := m.left[name]
	return ok
}

// Set reports whether a member has a value other than null.
func (m Members) Set(name string) bool { return m.Has(name) && !isNull(m.left[name]) }

// Empty reports whether a member is absent, null or an empty text.
func (m Members) Empty(name string) bool { return !m.Set(name) || string(m.left[name]) == `""` }

// Raw takes a member as it was written, for what is kept like that.
func (m Members) Raw(name string) json.RawMessage {
	raw, _ := m.take(name)
	return raw
}

// Left returns the members that nothing has read yet, as they were written.
func (m Members) Left() map[string]json.RawMessage { return maps.Clone(m.left) }

// Value reads a member of the type into to. A value of another type is refused with the
// text. It reports whether there was one to read.
func Value[T any](m Members, name, text string, to *T) bool {
	raw, ok := m.take(name)
	if !ok {
		return false
	}
	*m.unread = append(*m.unread, Unread(reflect.TypeFor[T](), raw, m.at(name))...)
	var v T
	if null := isNull(raw); null && m.solid || !null && json.Unmarshal(raw, &v) != nil {
		m.Refuse(name, text)
		return false
	}
	*to = v
	return true
}

// Require rejects members that are null or not a text and, if all are required, absent members.
func (m Members) Require(all bool, names ...string) {
	for _, name := range names {
		if all || m.Has(name) {
			m.Required(name, func() {})
		}
	}
}

// Required reads a member that may be neither absent, null nor empty.
func (m Members) Required(name string, read func()) {
	if m.Empty(name) {
		m.Refuse(name, NotEmpty)
		m.Ignore(name)
		return
	}
	read()
}

// Object reads a member that is an object; null counts as one without members.
func (m Members) Object(name string, read func(Members)) {
	if raw, ok := m.take(name); ok {
		m.inside(name, raw, read)
	}
}

// inside reads a value as the object under a name.
func (m Members) inside(name string, raw json.RawMessage, read func(Members)) {
	inner := Members{path: m.at(name), wrong: m.wrong, unread: m.unread, solid: m.solid}
	inner.left = map[string]json.RawMessage{}
	if json.Unmarshal(raw, &inner.left) != nil || m.solid && inner.left == nil {
		m.Refuse(name, BeObject)
		return
	}
	read(inner)
	inner.leave()
}

// Array reads a member that is an array of objects and has from 1 to most of them.
func (m Members) Array(name string, most int, read func(Members)) {
	m.elements(name, m.Raw(name), most, read)
}

func (m Members) elements(name string, raw json.RawMessage, most int, read func(Members)) {
	var list []json.RawMessage
	switch {
	case len(raw) == 0 || isNull(raw):
		m.Refuse(name, NotEmpty)
	case json.Unmarshal(raw, &list) != nil:
		m.Refuse(name, BeArray)
	case len(list) == 0:
		m.Refuse(name, NotEmpty)
	case len(list) > most:
		m.Refuse(name, atMost(most))
	default:
		m.each(name, list, read)
	}
}

// List reads a member that is an array of objects. The current list is emptied first. Null is an empty list.
func (m Members) List(name string, empty func(), read func(Members)) {
	var list []json.RawMessage
	if Value(m, name, BeArray, &list) {
		empty()
		m.each(name, list, read)
	}
}

func (m Members) each(name string, list []json.RawMessage, read func(Members)) {
	inner := Members{path: m.at(name), wrong: m.wrong, unread: m.unread, solid: m.solid}
	for i, element := range list {
		inner.inside(strconv.Itoa(i), element, read)
	}
}
