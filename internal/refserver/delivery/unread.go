package delivery

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/body"
)

// Unread returns the paths of the members of an answer that T has no field for, such as "reason.text". The elements of
// a list share a path. Members of a json.RawMessage are not looked at, because the code that reads it knows its form.
func Unread[T any](answer []byte) []string {
	unread := body.Unread(reflect.TypeFor[T](), json.RawMessage(answer), "")
	for i := range unread {
		unread[i] = strings.TrimPrefix(unread[i], ".")
	}
	slices.Sort(unread)
	return slices.Compact(unread)
}
