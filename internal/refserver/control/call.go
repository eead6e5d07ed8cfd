package control

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// call is one call under way.
type call struct {
	*API
	ctx context.Context
	r   *http.Request
	w   http.ResponseWriter
	raw []byte
	st  world.Store // of the path, if it has one
}

// action is what a route does, and a new value of what its body is read into; nil if it takes none.
type action struct {
	serve func(c *call, in any) (any, error)
	body  func() any
}

// ask is the action of a call without a body.
func ask(f func(c *call) (any, error)) action {
	return action{serve: func(c *call, _ any) (any, error) { return f(c) }}
}

// take is the action of a call with a body.
func take[In any](f func(c *call, in In) (any, error)) action {
	return action{
		body:  func() any { return new(In) },
		serve: func(c *call, in any) (any, error) { return f(c, *in.(*In)) },
	}
}

// run reads the body and does what the route does.
func (c *call) run(to route) (any, error) {
	for name := range c.r.URL.Query() {
		if known := to.parameters(); !slices.Contains(known, name) {
			return nil, unknown("parameter", name, known)
		}
	}
	var err error
	if c.raw, err = c.read(); err != nil {
		return nil, err
	}
	if to.do.body == nil && len(bytes.TrimSpace(c.raw)) > 0 && string(bytes.TrimSpace(c.raw)) != "{}" {
		return nil, wrong("body", nil, "this call takes none")
	}
	var in any
	if to.do.body != nil {
		in = to.do.body()
		if err := decode(c.raw, in); err != nil {
			return nil, err
		}
	}
	if strings.Contains(to.path, "{store}") {
		if c.st, err = c.store(); err != nil {
			return nil, err
		}
	}
	return to.do.serve(c, in)
}

// read returns the body, which has to arrive in time.
func (c *call) read() ([]byte, error) {
	control := http.NewResponseController(c.w)
	// An error says that the connection has no deadlines: then it is one of a test.
	_ = control.SetReadDeadline(time.Now().Add(mostTime))
	raw, err := io.ReadAll(http.MaxBytesReader(nil, c.r.Body, mostBody))
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		e := wrong("body", nil, fmt.Sprintf("must be at most %d bytes", mostBody))
		e.Status = http.StatusRequestEntityTooLarge
		return nil, e
	}
	if err != nil {
		return nil, &Error{Status: http.StatusBadRequest, Message: "the body cannot be read"}
	}
	_ = control.SetReadDeadline(time.Time{})
	if media, _, _ := mime.ParseMediaType(c.r.Header.Get("Content-Type")); len(raw) > 0 && media != "application/json" {
		e := wrong("Content-Type", cut(c.r.Header.Get("Content-Type")), "must be application/json")
		e.Status = http.StatusUnsupportedMediaType
		return nil, e
	}
	return raw, nil
}

// decode reads a body. An empty one is an object without members.
func decode(raw []byte, in any) error {
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = []byte("{}")
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	err := d.Decode(in)
	if err == nil && d.More() {
		err = errors.New("more than one value")
	}
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		if form := forms[e.Type]; form != "" {
			return wrong(cmp.Or(e.Field, "body"), e.Value, form)
		}
		mistyped := wrong(cmp.Or(e.Field, "body"), nil, "must be "+kind(e.Type)+", got "+e.Value)
		mistyped.Value = e.Value
		return mistyped
	}
	if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		name, _ = strconv.Unquote(name)
		return misspelt("member", name, members(reflect.TypeOf(in)))
	}
	e := wrong("body", nil, "must be a JSON object: "+err.Error())
	e.Status = http.StatusBadRequest
	return e
}

// kind is what JSON calls a type of Go.
func kind(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a text"
	case reflect.Slice, reflect.Array:
		return "an array"
	case reflect.Struct, reflect.Map:
		return "an object"
	}
	return "a whole number in range"
}

// members are the names that a body may have, also further inside.
func members(t reflect.Type) []string {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	var out []string
	for i := range t.NumField() {
		if name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ","); name != "" {
			out = append(out, name)
		}
		if t.Field(i).Type != reflect.TypeFor[time.Time]() {
			out = append(out, members(t.Field(i).Type)...)
		}
	}
	return out
}

// id is a number of the path; 0, which nothing has, for text that is none.
func (c *call) id(name string) int64 {
	n, _ := strconv.ParseInt(c.r.PathValue(name), 10, 64)
	return n
}

// store is the store of the path.
func (c *call) store() (world.Store, error) {
	st, ok := c.server.World().Store(c.id("store"))
	if !ok {
		return st, unknown("store", c.r.PathValue("store"), c.storeIDs())
	}
	return st, nil
}

// app is an app by its id, that of the demo shop if the id is 0.
func (c *call) app(id int64) (world.App, error) {
	if id == 0 {
		id = c.o.Shop.App.ID
	}
	app, ok := c.server.World().App(id)
	if !ok {
		return app, unknown("app", text(id), c.appIDs())
	}
	return app, nil
}

// storeIDs and appIDs are the ids that there are, as text.
func (c *call) storeIDs() []string {
	return ids(c.server.World().Stores(), func(s world.Store) int64 { return s.ID })
}

func (c *call) appIDs() []string {
	return ids(c.server.World().Apps(), func(a world.App) int64 { return a.ID })
}

// text is an id as text.
func text(id int64) string { return strconv.FormatInt(id, 10) }

// ids are the ids of records as text.
func ids[T any](records []T, id func(T) int64) []string {
	var out []string
	for _, r := range records {
		out = append(out, strconv.FormatInt(id(r), 10))
	}
	return out
}
