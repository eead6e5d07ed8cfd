package deviate_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/deviate"
)

// total is the number of records of a list. It may be unknown, which is -1, where the response hides it.
type total int

// changed are records that a query for changes must return. It may return others, too.
type changed []client.ID

// sentinels are the conditions that callers branch on.
var sentinels = []error{
	client.ErrNotFound, client.ErrUnauthorized, client.ErrForbidden, client.ErrPaymentRequired, client.ErrValidation, client.ErrRateLimited, client.ErrServer,
	client.ErrOutcomeUnknown, client.ErrNoAnswer, client.ErrCircuitOpen, client.ErrNotInVersion, client.ErrUnreadableItem,
}

// differentErrors returns how two errors differ, or "".
func differentErrors(plain, got error) string {
	if (plain == nil) != (got == nil) {
		return fmt.Sprintf("error\n\t got %v\n\twant %v", got, plain)
	}
	if plain == nil {
		return ""
	}
	for _, s := range sentinels {
		if errors.Is(plain, s) != errors.Is(got, s) {
			return fmt.Sprintf("errors.Is %q is %v, want %v\n\t got %v\n\twant %v", s, errors.Is(got, s), errors.Is(plain, s), got, plain)
		}
	}
	p, ok := errors.AsType[*client.Error](plain)
	g, same := errors.AsType[*client.Error](got)
	if ok != same {
		return fmt.Sprintf("error is a %T, want a %T\n\t got %v\n\twant %v", got, plain, got, plain)
	}
	if ok {
		a, b := public(p), public(g)
		if found := difference(a, b, false); found != "" {
			return "error: " + found
		}
	}
	if plain.Error() != got.Error() {
		return fmt.Sprintf("text of the error\n\t got %v\n\twant %v", got, plain)
	}
	return ""
}

// failure is what a program may read of a *client.Error. The body is the response as it came.
type failure struct {
	Method, Route, Code, Message, Description, RequestID string
	Status, Attempts                                     int
	Fields                                               map[string][]string
	RetryAfter                                           time.Duration
}

func public(e *client.Error) failure {
	return failure{e.Method, e.Route, e.Code, e.Message, e.Description, e.RequestID, e.Status, e.Attempts, e.Fields, e.RetryAfter}
}

// difference returns the path of the first difference with both values, or "". Times are equal if they are the same
// instant, amounts if they are the same amount, and raw JSON if it has the same meaning.
func difference(plain, got any, hidden bool) string {
	c := comparison{hidden: hidden}
	c.values("", reflect.ValueOf(plain), reflect.ValueOf(got))
	return c.found
}

type comparison struct {
	hidden bool // the number of records may be unknown
	found  string
}

func (c *comparison) differ(path string, plain, got any) {
	if c.found == "" {
		c.found = fmt.Sprintf("%s\n\t got %s\n\twant %s", strings.TrimPrefix(path, "."), shown(got), shown(plain))
	}
}

func shown(v any) string {
	if r, ok := v.(reflect.Value); ok {
		if !r.IsValid() {
			return "nothing"
		}
		if r.Kind() == reflect.Pointer && r.IsNil() {
			return "nil"
		}
		if r.Kind() == reflect.Pointer {
			r = r.Elem()
		}
		v = r
	}
	s := fmt.Sprintf("%+v", v)
	if len(s) > 300 {
		s = s[:300] + "…"
	}
	return s
}

func (c *comparison) values(path string, plain, got reflect.Value) {
	if c.found != "" {
		return
	}
	if plain.IsValid() != got.IsValid() || plain.IsValid() && plain.Type() != got.Type() {
		c.differ(path, plain, got)
		return
	}
	if !plain.IsValid() {
		return
	}
	if plain.CanInterface() {
		if c.special(path, plain, got) {
			return
		}
	}
	switch plain.Kind() {
	case reflect.Pointer, reflect.Interface:
		if plain.IsNil() || got.IsNil() {
			if plain.IsNil() != got.IsNil() {
				c.differ(path, plain, got)
			}
			return
		}
		c.values(path, plain.Elem(), got.Elem())
	case reflect.Struct:
		for i := range plain.NumField() {
			c.values(path+"."+plain.Type().Field(i).Name, plain.Field(i), got.Field(i))
		}
	case reflect.Slice, reflect.Array:
		for i := range min(plain.Len(), got.Len()) {
			c.values(fmt.Sprintf("%s[%d]", path, i), plain.Index(i), got.Index(i))
		}
		if plain.Len() != got.Len() {
			c.differ(path+" has another length", plain.Len(), got.Len())
		}
	case reflect.Map:
		names := append(plain.MapKeys(), got.MapKeys()...)
		slices.SortFunc(names, func(a, b reflect.Value) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		for _, name := range names {
			if strings.HasPrefix(name.String(), deviate.Unknown) {
				continue
			}
			c.values(fmt.Sprintf("%s[%v]", path, name), plain.MapIndex(name), got.MapIndex(name))
		}
	case reflect.String:
		if plain.String() != got.String() {
			c.differ(path, fmt.Sprintf("%q", plain.String()), fmt.Sprintf("%q", got.String()))
		}
	default:
		if !plain.Equal(got) {
			c.differ(path, plain, got)
		}
	}
}

// special compares types that have a meaning of their own, and reports whether it did.
func (c *comparison) special(path string, plain, got reflect.Value) bool {
	same := true
	switch p := plain.Interface().(type) {
	case total:
		g := got.Interface().(total)
		same = p == g || c.hidden && g == -1
	case changed:
		for _, id := range p {
			same = same && slices.Contains(got.Interface().(changed), id)
		}
	case json.RawMessage:
		same = canonical(p) == canonical(got.Interface().(json.RawMessage))
	case time.Time:
		same = p.Equal(got.Interface().(time.Time))
	case client.Money:
		same = p.Equal(got.Interface().(client.Money))
	default:
		return false
	}
	if !same {
		c.differ(path, plain, got)
	}
	return true
}

// canonical returns JSON in one of its forms: the last of duplicate members counts, and an empty array is an empty
// object.
func canonical(raw json.RawMessage) string {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return string(raw)
	}
	out, err := json.Marshal(known(v))
	if err != nil {
		return string(raw)
	}
	return string(out)
}

// known drops members that no documentation has.
func known(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			if strings.HasPrefix(name, deviate.Unknown) {
				delete(v, name)
				continue
			}
			v[name] = known(member)
		}
	case []any:
		if len(v) == 0 {
			return map[string]any{}
		}
		for i := range v {
			v[i] = known(v[i])
		}
	}
	return v
}
