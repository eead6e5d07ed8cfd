package refserver

import (
	"bytes"
	"encoding/json"
	"slices"
)

// keepFields leaves of a JSON object, or of each object of an array, only the
// named members, in the order they have. No names keep everything, and so does
// anything that is not an object.
func keepFields(doc []byte, names []string) []byte {
	if len(names) == 0 || len(doc) == 0 {
		return doc
	}
	switch doc[0] {
	case '[':
		var items []json.RawMessage
		if json.Unmarshal(doc, &items) != nil {
			return doc
		}
		out := []byte("[")
		for i, item := range items {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(out, keepFields(item, names)...)
		}
		return append(out, ']')
	case '{':
		return keepMembers(doc, names)
	}
	return doc
}

func keepMembers(doc []byte, names []string) []byte {
	dec := json.NewDecoder(bytes.NewReader(doc))
	if _, err := dec.Token(); err != nil {
		return doc
	}
	out := []byte("{")
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return doc
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return doc
		}
		key, ok := name.(string)
		if !ok || !slices.Contains(names, key) {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		quoted, _ := json.Marshal(key)
		out = append(append(append(out, quoted...), ':'), value...)
	}
	return append(out, '}')
}
