package recording

import (
	"bytes"
	"encoding/json"
	"errors"
)

// errNotJSON is why a body is not recorded.
var errNotJSON = errors.New("the body is not JSON")

// visitor replaces what is in a JSON text. A nil function leaves it.
type visitor struct {
	name         func(in *node, name string) string
	text, number func(n *node, name, value string) string
}

// rewrite passes the parts of a JSON text through a visitor. The order of members stays, and so do several members of
// one name. White space is dropped, and bytes that are not UTF-8 become U+FFFD.
func rewrite(raw []byte, n *node, v visitor) ([]byte, error) {
	if !json.Valid(raw) { // so tokens come in order, and no deeper than encoding/json allows
		return nil, errNotJSON
	}
	w := writer{visitor: v, from: json.NewDecoder(bytes.NewReader(raw))}
	w.from.UseNumber()
	err := w.value(n, "")
	return w.out.Bytes(), err
}

// writer writes a JSON text from the tokens of another.
type writer struct {
	visitor
	from *json.Decoder
	out  bytes.Buffer
}

// value writes the next value. The elements of an array have the node and the name of the array.
func (w *writer) value(n *node, name string) error {
	t, err := w.from.Token()
	if err != nil {
		return err
	}
	switch t := t.(type) {
	case json.Delim:
		return w.all(t, n, name)
	case json.Number:
		s := t.String()
		if w.number != nil {
			s = w.number(n, name, s)
		}
		w.out.WriteString(s)
		return nil
	case string:
		if w.text != nil {
			t = w.text(n, name, t)
		}
		return w.write(t)
	default: // null, true or false
		return w.write(t)
	}
}

// all writes an object or an array.
func (w *writer) all(open json.Delim, n *node, name string) error {
	w.out.WriteByte(byte(open))
	for first := true; w.from.More(); first = false {
		if !first {
			w.out.WriteByte(',')
		}
		within, inner := n, name
		if open == '{' {
			t, err := w.from.Token()
			if err != nil {
				return err
			}
			inner, _ = t.(string)
			within = n.member(inner)
			shown := inner
			if w.name != nil {
				shown = w.name(n, inner)
			}
			if err := w.write(shown); err != nil {
				return err
			}
			w.out.WriteByte(':')
		}
		if err := w.value(within, inner); err != nil {
			return err
		}
	}
	t, err := w.from.Token()
	if end, ok := t.(json.Delim); ok {
		w.out.WriteByte(byte(end))
	}
	return err
}

func (w *writer) write(v any) error {
	to := json.NewEncoder(&w.out)
	to.SetEscapeHTML(false) // which takes six bytes for one
	err := to.Encode(v)
	w.out.Truncate(w.out.Len() - 1) // the end of a line
	return err
}
