package shipping

import (
	"reflect"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/internal/callback"
)

// ruleOf describes the JSON from which a type is read.
func ruleOf(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[Number]():
		return numberRule
	case reflect.TypeFor[Cost]():
		return "an amount"
	case reflect.TypeFor[ulid.ULID]():
		return "a ULID"
	}
	return callback.RuleOf(t)
}
