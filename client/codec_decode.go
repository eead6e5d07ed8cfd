package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// decode reads the response into out.
func (a *answer) decode(ctx context.Context, out any) error {
	if a.Status == http.StatusNoContent {
		return a.empty(reflect.TypeOf(out))
	}
	if err := a.check(); err != nil {
		return err
	}
	if wire.Kind(a.Body) == 'n' && isRecord(reflect.TypeOf(out)) && string(bytes.TrimSpace(a.Body)) == "null" {
		return a.unreadable(noRecord("must be a JSON object, got null"))
	}
	if isList(reflect.TypeOf(out)) && a.Result && a.Read && isEmptyObject(a.Body) {
		return nil
	}
	if err := wire.CheckRoom(a.Body, reflect.TypeOf(out)); err != nil {
		return a.unreadable(err)
	}
	watch := a.codec.watch(ctx, reflect.TypeOf(out))
	if len(watch) == 0 && forms.Unmarshal(a.Body, out) {
		return a.lacking(out)
	}
	if err := wire.Unmarshal(a.Body, out, watch...); err != nil {
		return a.unreadable(err)
	}
	a.codec.reportUnknown(ctx, out)
	return a.lacking(out)
}

// unreadable returns the error of a response that has a good status but cannot be used. A write was applied, so it must
// not be repeated blindly.
func (a *answer) unreadable(err error) *Error {
	raw := bounded(a.Body)
	if why := a.explain(); why != nil {
		err = why
	} else if a.Secrets && !errors.As(err, new(noRecord)) {
		err = errSecrets
	}
	if a.Secrets {
		raw = nil
	}
	return &Error{
		Method: a.Method, Route: a.Route, Status: a.Status, Attempts: a.Attempts,
		RequestID: engine.RequestID(a.Header), Rate: Rate(engine.RateOf(a.Header)), unknown: !a.Read,
		cause: &DecodeError{Index: -1, Raw: raw, Err: &lineError{err}},
	}
}

// lineError is an error whose text is fit for a log. The errors that it wraps can contain member names as they were
// received. errors.Is and errors.As find them, but their texts are not shown.
type lineError struct{ err error }

func (e *lineError) Error() string        { return wire.Line(e.err.Error(), wire.MaxText) }
func (e *lineError) Is(target error) bool { return errors.Is(e.err, target) }
func (e *lineError) As(target any) bool   { return errors.As(e.err, target) }

// bounded returns the part of a response that an error keeps.
func bounded(raw []byte) []byte { return raw[:min(len(raw), engine.MaxErrorBody)] }

// decodeItems reads the items of a list into a new slice of the given type. An item is unreadable if it cannot be
// decoded, or if it has no id although its members were not chosen. Unreadable items do not affect the others: the
// error joins a *DecodeError for each. The slice is not valid if there is no list.
func decodeItems(ctx context.Context, c *codec, raw []byte, records reflect.Type, chosen bool) (reflect.Value, error) {
	items := reflect.New(records)
	items.Elem().Set(reflect.MakeSlice(records, 0, 0))
	if isEmptyObject(raw) {
		return items.Elem(), nil // an empty map in place of a list
	}
	if wire.Kind(raw) == '{' {
		raw = c.numbered(ctx, raw)
	}
	if err := wire.CheckRoom(raw, records); err != nil {
		return reflect.Value{}, err
	}
	most := mostItems(raw, records.Elem())
	watch := c.watch(ctx, records)
	if len(watch) == 0 && forms.UnmarshalList(raw, items.Interface(), most) && (chosen || identified(items.Elem())) {
		return items.Elem(), nil
	}
	if len(watch) > 0 && wire.UnmarshalList(raw, items.Interface(), most, watch...) == nil && (chosen || identified(items.Elem())) {
		c.reportUnknown(ctx, items.Elem().Interface())
		return items.Elem(), nil
	}
	var parts []json.RawMessage
	if err := wire.UnmarshalList(raw, &parts, most); err != nil {
		return reflect.Value{}, err
	}
	readable := reflect.MakeSlice(records, 0, len(parts))
	var bad []error
	for i, part := range parts {
		item := reflect.New(records.Elem())
		err := decodeItem(part, item.Interface())
		if err == nil && !chosen && withoutID(item.Elem()) {
			err = noRecord("item has no id")
		}
		if err != nil {
			bad = append(bad, &DecodeError{Index: i, Raw: bounded(part), Err: &lineError{err}, id: idOf(part)})
			continue
		}
		readable = reflect.Append(readable, item.Elem())
	}
	c.reportUnknown(ctx, readable.Interface())
	return readable, joinItems(bad)
}

// isEmptyObject reports whether a body is {}, which the platform prints for an empty list in some places.
func isEmptyObject(body []byte) bool {
	inside, opened := bytes.CutPrefix(bytes.TrimSpace(body), []byte("{"))
	return opened && string(bytes.TrimLeft(inside, " \t\r\n")) == "}"
}

// numbered returns a page as a list if PHP wrote it as an object, which happens for lists with gaps.
func (c *codec) numbered(ctx context.Context, raw []byte) []byte {
	list, ok := wire.Numbered(raw)
	if !ok {
		return raw
	}
	if report := c.config.OnDrift; report != nil {
		report(ctx, Drift{Want: "a list", Got: cut(string(raw[:min(len(raw), maxSnippet)]))})
	}
	return list
}

// decodeItem reads an item of a list into a new record. If the fast forms reject one item, the other items remain fast.
func decodeItem(raw []byte, record any) error {
	if wire.IsNull(raw) && !wire.HasNull(reflect.TypeOf(record).Elem()) {
		return errors.New("item must be a record, got null")
	}
	if forms.Unmarshal(raw, record) {
		return nil
	}
	return wire.Unmarshal(raw, record)
}

// mostItems is the maximum number of items of a response. They may use 4 MiB plus twice the size of the response in
// memory. Records are smaller in memory than on the wire, or there are few of them. Without a bound, a mebibyte of {}
// would use gigabytes.
func mostItems(raw []byte, record reflect.Type) int {
	const always = 4 << 20
	return (always + 2*len(raw)) / max(1, int(record.Size()))
}

// idOf returns the id of an item that cannot be read; 0 if the item has no integer id.
func idOf(item []byte) ID {
	var named struct {
		ID json.RawMessage `json:"id"`
	}
	var id ID
	if wire.Unmarshal(item, &named) != nil || id.UnmarshalJSON(named.ID) != nil {
		return 0
	}
	return id
}

// itemErrors are the errors of several items. It is like the result of errors.Join, except that its text is one line of
// bounded length.
type itemErrors struct{ bad []error }

func joinItems(bad []error) error {
	if len(bad) == 0 {
		return nil
	}
	return &itemErrors{bad}
}

func (e *itemErrors) Error() string {
	const most = 5
	var texts []string
	for _, bad := range e.bad[:min(len(e.bad), most)] {
		texts = append(texts, wire.Line(bad.Error(), wire.MaxText/most))
	}
	if more := len(e.bad) - most; more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(texts, "; ")
}

func (e *itemErrors) Unwrap() []error { return e.bad }

// badItems returns the items of an error of decodeItems.
func badItems(err error) (all []*DecodeError) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			if bad, ok := e.(*DecodeError); ok {
				all = append(all, bad)
			}
		}
	}
	return all
}
