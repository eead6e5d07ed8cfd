package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Version is that of the documents.
const Version = "0.1.0"

// Files makes the documents from the tables and the source below root, the directory of the repository. Keys are the
// names below client/contract.
func Files(root string) (map[string][]byte, error) {
	src := &source{root: root, packages: map[string]*parsed{}}
	out := map[string][]byte{}
	used := map[string]bool{}
	calls, err := callbacks(src, out, used)
	if err != nil {
		return nil, fmt.Errorf("callbacks.json: %w", err)
	}
	ops, err := openapi(src, used)
	if err != nil {
		return nil, fmt.Errorf("openapi.json: %w", err)
	}
	if err := unused(used); err != nil {
		return nil, err
	}
	v, err := madeVectors(root)
	if err != nil {
		return nil, fmt.Errorf("vectors.json: %w", err)
	}
	for name, of := range map[string]any{"openapi.json": ops, "callbacks.json": calls, "vectors.json": v} {
		if out[name], err = encode(of); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return out, pages(root, out)
}

// encode writes a document with its members in alphabetical order, as far as they are not in a struct.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(v)
	return b.Bytes(), err
}

// callbacks is the document of the calls that the platform makes. It adds the bodies of examples to files.
func callbacks(src *source, files map[string][]byte, used map[string]bool) (map[string]any, error) {
	schemas, webhooks := map[string]schema{}, map[string]any{}
	for _, c := range eventCalls() {
		name := strings.NewReplacer("/", "_").Replace(c.name)
		schemas["event_"+name] = eventBody(c.name)
		webhooks[c.name] = c.operation(content(ref("schemas", "event_"+name), "", nil))
	}
	for _, c := range calls() {
		body, example, err := src.body(c)
		if err != nil {
			return nil, err
		}
		if body == nil {
			webhooks[c.name] = c.operation(nil)
			continue
		}
		schemas[c.name], files["examples/"+c.name+".json"] = body, example
		webhooks[c.name] = c.operation(content(ref("schemas", c.name), "request", example))
	}
	words(schemas, used)
	return map[string]any{
		"openapi": "3.1.0",
		"info": map[string]any{
			"title": "Calls of the platform", "version": Version,
			"description": "The calls that the platform makes to apps. Operations have the time limit in x-time-limit-ms and who " +
				"may call in x-callers. Answers say what the platform does then. Bodies can have further members.",
		},
		"webhooks":   webhooks,
		"components": map[string]any{"schemas": schemas, "parameters": parameters()},
	}, nil
}

// body is the schema and the example of a call, nil without a body.
func (s *source) body(c call) (schema, json.RawMessage, error) {
	if c.example == "" {
		return nil, nil, nil
	}
	out, err := object(), error(nil)
	if c.body != "" {
		if out, err = s.of(c.body); err != nil {
			return nil, nil, err
		}
	}
	raw := []byte(c.example)
	if c.example[0] != '{' {
		if raw, err = os.ReadFile(filepath.Join(s.root, "testdata/wire", c.example+".json")); err != nil {
			return nil, nil, err
		}
	}
	if c.adapt != nil {
		if err := c.adapt(s, out); err != nil {
			return nil, nil, err
		}
	}
	if c.list {
		out, raw = list(out), append(append([]byte("["), raw...), ']')
	}
	value, err := decode(raw)
	if err != nil {
		return nil, nil, err
	}
	out.merge(infer(value))
	return out, raw, nil
}

// decode reads JSON with its numbers as they are written.
func decode(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	return v, err
}
