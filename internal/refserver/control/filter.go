package control

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"
)

// Bounds of a filter.
const (
	mostFilter   = 200    // bytes
	mostFiltered = 12_000 // records that one call looks at
)

// wordsOf are the words of a filter, in small letters.
func wordsOf(filter string) ([]string, error) {
	if len(filter) > mostFilter {
		return nil, wrong("filter", cut(filter), fmt.Sprintf("must be at most %d bytes", mostFilter))
	}
	return strings.Fields(strings.ToLower(filter)), nil
}

// contains reports whether each word is in the key of a record or in one of its members. Masked members are not
// examined.
func contains(key, record reflect.Value, words []string) bool {
	for _, word := range words {
		if !strings.Contains(strings.ToLower(keyText(key)), word) && !within(record, word) {
			return false
		}
	}
	return true
}

// within reports whether a word is in a member of a value, as plain shows it.
func within(v reflect.Value, word string) bool {
	has := func(text string) bool { return strings.Contains(strings.ToLower(text), word) }
	switch v.Kind() {
	case reflect.String:
		return has(v.String())
	case reflect.Int, reflect.Int64, reflect.Int32:
		if v.Type() != reflect.TypeFor[time.Duration]() {
			return has(strconv.FormatInt(v.Int(), 10))
		}
	case reflect.Bool:
		return false // true is no word that anybody looks for
	case reflect.Pointer, reflect.Interface:
		return !v.IsNil() && within(v.Elem(), word)
	case reflect.Map:
		for _, key := range v.MapKeys() {
			if within(v.MapIndex(key), word) {
				return true
			}
		}
		return false
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			break
		}
		for i := range v.Len() {
			if within(v.Index(i), word) {
				return true
			}
		}
		return false
	case reflect.Struct:
		switch v.Type() {
		case reflect.TypeFor[time.Time](), reflect.TypeFor[decimal.Decimal](), reflect.TypeFor[decimal.NullDecimal]():
		default:
			for i := range v.NumField() {
				f := v.Type().Field(i)
				if f.IsExported() && !secret(v.Type(), f.Name) && within(v.Field(i), word) {
					return true
				}
			}
			return false
		}
	}
	raw, err := encode(plain(v)) // times, amounts and JSON
	return err == nil && string(raw) != "null" && has(string(raw))
}
