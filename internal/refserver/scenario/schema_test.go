package scenario_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/act"
	"github.com/commerceplatform/commerce-go/internal/refserver/scenario"
)

var update = flag.Bool("update", false, "write schema.json")

type object = map[string]any

// schema is the JSON Schema of a scenario, from the table of acts.
func schema() object {
	text := object{"type": "string"}
	closed := func(properties object) object {
		return object{"type": "object", "properties": properties, "additionalProperties": false}
	}
	var names, inputs []any
	for _, a := range scenario.Acts() {
		names = append(names, a.Name)
		with, then := closed(members(a)), object{"description": a.Does}
		then["properties"] = object{"with": with}
		for _, parameter := range a.Parameters() {
			if parameter != "store" {
				with["required"], then["required"] = append(list(with["required"]), parameter), []any{"with"}
			}
		}
		inputs = append(inputs, object{
			"if": object{"properties": object{"act": object{"const": a.Name}}, "required": []any{"act"}}, "then": then,
		})
	}
	step := closed(object{
		"why": text, "act": object{"enum": names}, "with": object{"type": "object"}, "visit": text,
		"app": object{"enum": []any{"away", "back"}}, "as": text, "refused": text, "expect": object{"type": "object"},
	})
	step["allOf"] = inputs
	out := closed(object{
		"$schema": text, "does": text, "partners": object{"type": "object"}, "vars": object{"type": "object"},
		"needs": object{"type": "array", "items": object{"enum": []any{"installation", "webhooks", "discounts", "carrier", "payments"}}},
		"steps": object{"type": "array", "items": step},
	})
	out["$schema"], out["required"] = "https://json-schema.org/draft/2020-12/schema", []any{"steps"}
	return out
}

// list is a value that is a list or nothing.
func list(v any) []any {
	out, _ := v.([]any)
	return out
}

// members are the properties of the input of an act. A variable is a text, whatever the member is.
func members(a act.Act) object {
	out := object{}
	for _, name := range slices.Concat(a.Parameters(), a.Query) {
		out[name] = object{}
	}
	for _, m := range a.Members() {
		in := out
		path := strings.Split(m.Name, ".")
		for _, name := range path[:len(path)-1] {
			if in[name] == nil {
				in[name] = object{"type": "object", "properties": object{}, "additionalProperties": false}
			}
			in = in[name].(object)["properties"].(object)
		}
		in[path[len(path)-1]] = object{}
	}
	return out
}

// schema.json is made from the table of acts by "go test ./internal/refserver/scenario -run TestSchema -update".
func TestSchema(t *testing.T) {
	var made bytes.Buffer
	e := json.NewEncoder(&made)
	e.SetIndent("", " ")
	e.SetEscapeHTML(false)
	if err := e.Encode(schema()); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("schema.json", made.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	stored, err := os.ReadFile("schema.json")
	if err != nil || !bytes.Equal(stored, made.Bytes()) {
		t.Errorf("schema.json differs from the table of acts (run with -update): %v", err)
	}
	var rules object
	if err := json.Unmarshal(stored, &rules); err != nil {
		t.Fatal(err)
	}
	names, _ := fs.Glob(scenario.Files(), "*.json")
	for _, name := range names {
		raw, err := fs.ReadFile(scenario.Files(), name)
		var file any
		if err := errors.Join(err, json.Unmarshal(raw, &file)); err != nil {
			t.Fatal(err)
		}
		if fault := invalid(file, rules, name); fault != "" {
			t.Error(fault)
		}
	}
	for _, wrong := range []string{
		`{}`, `{"steps":[{"act":"carts.ad"}]}`, `{"steps":[{"act":"carts.add","with":{"cart":1,"quantiti":1}}]}`,
		`{"steps":[{"act":"carts.show"}]}`, `{"steps":[{"act":"carts.show","with":{}}]}`, `{"stepz":[],"steps":[]}`,
		`{"steps":[{"act":"carts.buy","with":{"cart":1,"contact":{"mail":"a@b.example"}}}]}`, `{"needs":["mails"],"steps":[]}`,
	} {
		var file any
		if err := json.Unmarshal([]byte(wrong), &file); err != nil || invalid(file, rules, "file") == "" {
			t.Errorf("%s is valid: %v", wrong, err)
		}
	}
}

// invalid validates a value by the keywords that the schema has, and returns the first fault.
func invalid(v any, rules object, at string) string {
	in, isObject := v.(object)
	for word, rule := range rules {
		fault := ""
		switch word {
		case "type":
			kind := map[reflect.Kind]string{reflect.Map: "object", reflect.Slice: "array", reflect.String: "string"}[reflect.ValueOf(v).Kind()]
			if kind != rule {
				fault = fmt.Sprintf("%s: got %q, want %q", at, kind, rule)
			}
		case "const":
			fault = unless(v == rule, at+": must be %v", rule)
		case "enum":
			fault = unless(slices.Contains(rule.([]any), v), at+": must be one of %v", rule)
		case "required":
			for _, name := range rule.([]any) {
				fault += unless(in[name.(string)] != nil, at+": %v is missing", name)
			}
		case "properties":
			for name, inner := range rule.(object) {
				if one, ok := in[name]; ok {
					fault += invalid(one, inner.(object), at+"."+name)
				}
			}
		case "additionalProperties":
			for name := range in {
				_, known := rules["properties"].(object)[name]
				fault += unless(known, at+": there is no member %v", name)
			}
		case "items":
			for i, one := range list(v) {
				fault += invalid(one, rule.(object), fmt.Sprintf("%s.%d", at, i))
			}
		case "allOf":
			for _, one := range rule.([]any) {
				fault += invalid(v, one.(object), at)
			}
		case "if":
			if isObject && invalid(v, rule.(object), at) == "" {
				fault = invalid(v, rules["then"].(object), at)
			}
		case "then", "description", "$schema":
		default:
			fault = at + ": the test does not know the keyword " + word
		}
		if fault != "" {
			return fault
		}
	}
	return ""
}

func unless(ok bool, format string, of any) string {
	if ok {
		return ""
	}
	return fmt.Sprintf(format, of)
}
