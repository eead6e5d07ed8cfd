package callback

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Misread returns why a JSON document could not be read as a T. The error names the members that are wrong, with the
// form of each value and the rule of its type. It quotes no value, because that may be about a person.
func Misread[T any](
	document []byte, err error, of string, ruleOf func(reflect.Type) string, opts ...wire.Option,
) error {
	why := wire.Refusal(err, of)
	if fault := wire.Fault(err); fault != "" {
		return fmt.Errorf("%w: %s", why, fault)
	}
	all := wire.Misfits[T](document, mostNamed, opts...)
	if len(all) == 0 {
		return why
	}
	return fmt.Errorf("%w: %s", why, named(all, ruleOf))
}

const (
	mostNamed = 5   // members that an error names
	mostPath  = 128 // runes of the path of one
)

// named describes members that could not be read.
func named(all []wire.Misfit, ruleOf func(reflect.Type) string) string {
	var b strings.Builder
	for _, m := range all[:min(len(all), mostNamed)] {
		fmt.Fprintf(&b, "%s: %s: must be %s; ", cmp.Or(Printable(m.Path, mostPath), "the document"), m.Form, ruleOf(m.Type))
	}
	if more := len(all) - mostNamed; more > 0 {
		return fmt.Sprintf("%sand %d more", b.String(), more)
	}
	return strings.TrimSuffix(b.String(), "; ")
}

// Loose describes a document of which some members may have any form.
type Loose struct {
	Of string // what the document is
	// Needed are the members that must have the form of their types, with all members below and above them. Members of
	// the items of a list are written as items.quantity.
	Needed []string
	RuleOf func(reflect.Type) string
	Own    []wire.Option // of wire.ReadBy, at most one
}

// Read reads a document into v, a pointer. Members of another form that are not needed are left out and named in
// ignored. Neither error quotes a value.
func (l *Loose) Read(document []byte, v any) (ignored, err error) {
	misfits, err := wire.UnmarshalLoosely(document, v, l.Own...)
	if err != nil {
		why := wire.Refusal(err, l.Of)
		if fault := wire.Fault(err); fault != "" {
			return nil, fmt.Errorf("%w: %w: %s", ErrMalformed, why, fault)
		}
		return nil, fmt.Errorf("%w: %w", ErrMalformed, why)
	}
	var needed, others []wire.Misfit
	for _, m := range misfits {
		if l.needs(m.Path) {
			needed = append(needed, m)
		} else {
			others = append(others, m)
		}
	}
	switch {
	case len(needed) > 0:
		return nil, fmt.Errorf("%w: not the strict JSON of %s: %s", ErrMalformed, l.Of, named(needed, l.RuleOf))
	case len(others) > 0:
		const what = "members on which no answer depends could not be read"
		return fmt.Errorf("%w: %s: %s", ErrMalformed, what, named(others, l.RuleOf)), nil
	}
	return nil, nil
}

func (l *Loose) needs(path string) bool {
	for from := strings.IndexByte(path, '['); from >= 0; from = strings.IndexByte(path, '[') {
		_, rest, _ := strings.Cut(path[from:], "]")
		path = path[:from] + rest
	}
	return path == "" || slices.ContainsFunc(l.Needed, func(n string) bool {
		return n == path || strings.HasPrefix(path, n+".") || strings.HasPrefix(n, path+".")
	})
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
