package body

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
)

// Decode reads the body, an object, into the struct dst points to. Members are
// matched by json tag, letter by letter; those the struct has no field for are
// noted as unread. A member of the wrong type is 422 on that member; a body that
// is no object is 400.
func Decode(in *api.In, dst any) error {
	unread, err := decode(in.Raw, dst)
	in.MarkUnread(unread...)
	return err
}

// DecodeArray reads the body, an array, into the slice dst points to, element by
// element as Decode does. A body that is not an array is 400 "Invalid input format".
func DecodeArray[T any](in *api.In, dst *[]T) error {
	raws, err := Array(in)
	if err != nil {
		return err
	}
	out := make([]T, len(raws))
	for i, raw := range raws {
		unread, err := decode(raw, &out[i])
		in.MarkUnread(unread...)
		if err != nil {
			return err
		}
	}
	*dst = out
	return nil
}

// Array returns the elements of a body that is an array. Any other is 400.
func Array(in *api.In) ([]json.RawMessage, error) {
	var raws []json.RawMessage
	if err := json.Unmarshal(in.Raw, &raws); err != nil || raws == nil {
		return nil, api.Coded(http.StatusBadRequest, InvalidFormat)
	}
	return raws, nil
}

// object returns the members of a value; false if it is not an object.
func object(raw []byte) (members map[string]json.RawMessage, ok bool) {
	err := json.Unmarshal(raw, &members)
	return members, err == nil && members != nil
}

// IsObject reports whether a value is an object.
func IsObject(raw json.RawMessage) bool {
	_, ok := object(raw)
	return ok
}

// decode reads a JSON object into the struct dst points to and returns the paths of
// the members it has no field for.
func decode(raw []byte, dst any) (unread []string, err error) {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		raw = []byte("{}")
	}
	members, ok := object(raw)
	if !ok {
		return nil, api.Malformed()
	}
	v := reflect.ValueOf(dst).Elem()
	unread = unreadMembers(v.Type(), members, "")
	slices.Sort(unread)
	return slices.Compact(unread), fill(v, members)
}

// fill sets the fields of a struct.
func fill(v reflect.Value, members map[string]json.RawMessage) error {
	t := v.Type()
	for i := range t.NumField() {
		f := t.Field(i)
		if inlined(f) {
			if err := fill(v.Field(i), members); err != nil {
				return err
			}
			continue
		}
		name := wireName(f)
		raw, ok := members[name]
		if name == "" || !ok {
			continue
		}
		if err := json.Unmarshal(raw, v.Field(i).Addr().Interface()); err != nil {
			return wrongType(name, err)
		}
	}
	return nil
}

// wireName is the name of a field in JSON, empty if it has none.
func wireName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "-" || !f.IsExported() {
		return ""
	}
	return name
}

// inlined reports whether the fields of a field are those of the struct that it is in.
func inlined(f reflect.StructField) bool {
	return f.Anonymous && f.Tag.Get("json") == "" && f.Type.Kind() == reflect.Struct
}

// wrongType is the answer to a member of another type than it should have. A
// type's own refusal, an *api.Error, is passed on.
func wrongType(name string, err error) error {
	if own, ok := errors.AsType[*api.Error](err); ok {
		return own
	}
	return api.Invalid(name, IsInvalid)
}
