package shipping

import (
	"reflect"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// misread returns the error for a document that could not be read as a T.
func misread[T any](document []byte, err error, of string, opts ...wire.Option) error {
	return callback.Misread[T](document, err, of, ruleOf, opts...)
}

// ruleOf describes the JSON from which a type is read.
func ruleOf(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[Number]():
		return numberRule
	case reflect.TypeFor[ulid.ULID]():
		return "a ULID"
	}
	return callback.RuleOf(t)
}
