package control

import (
	"encoding/json"
	"reflect"
	"strings"
	"time"
	"unicode"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// plain is a record of the world as JSON has it: members in lower case with underscores, secrets masked. It is the
// same for equal records.
func plain(v reflect.Value) any {
	switch x := v.Interface().(type) {
	case time.Time:
		return stamp(x)
	case time.Duration:
		return x.String()
	case decimal.Decimal:
		return x.String()
	case decimal.NullDecimal:
		if !x.Valid {
			return nil
		}
		return x.Decimal.String()
	case json.RawMessage:
		return shown(x)
	}
	switch v.Kind() {
	case reflect.Struct:
		out := map[string]any{}
		members := reflect.VisibleFields(v.Type())
		for _, f := range members {
			switch {
			case !f.IsExported() || f.Anonymous:
			case secret(v.Type(), f.Name):
				out[snake(f.Name)] = masked
			default:
				out[snake(f.Name)] = plain(v.FieldByIndex(f.Index))
			}
		}
		return out
	case reflect.Map:
		out := map[string]any{}
		for _, key := range v.MapKeys() {
			out[keyText(key)] = plain(v.MapIndex(key))
		}
		return out
	case reflect.Slice, reflect.Array:
		out := []any{}
		for i := range v.Len() {
			out = append(out, plain(v.Index(i)))
		}
		return out
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return nil
		}
		return plain(v.Elem())
	}
	return v.Interface()
}

// secret reports whether a member opens something.
func secret(of reflect.Type, name string) bool {
	switch name {
	case "Secret", "Authentication":
		return true
	}
	return name == "Token" && of == reflect.TypeFor[world.Install]()
}

// snake writes a name of Go as one of JSON: ContactEmail is contact_email, RatesURL is rates_url.
func snake(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, r := range runes {
		if i > 0 && unicode.IsUpper(r) && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
