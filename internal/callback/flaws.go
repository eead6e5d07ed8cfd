package callback

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/commerceplatform/commerce-go/client/value"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

const (
	mostNamed = 5   // members that an error names
	mostPath  = 128 // runes of the path of one
)

// Flaws are the members of a call that are wrong. The zero value has none.
type Flaws struct {
	named []string // descriptions of the first ones
	more  int
	paths map[string]bool // members that could not be read
}

// Add adds a member, unless it could not be read. Form describes its value without quoting it, because it may be
// personal data.
func (f *Flaws) Add(path, form, rule string) {
	switch {
	case f.paths[path]:
	case len(f.named) < mostNamed:
		f.named = append(f.named, fmt.Sprintf("%s: %s: must be %s", Printable(path, mostPath), form, rule))
	default:
		f.more++
	}
}

// unread adds a member that could not be read.
func (f *Flaws) unread(path string, raw []byte, rule string) {
	f.Add(path, wire.FormOf(raw), rule)
	if f.paths == nil {
		f.paths = map[string]bool{}
	}
	f.paths[path] = true
}

// Unread reports whether the member could not be read.
func (f *Flaws) Unread(path string) bool { return f.paths[path] }

// Err returns the flaws as one error of bounded length that wraps ErrMalformed, or nil.
func (f *Flaws) Err() error { return f.err("") }

func (f *Flaws) err(what string) error {
	if len(f.named) == 0 {
		return nil
	}
	text := what + strings.Join(f.named, "; ")
	if f.more > 0 {
		text += fmt.Sprintf("; and %d more", f.more)
	}
	return fmt.Errorf("%w: %s", ErrMalformed, text)
}

// RuleOf describes what a type is read from: one of package client, or a Go type without methods of its own.
func RuleOf(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[value.ID](), reflect.TypeFor[value.Int]():
		return "an integer"
	case reflect.TypeFor[value.Money](), reflect.TypeFor[value.Measure]():
		return "a decimal with a point"
	case reflect.TypeFor[value.Code]():
		return "a string or a number"
	case reflect.TypeFor[value.Time]():
		return "a time"
	}
	return wire.KindOf(t)
}

// Misfit describes a member that could not be read, with the form of its value and the rule. It quotes no value.
func Misfit(path string, value []byte, rule string) string {
	return fmt.Sprintf("%s: %s: must be %s", path, wire.FormOf(value), rule)
}
