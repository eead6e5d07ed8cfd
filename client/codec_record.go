package client

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// noRecord describes why a response has no record although one is required. It repeats only names of members.
type noRecord string

func (e noRecord) Error() string { return string(e) }

// isRecord reports whether out points to a struct that does not read null itself. Null would leave it zero, so that it
// looks like a record.
func isRecord(out reflect.Type) bool {
	return out.Kind() == reflect.Pointer && out.Elem().Kind() == reflect.Struct &&
		(wire.IsByFields(out.Elem()) || !out.Implements(reflect.TypeFor[json.Unmarshaler]()))
}

// empty returns the error of a response without content. For a read of a list it means no items. For a write it is an
// error, because the written items are unknown.
func (a *answer) empty(out reflect.Type) error {
	if !a.Result || isList(out) && a.Read {
		return nil
	}
	return a.unreadable(noRecord("no record: the answer has no content"))
}

func isList(out reflect.Type) bool {
	return out.Kind() == reflect.Pointer && out.Elem().Kind() == reflect.Slice
}

// lacking returns the error of a response that was read into out and has no record. Such a response is {}, a message of
// a gateway, or a record inside another object.
func (a *answer) lacking(out any) error {
	v := reflect.ValueOf(out).Elem()
	switch v.Kind() {
	case reflect.Struct:
		if a.Chosen {
			return nil
		}
		record := a.codec.shapes.of(v.Type())
		extra := record.extraOf(v)
		if (a.Result || extra != nil) && (record.withoutID(v) || a.Result && a.allUnknown(v, extra)) {
			return a.unreadable(noRecord("no record: " + a.members()))
		}
	case reflect.Slice:
		if v.IsNil() && a.Result && !a.Read {
			return a.unreadable(noRecord("must be a JSON list, got null"))
		}
		for i := range v.Len() {
			if a.Result && !a.Chosen && withoutID(v.Index(i)) {
				return a.unreadable(noRecord(fmt.Sprintf("item %d has no id", i)))
			}
		}
	}
	return nil
}

// extraOf returns the unknown members of a record; nil if v has no field for them.
func extraOf(v reflect.Value) *Extra {
	if v.Kind() != reflect.Struct {
		return nil
	}
	return shapeOf(v.Type()).extraOf(v)
}

// withoutID reports whether v has a required id that is zero. The id is a field ID for the member id that is neither a
// pointer nor optional. The platform prints 0 for a missing id, even if the field is a text.
func withoutID(v reflect.Value) bool {
	return v.Kind() == reflect.Struct && shapeOf(v.Type()).withoutID(v)
}

// identified reports whether all items of a list have their id.
func identified(items reflect.Value) bool {
	index := idOfRecords(items.Type().Elem())
	if index == nil {
		return true
	}
	for i := range items.Len() {
		if isZeroID(items.Index(i), index) {
			return false
		}
	}
	return true
}

// idOfRecords returns the index of the id in records of a type; nil if they require none.
func idOfRecords(record reflect.Type) []int {
	if record.Kind() != reflect.Struct {
		return nil
	}
	f, ok := record.FieldByName("ID")
	if !ok || !f.IsExported() || f.Tag.Get("json") != "id" || f.Type.Kind() == reflect.Pointer {
		return nil
	}
	return f.Index
}

func isZeroID(record reflect.Value, index []int) bool {
	id, err := record.FieldByIndexErr(index)
	if err != nil {
		return false
	}
	return id.IsZero() || id.Kind() == reflect.String && (id.String() == "0" || strings.TrimSpace(id.String()) == "")
}

// allUnknown reports whether the record v has no field for any member of the response, so that all members are in
// extra. It is true for a response without members.
func (a *answer) allUnknown(v reflect.Value, extra *Extra) bool {
	if extra == nil {
		return false
	}
	unknown := *extra
	*extra = nil
	blank := v.IsZero()
	*extra = unknown
	return blank && len(a.names()) == len(unknown)
}

// names returns the names of the members of the response.
func (a *answer) names() []string {
	var members map[string]skipped
	if wire.Unmarshal(a.Body, &members) != nil {
		return nil
	}
	return sortedKeys(members)
}

// skipped is a value of which only the presence counts.
type skipped struct{}

// UnmarshalJSON accepts any value.
func (*skipped) UnmarshalJSON([]byte) error { return nil }

// members describes the received object by the names of its members.
func (a *answer) members() string {
	names := a.names()
	switch {
	case a.Secrets:
		return "the object has no id"
	case len(names) == 0:
		return "the object is empty"
	case len(names) > mostNames:
		names = append(names[:mostNames], "…")
	}
	return "the object has no id, only " + wire.Line(strings.Join(names, ", "), wire.MaxName)
}

const mostNames = 8
