package callback

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Misread returns why a JSON document could not be read as a T. The error names the members that are wrong, with the
// form of each value and the rule of its type. It quotes no value, because that may be about a person.
func Misread[T any](
	document []byte, err error, of string, ruleOf func(reflect.Type) string, opts ...wire.Option,
) error {
	const most = 5 // members that are named
	why := wire.Refusal(err, of)
	if fault := wire.Fault(err); fault != "" {
		return fmt.Errorf("%w: %s", why, fault)
	}
	var all []string
	for _, m := range wire.Misfits[T](document, most, opts...) {
		path := Printable(m.Path, MostShown)
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

// RuleOf describes what a type is read from: one of package client, or a Go type without methods of its own.
func RuleOf(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[client.ID](), reflect.TypeFor[client.Int]():
		return "an integer"
	case reflect.TypeFor[client.Money](), reflect.TypeFor[client.Measure]():
		return "a decimal with a point"
	case reflect.TypeFor[client.Code]():
		return "a string or a number"
	case reflect.TypeFor[client.Time]():
		return "a time"
	}
	return wire.KindOf(t)
}

// Misfit describes a member that could not be read, with the form of its value and the rule. It quotes no value.
func Misfit(path string, value []byte, rule string) string {
	return fmt.Sprintf("%s: %s: must be %s", path, wire.FormOf(value), rule)
}

// Ignored returns an error that names members that could not be read, each described by Misfit. It is nil if there are
// none. No result depends on them, so the call is answered without them. The first argument is a name for such members.
func Ignored(what string, members []string) error {
	const most = 5 // members that are named
	if len(members) == 0 {
		return nil
	}
	text := strings.Join(members[:min(most, len(members))], "; ")
	if more := len(members) - most; more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return fmt.Errorf("%w: %s could not be read: %s", ErrMalformed, what, text)
}
