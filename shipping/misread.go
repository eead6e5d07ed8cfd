package shipping

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// misread says why a document could not be read as a T: it names the members that are wrong, with the form of each value
// and the rule. It quotes no value, because that may be about a person.
func misread[T any](document []byte, err error, of string, opts ...wire.Option) error {
	const most = 5 // members that are named
	why := wire.Refusal(err, of)
	if fault := wire.Fault(err); fault != "" {
		return fmt.Errorf("%w: %s", why, fault)
	}
	var all []string
	for _, m := range wire.Misfits[T](document, most, opts...) {
		path := callback.Printable(m.Path, callback.MostShown)
		if path == "" {
			path = "the document"
		}
		all = append(all, fmt.Sprintf("%s: %s: must be %s", path, m.Form, ruleOf(m.Type)))
	}
	if len(all) == 0 {
		return why
	}
	return fmt.Errorf("%w: %s", why, strings.Join(all, "; "))
}

// ruleOf describes what a type is read from.
func ruleOf(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[client.ID](), reflect.TypeFor[client.Int]():
		return "an integer"
	case reflect.TypeFor[Number]():
		return numberRule
	case reflect.TypeFor[client.Code]():
		return "a string or a number"
	case reflect.TypeFor[client.Time]():
		return "a time"
	case reflect.TypeFor[ulid.ULID]():
		return "a ULID"
	}
	return wire.KindOf(t)
}
