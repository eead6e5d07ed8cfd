package control

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"
)

// Bounds of a filter.
const (
	mostFilter   = 200   // bytes
	mostFiltered = 5_000 // records that one call looks at
)

// wordsOf are the words of a filter, in lower case.
func wordsOf(filter string) ([]string, error) {
	if len(filter) > mostFilter {
		return nil, wrong("filter", cut(filter), fmt.Sprintf("must be at most %d bytes", mostFilter))
	}
	return strings.Fields(strings.ToLower(filter)), nil
}

// between ends the text of a member. It is in no text in lower case, so no word is found across two members.
const between byte = 0xff

// texter adds the texts of a value in lower case, as plain shows them.
type texter func(b []byte, v reflect.Value) []byte

// searchedText is the key of a record and the texts of its members, in lower case. Masked members are left out.
func (t texter) searchedText(key, record reflect.Value) string {
	return string(t(addText(make([]byte, 0, 1<<10), keyText(key)), record))
}

func addText(b []byte, text string) []byte {
	if text == "" {
		return b
	}
	return append(append(b, strings.ToLower(text)...), between)
}

// contains reports whether each word is in a text.
func contains(text string, words []string) bool {
	return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) })
}

// texterOf returns the texter of a type.
func texterOf(t reflect.Type) texter {
	switch t {
	case reflect.TypeFor[time.Time]():
		return addTime
	case reflect.TypeFor[decimal.Decimal]():
		return func(b []byte, v reflect.Value) []byte {
			return addText(b, `"`+v.Interface().(decimal.Decimal).String()+`"`)
		}
	case reflect.TypeFor[time.Duration](), reflect.TypeFor[decimal.NullDecimal](), reflect.TypeFor[json.RawMessage]():
		return addJSON
	}
	switch t.Kind() {
	case reflect.String:
		return func(b []byte, v reflect.Value) []byte { return addText(b, v.String()) }
	case reflect.Int, reflect.Int64, reflect.Int32:
		return func(b []byte, v reflect.Value) []byte { return append(strconv.AppendInt(b, v.Int(), 10), between) }
	case reflect.Bool: // true is no word that anybody looks for
		return func(b []byte, _ reflect.Value) []byte { return b }
	case reflect.Interface:
		return func(b []byte, v reflect.Value) []byte {
			if v.IsNil() {
				return b
			}
			return texterOf(v.Elem().Type())(b, v.Elem())
		}
	case reflect.Pointer, reflect.Map, reflect.Slice:
		return elementsTexter(texterOf(t.Elem()))
	case reflect.Struct:
		return structTexter(t)
	}
	return addJSON
}

// addTime adds a time as stamp writes it.
func addTime(b []byte, v reflect.Value) []byte {
	at := v.Interface().(time.Time)
	if at.IsZero() {
		return b
	}
	return append(at.UTC().AppendFormat(append(b, '"'), "2006-01-02t15:04:05.999999999"), 'z', '"', between)
}

// addJSON adds what takes one value in JSON, except null.
func addJSON(b []byte, v reflect.Value) []byte {
	raw, err := encode(plain(v))
	if err != nil || string(raw) == "null" {
		return b
	}
	return addText(b, string(raw))
}

func elementsTexter(of texter) texter {
	return func(b []byte, v reflect.Value) []byte {
		switch v.Kind() {
		case reflect.Pointer:
			if !v.IsNil() {
				b = of(b, v.Elem())
			}
		case reflect.Slice:
			for i := range v.Len() {
				b = of(b, v.Index(i))
			}
		case reflect.Map:
			for each := v.MapRange(); each.Next(); {
				b = of(b, each.Value())
			}
		}
		return b
	}
}

func structTexter(t reflect.Type) texter {
	var members []texter
	var at []int
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() && !secret(t, f.Name) {
			members, at = append(members, texterOf(f.Type)), append(at, i)
		}
	}
	return func(b []byte, v reflect.Value) []byte {
		for i, member := range members {
			b = member(b, v.Field(at[i]))
		}
		return b
	}
}
