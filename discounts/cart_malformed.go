package discounts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// A cart that is not in the form of its types is read again, member by member. Values in another form with a clear
// meaning are accepted, and the other members are named in the error.

// readMembers reads a cart whose members may have other forms than their types.
func readMembers(body []byte) (*Cart, error) {
	var top map[string]json.RawMessage
	if err := wire.UnmarshalStrict(body, &top); err != nil {
		refusal := wire.Refusal(err, "a cart")
		if fault := wire.Fault(err); fault != "" {
			return nil, fmt.Errorf("%w: %s", refusal, fault)
		}
		return nil, fmt.Errorf("%w: %s: must be an object", refusal, wire.FormOf(trim(body)))
	}
	if top == nil {
		return nil, errors.New("not the strict JSON of a cart: null: must be an object")
	}
	c := new(Cart)
	var m misread
	m.object("", body, reflect.ValueOf(c).Elem())
	c.inspect(&m.flaws, m.named)
	return c, m.flaws.err()
}

// flaws describe the invalid members of a cart, each with its path, the form of its value, and the rule.
type flaws []string

const (
	mostFlaws    = 20  // maximum number of flaws
	mostFlawText = 280 // maximum number of bytes of the error
)

// add records a flaw. Form describes the value without quoting it, because it may be personal data.
func (f *flaws) add(path, form, rule string) {
	if len(*f) < mostFlaws {
		*f = append(*f, fmt.Sprintf("%s: %s: must be %s", callback.Printable(path, callback.MostShown), form, rule))
	}
}

// err returns the flaws as one error of bounded length, or nil.
func (f flaws) err() error {
	if len(f) == 0 {
		return nil
	}
	shown, size := 1, len(f[0])
	for shown < len(f) && size+len(f[shown]) < mostFlawText {
		size += len(f[shown]) + len("; ")
		shown++
	}
	text := strings.Join(f[:shown], "; ")
	if more := len(f) - shown; more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return errors.New(text)
}

// misread records the members of a cart that could not be read.
type misread struct {
	flaws flaws
	named map[string]bool // their paths
}

func (m *misread) note(path string, raw []byte, to reflect.Type) {
	if m.named == nil {
		m.named = map[string]bool{}
	}
	m.named[path] = true
	m.flaws.add(path, wire.FormOf(raw), ruleOf(to))
}

// optional reports whether a cart is accepted although this member cannot be read, because discounts usually do not
// depend on it. The value is stored in Extra.
func optional(path string) bool {
	switch _, member, ofLine := strings.Cut(path, "]."); {
	case ofLine && strings.HasPrefix(path, "products["):
		switch member {
		case "compare_at_price", "free_shipping", "variant_values", "properties":
			return true
		}
		return false
	case strings.HasPrefix(path, "utm"):
		return true
	}
	switch path {
	case "language", "sold_by", "package", "package.weight", "shipping.city", "shipping.postalcode", "shipping.cost",
		"payment.credit_card_company", "payment.installments", "totals.total", "totals.total_discount":
		return true
	}
	return false
}

// object reads the members of an object into the fields of a struct.
func (m *misread) object(path string, raw []byte, to reflect.Value) {
	parts, ok := objectParts(trim(raw), nil)
	if !ok {
		m.note(path, raw, to.Type())
		return
	}
	fields := map[string]int{}
	extra := reflect.Value{}
	for i := range to.NumField() {
		name, option, _ := strings.Cut(to.Type().Field(i).Tag.Get("json"), ",")
		if fields[name] = i; option == "embed" {
			extra = to.Field(i)
		}
	}
	for _, part := range parts {
		i, known := fields[string(part.name)]
		at := string(part.name)
		if path != "" {
			at = path + "." + at
		}
		before := len(m.flaws)
		if known && at != "" {
			m.value(at, part.value, to.Field(i))
		}
		lost := len(m.flaws) > before && optional(at)
		if lost {
			m.flaws = m.flaws[:before]
			to.Field(i).SetZero()
		}
		if lost || !known {
			keep(extra.Addr().Interface().(*client.Extra), part.name, part.value)
		}
	}
}

// keep adds a member without a field.
func keep(extra *client.Extra, name, value []byte) {
	if *extra == nil {
		*extra = client.Extra{}
	}
	(*extra)[string(name)] = json.RawMessage(bytes.Clone(value))
}

// value reads a member.
func (m *misread) value(path string, raw []byte, to reflect.Value) {
	if read(raw, to) {
		return
	}
	kind := to.Type()
	to.SetZero()
	switch {
	case raw[0] == '{' && kind.Kind() == reflect.Struct && kind != reflect.TypeFor[client.Money]() && hasExtra(kind):
		m.object(path, raw, to)
	case raw[0] == '{' && kind == reflect.TypeFor[CategoryRef]():
		var c categoryRef
		m.object(path, raw, reflect.ValueOf(&c).Elem())
		to.Set(reflect.ValueOf(c.category()))
	case kind.Kind() == reflect.Slice:
		parts, ok := listParts(raw)
		if !ok {
			m.note(path, raw, kind)
			return
		}
		to.Set(reflect.MakeSlice(kind, len(parts), len(parts)))
		for i, part := range parts {
			m.value(fmt.Sprintf("%s[%d]", path, i), part, to.Index(i))
		}
	default:
		m.note(path, raw, kind)
	}
}

// listParts returns the elements of a list. PHP encodes a list as an object with indexes if elements were removed,
// and an empty list as "", false or an empty object.
func listParts(raw []byte) ([][]byte, bool) {
	if text := string(raw); text == `""` || text == "false" {
		return nil, true
	}
	members, ok := objectParts(raw, nil)
	if !ok {
		return arrayParts(raw)
	}
	all := make([][]byte, len(members))
	for i, part := range members {
		if _, err := strconv.ParseUint(string(part.name), 10, 32); err != nil {
			return nil, false
		}
		all[i] = part.value
	}
	return all, true
}

// hasExtra reports whether a type is a record with fields for its members.
func hasExtra(t reflect.Type) bool {
	f, ok := t.FieldByName("Extra")
	return ok && strings.Contains(f.Tag.Get("json"), "embed")
}

// read reads a value in any form that is accepted for its type in responses of the platform.
func read(raw []byte, to reflect.Value) bool {
	if raw[0] == 'n' {
		return true
	}
	// The tolerance is for members and items.
	list := reflect.New(reflect.SliceOf(to.Type()))
	if wire.Unmarshal([]byte("["+string(raw)+"]"), list.Interface()) != nil {
		return false
	}
	to.Set(list.Elem().Index(0))
	return true
}

func trim(raw []byte) []byte { return bytes.Trim(raw, " \t\r\n") }

// ruleOf describes the JSON from which a type is read.
func ruleOf(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[ref]():
		return "an id"
	case reflect.TypeFor[Applied]():
		return "a list of promotions"
	}
	return callback.RuleOf(t)
}
