package wire

import (
	"fmt"
	"reflect"
)

// FormOf describes a JSON value without quoting it.
func FormOf(raw []byte) string {
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
	case '"':
		return fmt.Sprintf("a string of %d bytes", len(raw)-2)
	case '{':
		return "an object"
	case '[':
		return "a list"
	case 't', 'f', 'n':
		return string(raw)
	}
	return "a number"
}

// KindOf names the JSON that a Go type without methods of its own is read from.
func KindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "a list"
	}
	return "an object"
}
