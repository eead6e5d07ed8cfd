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
	"github.com/commerceplatform/commerce-go/internal/printable"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// decode reads the answer into out.
func (a *answer) decode(ctx context.Context, out any) error {
	if a.Status == http.StatusNoContent {
		return a.empty(reflect.TypeOf(out))
	}
	if err := a.check(); err != nil {
		return err
	}
	if kind(a.Body) == 'n' && isRecord(reflect.TypeOf(out)) && string(bytes.TrimSpace(a.Body)) == "null" {
		return a.unreadable(noRecord("want a JSON object, got null"))
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

// unreadable returns the error of an answer that is no good although its status
// is. A write has been applied then, so it must not be repeated blindly.
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

// lineError is an error whose text is fit for a log. Those below it name members as they came, so it finds them for
// errors.Is and errors.As, and does not show them.
type lineError struct{ err error }

func (e *lineError) Error() string        { return printable.Line(e.err.Error(), printable.MaxText) }
func (e *lineError) Is(target error) bool { return errors.Is(e.err, target) }
func (e *lineError) As(target any) bool   { return errors.As(e.err, target) }

// bounded cuts what an error keeps of an answer.
func bounded(raw []byte) []byte { return raw[:min(len(raw), engine.MaxErrorBody)] }

// decodeItems reads the items of a list into a new slice of the given type. An item that cannot be read, or that has no
// id although its members were not chosen, does not cost the others: the error joins a *DecodeError for each of them.
// The slice is not valid if there is no list.
func decodeItems(ctx context.Context, c *codec, raw []byte, records reflect.Type, chosen bool) (reflect.Value, error) {
	items := reflect.New(records)
	items.Elem().Set(reflect.MakeSlice(records, 0, 0))
	if isEmptyObject(raw) {
		return items.Elem(), nil // an empty map where a list is due
	}
	if kind(raw) == '{' {
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

// numbered returns a page that PHP wrote as an object, because its list has gaps, as a list.
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

// decodeItem reads an item of a list into a new record. One item that the forms refuse does not make the others slow.
func decodeItem(raw []byte, record any) error {
	if isNull(raw) && !wire.HasNull(reflect.TypeOf(record).Elem()) {
		return errors.New("item must be a record, got null")
	}
	if forms.Unmarshal(raw, record) {
		return nil
	}
	return wire.Unmarshal(raw, record)
}

// mostItems is how many items an answer may have: as many as take 4 MiB in memory, and twice the size of the
// answer. Records are smaller in memory than on the wire, or there are few of them; a mebibyte of {} would take
// gigabytes.
func mostItems(raw []byte, record reflect.Type) int {
	const always = 4 << 20
	return (always + 2*len(raw)) / max(1, int(record.Size()))
}

// idOf returns the id of an item that cannot be read; 0 if it does not tell an integer.
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

// itemErrors are the errors of several items. It is what errors.Join returns, but for its text, which is one line of
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
		texts = append(texts, printable.Line(bad.Error(), printable.MaxText/most))
	}
	if more := len(e.bad) - most; more > 0 {
		texts = append(texts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(texts, "; ")
}

func (e *itemErrors) Unwrap() []error { return e.bad }

// badItems are the items that an error of decodeItems stands for.
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
