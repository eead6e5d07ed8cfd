package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// Observed has the forms of bodies that tests have seen, by the id of the operation. They complete the types of the
// server, because some members have any type there, and bodies of requests have none.
type Observed map[string]*Forms

// Forms are the schemas of the bodies of an operation: of requests that the server has accepted, and of its answers.
type Forms struct {
	Request schema `json:"request,omitempty"`
	Answer  schema `json:"answer,omitempty"`
}

// observedFile is where they are stored, below the root.
const observedFile = "internal/refserver/document/testdata/observed.json"

// ReadObserved returns the stored forms; none if there is no file.
func ReadObserved(root string) (Observed, error) {
	out := Observed{}
	data, err := os.ReadFile(filepath.Join(root, observedFile))
	if errors.Is(err, fs.ErrNotExist) {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	return out, json.Unmarshal(data, &out)
}

// Write stores the forms, a line for each operation.
func (o Observed) Write(root string) error {
	var b bytes.Buffer
	before := "{\n"
	for _, op := range slices.Sorted(maps.Keys(o)) {
		line, err := json.Marshal(o[op])
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s%q:%s", before, op, line)
		before = ",\n"
	}
	b.WriteString("\n}\n")
	return os.WriteFile(filepath.Join(root, observedFile), b.Bytes(), 0o644)
}

// Note adds the bodies of a call that the server has accepted. Bodies that are not JSON count as none.
func (o Observed) Note(op string, request, answer []byte) {
	f := o[op]
	if f == nil {
		f = &Forms{}
		o[op] = f
	}
	for _, side := range []struct {
		into *schema
		body []byte
	}{{&f.Request, request}, {&f.Answer, answer}} {
		v, err := decode(side.body)
		if err != nil {
			continue
		}
		if *side.into == nil {
			*side.into = schema{}
		}
		side.into.merge(infer(v))
	}
}

// Add adds the forms that others have seen.
func (o Observed) Add(other Observed) {
	for op, f := range other {
		own := o[op]
		if own == nil {
			o[op] = f
			continue
		}
		for _, side := range []struct{ into, from *schema }{{&own.Request, &f.Request}, {&own.Answer, &f.Answer}} {
			if *side.from == nil {
				continue
			}
			if *side.into == nil {
				*side.into = schema{}
			}
			side.into.merge(*side.from)
		}
	}
}

// Lacks returns what the forms do not take of those of others: "products.get answer.images[].alt: type string".
func (o Observed) Lacks(other Observed) []string {
	var out []string
	for _, op := range slices.Sorted(maps.Keys(other)) {
		own := o[op]
		if own == nil {
			own = &Forms{}
		}
		out = append(out, own.Request.lacks(op+" request", other[op].Request)...)
		out = append(out, own.Answer.lacks(op+" answer", other[op].Answer)...)
	}
	return out
}

// lacks returns the types and members of another schema that this one does not take.
func (s schema) lacks(at string, other schema) []string {
	switch {
	case len(other) == 0:
		return nil
	case s == nil:
		return []string{at + ": no schema"}
	case len(s.types()) == 0:
		return nil
	}
	var out []string
	for _, name := range other.types() {
		probe := s.clone()
		if probe.take(name); !slices.Equal(probe.types(), s.types()) {
			out = append(out, at+": type "+name)
		}
	}
	own, _ := s["properties"].(map[string]schema)
	values, _ := s["additionalProperties"].(schema)
	theirs, some := other["properties"].(map[string]schema)
	for _, name := range slices.Sorted(maps.Keys(theirs)) {
		switch m, known := own[name]; {
		case known:
			out = append(out, m.lacks(at+"."+name, theirs[name])...)
		case values != nil:
			out = append(out, values.lacks(at+".*", theirs[name])...)
		default:
			out = append(out, at+"."+name+": no such member")
		}
	}
	for _, name := range s.required() {
		if some && !slices.Contains(other.required(), name) {
			out = append(out, at+"."+name+": is not always there")
		}
	}
	if more, ok := other["additionalProperties"].(schema); ok && values != nil {
		out = append(out, values.lacks(at+".*", more)...)
	}
	if items, ok := other["items"].(schema); ok {
		mine, _ := s["items"].(schema)
		out = append(out, mine.lacks(at+"[]", items)...)
	}
	return out
}
