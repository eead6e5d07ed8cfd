package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/client/contract"
	"github.com/commerceplatform/commerce-go/internal/refserver/act"
	"github.com/commerceplatform/commerce-go/internal/refserver/control"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// tool is an act as an agent sees it.
type tool struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Input       object `json:"inputSchema"`
}

// object is a JSON Schema, or what is like one.
type object = map[string]any

// toolName is the name of an act as the tools of all agents may have it.
func toolName(name string) string { return strings.ReplaceAll(name, ".", "_") }

// paging are the parameters of a list.
var paging = []string{"limit", "after", "order"}

// parameters are the parameters of the query of an act.
func parameters(a act.Act) []string {
	if a.Lists {
		return append(slices.Clone(a.Query), paging...)
	}
	return a.Query
}

// tools describes all acts.
func tools() []tool {
	var out []tool
	for _, a := range acts() {
		text := a.Does + "."
		if a.Body != "" {
			text += " Arguments like " + a.Body + "."
		}
		out = append(out, tool{toolName(a.Name), text + " The answer is like " + a.Answer, schemaOf(a)})
	}
	return out
}

// schemaOf describes the arguments of an act: the parameters of its path and query, and the members of its body.
func schemaOf(a act.Act) object {
	properties, required := object{}, []string{}
	for _, name := range a.Parameters() {
		properties[name] = object{"type": []string{"string", "integer"}}
		if name != "store" {
			required = append(required, name)
		}
	}
	for _, name := range parameters(a) {
		properties[name] = object{"type": []string{"string", "integer"}}
	}
	types := map[string]object{
		act.Text: {"type": "string"}, act.Number: {"type": "integer"}, act.Check: {"type": "boolean"},
		act.List: {"type": "array", "items": object{"type": "string"}}, act.JSON: {},
	}
	for _, m := range a.Members() {
		within := properties
		path := strings.Split(m.Name, ".")
		for _, name := range path[:len(path)-1] {
			inner, ok := within[name].(object)
			if !ok {
				inner = object{"type": "object", "properties": object{}}
				within[name] = inner
			}
			within = inner["properties"].(object)
		}
		within[path[len(path)-1]] = types[m.Kind]
	}
	return object{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}

// callTool performs the act of a tool. A refusal of the platform is a result, which the agent reads.
func (e *env) callTool(ctx context.Context, params json.RawMessage) (any, error) {
	var in struct {
		Name      string                     `json:"name"`
		Arguments map[string]json.RawMessage `json:"arguments"`
	}
	if err := json.Unmarshal(params, &in); err != nil {
		return nil, err
	}
	all := acts()
	i := slices.IndexFunc(all, func(a act.Act) bool { return toolName(a.Name) == in.Name })
	if i < 0 {
		var names []string
		for _, a := range all {
			names = append(names, toolName(a.Name))
		}
		return nil, world.Known("tool", in.Name, names)
	}
	raw, err := e.perform(ctx, all[i], in.Arguments)
	if err != nil {
		return content(problem(err), true), nil
	}
	return content(string(raw), false), nil
}

// content is the result of a tool.
func content(text string, failed bool) object {
	return object{"content": []object{{"type": "text", "text": text}}, "isError": failed}
}

// problem is an error with the field, the value and the rule of a refusal.
func problem(err error) string {
	refused, ok := errors.AsType[*control.Refusal](err)
	if !ok || refused.Rule == "" {
		return err.Error()
	}
	return fmt.Sprintf("%s: %s %v: %s", err, refused.Field, refused.Value, refused.Rule)
}

// perform makes the call of an act with arguments by name.
func (e *env) perform(ctx context.Context, a act.Act, arguments map[string]json.RawMessage) (json.RawMessage, error) {
	left := maps.Clone(arguments)
	take := func(name string) (string, bool) {
		raw, ok := left[name]
		delete(left, name)
		text := string(raw) // of a number
		if strings.HasPrefix(text, `"`) {
			_ = json.Unmarshal(raw, &text) // which is a text
		}
		return text, ok
	}
	var values []string
	for _, name := range a.Parameters() {
		value, ok := take(name)
		if !ok && name == "store" {
			var err error
			if value, err = e.storeID(ctx); err != nil {
				return nil, err
			}
		} else if !ok {
			return nil, fmt.Errorf("%s: must be among the arguments", name)
		}
		values = append(values, value)
	}
	path, err := a.Fill(values...)
	if err != nil {
		return nil, err
	}
	query := url.Values{}
	for _, name := range parameters(a) {
		if value, ok := take(name); ok {
			query.Set(name, value)
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	var body any
	if len(left) > 0 {
		body = left
	}
	var answer json.RawMessage
	err = e.remote.Call(ctx, a.Method, path, body, &answer)
	return answer, err
}

// scheme is that of the addresses of the files of the contract.
const scheme = "contract:///"

// listResources lists the files of the contract.
func listResources() (any, error) {
	var all []object
	err := fs.WalkDir(contract.Files, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all = append(all, object{"uri": scheme + name, "name": name})
		}
		return err
	})
	return object{"resources": all}, err
}

// readResource returns a file of the contract.
func readResource(params json.RawMessage) (any, error) {
	var in struct {
		URI string `json:"uri"`
	}
	if err := json.Unmarshal(params, &in); err != nil {
		return nil, err
	}
	data, err := contract.Files.ReadFile(strings.TrimPrefix(in.URI, scheme))
	if err != nil {
		return nil, fmt.Errorf("uri %.200q: must be one that resources/list has", in.URI)
	}
	return object{"contents": []object{{"uri": in.URI, "text": string(data)}}}, nil
}
