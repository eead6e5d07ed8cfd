package control

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
)

type seedJSON struct {
	Records []recordJSON `json:"records"`
}

// recordJSON is a record that is created by a call of an app.
type recordJSON struct {
	Store   int64           `json:"store"`
	App     int64           `json:"app"`
	Version string          `json:"version"`
	Method  string          `json:"method"`
	Path    string          `json:"path"`
	Body    json.RawMessage `json:"body"`
	As      string          `json:"as"`
}

// reference is a member of the answer to a record before, such as {pot.id} or {pot.variants.0.id}.
var reference = regexp.MustCompile(`"?\{([a-z][a-z0-9_]*)((?:\.[a-z0-9_]+)+)\}"?`)

// named is what a record may be called.
var named = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// seedRecords creates the records of a file. Records that were created before a rejected one stay.
func seedRecords(c *call, in seedJSON) (any, error) {
	answers, created := map[string]any{}, []any{}
	for i, r := range in.Records {
		if err := c.ctx.Err(); err != nil {
			return nil, err
		}
		answer, err := c.record(r, answers)
		if err != nil {
			e := refuse(err)
			e.Message = fmt.Sprintf("records[%d]: %s", i, e.Message)
			if i > 0 {
				e.Hint += fmt.Sprintf("; the %d records before it stay: \"refserver snapshot\" restores an earlier state", i)
			}
			return nil, e
		}
		if r.As != "" {
			answers[r.As] = answer
		}
		one := map[string]any{"path": r.Path, "as": r.As, "id": nil}
		if o, ok := answer.(map[string]any); ok {
			one["id"] = o["id"]
		}
		created = append(created, one)
	}
	return map[string]any{"created": created}, nil
}

// record creates one record and returns what the API answers.
func (c *call) record(r recordJSON, answers map[string]any) (any, error) {
	if r.As != "" && !named.MatchString(r.As) {
		return nil, wrong("as", cut(r.As), "must be lower case letters, digits and _, and begin with a letter")
	}
	path, err := resolve(r.Path, answers, false)
	if err != nil {
		return nil, err
	}
	body, err := resolve(string(r.Body), answers, true)
	if err != nil {
		return nil, err
	}
	r.Path, r.Body = path, []byte(body)
	_, answer, err := c.act(r)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(answer))
	d.UseNumber()
	var out any
	_ = d.Decode(&out) // an operation may answer nothing
	return out, nil
}

// act makes a call of the API in the name of an app. A rejected call is an error.
func (c *call) act(r recordJSON) (status int, answer []byte, err error) {
	app, err := c.app(r.App)
	if err != nil {
		return 0, nil, err
	}
	if r.Store == 0 {
		r.Store = c.o.Shop.Store.ID
	}
	if _, ok := c.server.World().Store(r.Store); !ok {
		return 0, nil, unknown("store", text(r.Store), c.storeIDs())
	}
	if r.Version == "" {
		r.Version = api.Unstable
	}
	if !slices.Contains(api.Versions(), r.Version) {
		return 0, nil, unknown("version", r.Version, api.Versions())
	}
	if r.Method == "" {
		r.Method = "POST"
	}
	status, answer = c.server.Act(refserver.Act{
		App: app.ID, Store: r.Store, Version: r.Version, Method: r.Method, Path: r.Path, Body: r.Body,
	})
	if status < 200 || status > 299 {
		e := &Error{
			Message: fmt.Sprintf("%s %s: status %d: %s", cut(r.Method), cut(r.Path), status, traffic.Words(answer)), Field: "path",
			Value: cut(r.Path),
		}
		e.Rule, e.Hint = "must be a request that the API accepts", "correct the call and repeat it"
		if status == http.StatusNotFound {
			e.Hint = "the record or the path does not exist: \"refserver serve --routes\" or GET " + Prefix + "operations lists the paths"
		}
		return status, nil, e
	}
	return status, answer, nil
}

// resolve puts the answers to records before into a text. In a body, a reference that is a whole text becomes the
// value.
func resolve(in string, answers map[string]any, isJSON bool) (string, error) {
	var wrongOne error
	out := reference.ReplaceAllStringFunc(in, func(found string) string {
		m := reference.FindStringSubmatch(found)
		value, ok := answers[m[1]]
		if !ok {
			wrongOne = unknown("record", m[1], slices.Sorted(maps.Keys(answers)))
			return found
		}
		for _, name := range strings.Split(m[2], ".")[1:] {
			if value, ok = member(value, name); !ok {
				wrongOne = wrong("reference", cut(found), "must be a member of the answer to "+m[1])
				return found
			}
		}
		quoted := strings.HasPrefix(found, `"`) && strings.HasSuffix(found, `"`)
		raw, err := encode(value)
		if err != nil {
			wrongOne = err
		}
		switch {
		case isJSON && quoted:
			return string(raw)
		case strings.HasPrefix(found, `"`):
			return `"` + strings.Trim(string(raw), `"`)
		case strings.HasSuffix(found, `"`):
			return strings.Trim(string(raw), `"`) + `"`
		}
		return strings.Trim(string(raw), `"`)
	})
	return out, wrongOne
}

// member is a member of an object or an element of an array.
func member(of any, name string) (any, bool) {
	switch of := of.(type) {
	case map[string]any:
		v, ok := of[name]
		return v, ok
	case []any:
		for i, v := range of {
			if text(int64(i)) == name {
				return v, true
			}
		}
	}
	return nil, false
}
