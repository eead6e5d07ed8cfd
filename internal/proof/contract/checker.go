package contract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/commerceplatform/commerce-go/client/contract"
)

// Checker compares calls with the documents. It is safe for concurrent use.
type Checker struct {
	api, calls map[string]any
	mu         sync.Mutex
	compiler   *jsonschema.Compiler
	paths      []route
}

// route is an operation of the API.
type route struct {
	method, path string
	matches      *regexp.Regexp
}

// New reads the documents.
func New() (*Checker, error) {
	c := &Checker{compiler: jsonschema.NewCompiler()}
	for name, into := range map[string]*map[string]any{"openapi.json": &c.api, "callbacks.json": &c.calls} {
		data, err := contract.Files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if err := c.Add(name, data); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(data, into); err != nil {
			return nil, err
		}
	}
	variable := regexp.MustCompile(`\\\{[^}]*\\\}`)
	for path, item := range c.api["paths"].(map[string]any) {
		expression := variable.ReplaceAllString(regexp.QuoteMeta(path), "[^/]+")
		for method := range item.(map[string]any) {
			c.paths = append(c.paths, route{method, path, regexp.MustCompile("^" + expression + "$")})
		}
	}
	// A path without a variable in a place comes before the one that has a variable there.
	slices.SortFunc(c.paths, func(a, b route) int { return strings.Count(a.path, "{") - strings.Count(b.path, "{") })
	return c, nil
}

// Add adds a document.
func (c *Checker) Add(name string, data []byte) error {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return err
	}
	return c.compiler.AddResource("mem:///"+name, doc)
}

// Vocabularies are the words of the members of both documents, by the path of the member.
func (c *Checker) Vocabularies() map[string][]string {
	out := map[string][]string{}
	for _, doc := range []map[string]any{c.api, c.calls} {
		for name, of := range doc["components"].(map[string]any)["schemas"].(map[string]any) {
			for _, m := range Members(of.(map[string]any)) {
				if len(m.Words) > 0 {
					out[name+" "+m.Path] = m.Words
				}
			}
		}
	}
	return out
}

// Operation returns the path of the document and the id of the operation of a request.
func (c *Checker) Operation(method, path string) (template, id string) {
	for _, r := range c.paths {
		if r.method == strings.ToLower(method) && r.matches.MatchString(path) {
			operation := c.api["paths"].(map[string]any)[r.path].(map[string]any)[r.method].(map[string]any)
			id = operation["operationId"].(string)
			if other, ok := operation["x-digits"].(string); ok && strings.Trim(path[strings.LastIndex(path, "/")+1:], "0123456789") == "" {
				id = other
			}
			return r.path, id
		}
	}
	return "", ""
}

// API compares a call of the API that the server accepted, or refused, with its operation.
func (c *Checker) API(method, path string, request []byte, status int, answer []byte) error {
	template, id := c.Operation(method, path)
	if id == "" {
		return fmt.Errorf("%s %s: no operation", method, path)
	}
	at := pointer("paths", template, strings.ToLower(method))
	err := c.answer("openapi.json", c.api, at, status, answer)
	if status < 300 {
		err = errors.Join(err, c.body("openapi.json", c.api, append(at, "requestBody"), request))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", id, err)
	}
	return nil
}

// Call compares a call of the platform and the answer of an app.
func (c *Checker) Call(name, method string, request []byte, status int, answer []byte) error {
	at := pointer("webhooks", name, strings.ToLower(method))
	if find(c.calls, at) == nil {
		return fmt.Errorf("%s %s: no call", method, name)
	}
	err := errors.Join(c.body("callbacks.json", c.calls, append(at, "requestBody"), request),
		c.answer("callbacks.json", c.calls, at, status, answer))
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func pointer(parts ...string) []string { return slices.Clip(parts) }

// find returns the part of a document, nil if there is none. References are followed.
func find(doc map[string]any, at []string) any {
	var v any = doc
	for _, name := range at {
		m, _ := follow(doc, v).(map[string]any)
		v = m[name]
	}
	return follow(doc, v)
}

func follow(doc map[string]any, v any) any {
	m, _ := v.(map[string]any)
	if to, ok := m["$ref"].(string); ok {
		return find(doc, strings.Split(strings.TrimPrefix(to, "#/"), "/"))
	}
	return v
}

// answer compares an answer with the response of its status, of its class, or of any.
func (c *Checker) answer(name string, doc map[string]any, at []string, status int, answer []byte) error {
	for _, of := range []string{fmt.Sprint(status), fmt.Sprintf("%dXX", status/100), "default"} {
		if to := append(at, "responses", of); find(doc, to) != nil {
			return c.body(name, doc, to, answer)
		}
	}
	return fmt.Errorf("status %d: no answer", status)
}

// body compares a body with the schema of a request or a response. One without a schema may have any body.
func (c *Checker) body(name string, doc map[string]any, at []string, body []byte) error {
	at = append(at, "content", "application/json", "schema")
	is := find(doc, at)
	if is == nil || len(body) == 0 {
		return nil
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return err
	}
	// The compiler does not follow references on the way to a schema.
	way := resolved(doc, at)
	c.mu.Lock()
	compiled, err := c.compiler.Compile("mem:///" + name + "#/" + strings.Join(way, "/"))
	c.mu.Unlock()
	if err != nil {
		return err
	}
	if err := compiled.Validate(v); err != nil {
		return fmt.Errorf("%s: %w", at[len(at)-4], err)
	}
	return unlisted(doc, at[len(at)-4], is, v)
}

// resolved is the pointer to a part of a document without references on its way, escaped.
func resolved(doc map[string]any, at []string) []string {
	var way []string
	var v any = doc
	for _, name := range at {
		m := v.(map[string]any)
		if to, ok := m["$ref"].(string); ok {
			way = strings.Split(strings.TrimPrefix(to, "#/"), "/")
			m = find(doc, way).(map[string]any)
		}
		way = append(way, escape.Replace(name))
		v = m[name]
	}
	return way
}

var escape = strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D")

// Words is the keyword of the known values of a member. A program must take others too.
const Words = "x-extensible-enum"

// ownWord begins the words that a partner makes itself, which are statuses of tracking events.
const ownWord = "custom_"

// unlisted names the members of a value, and the words in it, that the schema does not list. Alternatives list what
// they like.
func unlisted(doc map[string]any, at string, of, v any) error {
	is, _ := follow(doc, of).(map[string]any)
	properties, listed := is["properties"].(map[string]any)
	var all []error
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			switch member, known := properties[name]; {
			case known:
				all = append(all, unlisted(doc, at+"."+name, member, v[name]))
			case listed && is["additionalProperties"] == nil:
				all = append(all, fmt.Errorf("%s.%s: the schema does not list it", at, name))
			case is["additionalProperties"] != nil:
				all = append(all, unlisted(doc, at+".*", is["additionalProperties"], v[name]))
			}
		}
	case []any:
		for _, one := range v {
			all = append(all, unlisted(doc, at+"[]", is["items"], one))
		}
	case string:
		words, ok := is[Words].([]any)
		if ok && v != "" && !slices.Contains(words, any(v)) && !strings.HasPrefix(v, ownWord) {
			all = append(all, fmt.Errorf("%s: the schema does not list the word %q", at, v))
		}
	}
	return errors.Join(all...)
}
