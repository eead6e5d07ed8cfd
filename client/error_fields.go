package client

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Bounds of the search for messages in an error body.
const (
	mostDepth  = 8
	mostNested = 2000 // lists and objects inside others
)

// messages collects the messages of an error body that are about fields.
type messages struct {
	e      *Error
	nested int
}

func newMessages(e *Error) *messages { return &messages{e: e} }

// collect treats every text in raw as a message about the named field. A member of an object is a nested field. A list
// contains messages, or objects with one message each.
func (m *messages) collect(name string, raw json.RawMessage, depth int) {
	if depth > 0 {
		m.nested++
	}
	if depth > mostDepth || m.nested > mostNested {
		return
	}
	switch wire.Kind(raw) {
	case '[':
		var items []json.RawMessage
		if wire.Unmarshal(raw, &items) != nil {
			return
		}
		for i, item := range items {
			switch {
			case wire.Kind(item) == '[':
				m.collect(name, item, depth+1)
			case wire.Kind(item) != '{':
				m.add(name, text(item))
			case !m.entry(name, item, depth):
				m.collect(fmt.Sprintf("%s[%d]", name, i), item, depth+1)
			}
		}
	case '{':
		var members map[string]json.RawMessage
		if wire.Unmarshal(raw, &members) != nil {
			return
		}
		for _, member := range sortedKeys(members) {
			within := member
			if name != "" {
				within = name + "." + member
			}
			if value := members[member]; wire.Kind(value) == '[' || wire.Kind(value) == '{' {
				m.collect(within, value, depth+1)
			} else {
				m.add(within, text(value))
			}
		}
	}
}

// entry reads an object of a list that contains a message, and possibly the name of its field. It returns false for any
// other object.
func (m *messages) entry(name string, raw json.RawMessage, depth int) (found bool) {
	var members map[string]json.RawMessage
	if wire.Unmarshal(raw, &members) != nil {
		return false
	}
	name = cmp.Or(fieldOf(members), name)
	for _, member := range []string{"title", "message", "msg", "detail", "description", "error", "reason"} {
		if said := text(members[member]); said != "" {
			m.add(name, said)
			found = true
		}
	}
	for _, member := range []string{"messages", "errors"} {
		if k := wire.Kind(members[member]); k == '[' || k == '{' {
			m.collect(name, members[member], depth+1)
			found = true
		}
	}
	return found
}

// fieldOf returns the name of the field of an entry; "" if it has none.
func fieldOf(members map[string]json.RawMessage) string {
	var source struct {
		Pointer   string `json:"pointer"`
		Parameter string `json:"parameter"`
	}
	if wire.Unmarshal(members["source"], &source) == nil && source.Pointer+source.Parameter != "" {
		return cmp.Or(source.Pointer, source.Parameter)
	}
	for _, name := range []string{"field", "path", "pointer", "property", "attribute", "param", "parameter", "loc", "name", "key"} {
		if said := text(members[name]); said != "" {
			return said
		}
		var steps []json.RawMessage
		if wire.Unmarshal(members[name], &steps) == nil && len(steps) > 0 {
			var path []string
			for _, step := range steps {
				path = append(path, text(step))
			}
			return strings.Join(path, ".")
		}
	}
	return ""
}

// add adds a message about a field.
func (m *messages) add(name, said string) {
	if said == "" {
		return
	}
	if m.e.Fields == nil {
		m.e.Fields = make(map[string][]string)
	}
	name = wire.Line(name, wire.MaxName)
	m.e.Fields[name] = append(m.e.Fields[name], said)
}
