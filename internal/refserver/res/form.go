package res

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/scalar"
)

// form reads an object member by member, for bodies whose refusals name dotted paths:
// what is wrong is collected under its dotted path. A member that is absent leaves what is there.
type form struct {
	path    string
	members map[string]json.RawMessage
	wrong   problems
	// unread are the members that nothing has read.
	unread *[]string
}

// Texts about members. The first two are the platform's; the others are assumed, in
// its way of putting things.
const (
	notEmpty   = "should not be empty"
	beString   = "must be a string"
	beNumber   = "must be a number"
	beBool     = "must be a boolean value"
	beObject   = "must be an object"
	beArray    = "must be an array"
	beTime     = "must be a valid ISO 8601 date string"
	beLocation = "must be an existing location"
	isInvalid  = "Validation error"
)

// readForm reads a body; an empty one has no members.
func readForm(raw []byte) (form, error) {
	f := emptyForm()
	if len(bytes.TrimSpace(raw)) == 0 {
		return f, nil
	}
	if err := json.Unmarshal(raw, &f.members); err != nil || f.members == nil {
		return f, api.Malformed()
	}
	return f, nil
}

func emptyForm() form {
	return form{members: map[string]json.RawMessage{}, wrong: problems{}, unread: new([]string)}
}

// done notes what nothing has read and gives the refusal, if something is wrong.
func (f form) done(in *api.In) error {
	f.end(in)
	if len(f.wrong) == 0 {
		return nil
	}
	return api.DescribedAll(http.StatusBadRequest, isInvalid, f.wrong)
}

// refused is done for a body whose refusals have the common shape.
func (f form) refused(in *api.In) error { return f.refusedBy(in, http.StatusUnprocessableEntity) }

// refusedBy is refused for a resource that has another status for it.
func (f form) refusedBy(in *api.In, status int) error {
	f.end(in)
	return f.wrong.errBy(status)
}

// end notes what nothing has read.
func (f form) end(in *api.In) {
	f.leave()
	in.MarkUnread(*f.unread...)
}

// leave is the end of reading an object.
func (f form) leave() {
	for _, name := range slices.Sorted(maps.Keys(f.members)) {
		*f.unread = append(*f.unread, f.at(name))
	}
}

func (f form) at(name string) string {
	if f.path == "" {
		return name
	}
	return f.path + "." + name
}

// take removes a member, so that what is left has not been read.
func (f form) take(name string) (raw json.RawMessage, ok bool) {
	raw, ok = f.members[name]
	delete(f.members, name)
	return raw, ok
}

// ignore is for members of an answer that may be sent back and change nothing.
func (f form) ignore(names ...string) {
	for _, name := range names {
		delete(f.members, name)
	}
}

func (f form) has(name string) bool {
	_, ok := f.members[name]
	return ok
}

func isNull(raw json.RawMessage) bool { return bytes.Equal(bytes.TrimSpace(raw), []byte("null")) }

// value reads a member of the type into to; null is the zero value.
func value[T any](f form, name, message string, to *T) bool {
	raw, ok := f.take(name)
	if !ok {
		return false
	}
	*f.unread = append(*f.unread, api.Unread(reflect.TypeFor[T](), raw, f.at(name))...)
	var v T
	if !isNull(raw) && json.Unmarshal(raw, &v) != nil {
		f.wrong.add(f.at(name), "%s", message)
		return false
	}
	*to = v
	return true
}

func (f form) text(name string, to *string) { value(f, name, beString, to) }

func (f form) bool(name string, to *bool) { value(f, name, beBool, to) }

// flag is bool for a member of which null says nothing.
func (f form) flag(name string, to *bool) {
	if isNull(f.members[name]) {
		f.ignore(name)
	}
	f.bool(name, to)
}

// require refuses members that are null or no text and, if all have to be there,
// those that are absent.
func (f form) require(all bool, names ...string) {
	for _, name := range names {
		if all || f.has(name) {
			f.required(name, func() {})
		}
	}
}

// required reads a member that may be neither absent, null nor empty.
func (f form) required(name string, read func()) {
	raw, ok := f.members[name]
	if !ok || isNull(raw) || string(raw) == `""` {
		f.wrong.add(f.at(name), notEmpty)
		f.ignore(name)
		return
	}
	read()
}

// need is text for a member that may be neither absent nor empty.
func (f form) need(name string, to *string) {
	raw, ok := f.members[name]
	var s string
	isText := ok && !isNull(raw) && json.Unmarshal(raw, &s) == nil
	if !ok || isNull(raw) || isText && s == "" {
		f.wrong.add(f.at(name), notEmpty)
	}
	if !isText {
		f.wrong.add(f.at(name), beString)
	}
	if isText && s != "" {
		*to = s
	}
	f.ignore(name)
}

// number reads an amount, written as a number or as a string. One that is equal to what
// is there leaves it, however it is written.
func (f form) number(name string, to *decimal.Decimal) {
	var s scalar.Value
	if !value(f, name, beNumber, &s) {
		return
	}
	d, ok := s.Decimal()
	if !ok && s.Text != "" {
		f.wrong.add(f.at(name), beNumber)
		return
	}
	if !d.Equal(*to) {
		*to = d
	}
}

// rate reads a decimal number, which may be written as a number or as a string.
func (f form) rate(name string) decimal.Decimal {
	var s scalar.Value
	value(f, name, beRate, &s)
	d, ok := s.Decimal()
	if !ok || d.IsNegative() {
		f.wrong.add(f.at(name), beRate)
	}
	return d
}

// integer reads a number that is not below the least.
func (f form) integer(name string, least int64, message string) int64 {
	var n json.Number
	value(f, name, message, &n)
	i, err := strconv.ParseInt(n.String(), 10, 64)
	if err != nil || i < least {
		f.wrong.add(f.at(name), "%s", message)
	}
	return i
}

// time reads a time and reports whether there is one; null is none.
func (f form) time(name string, to *time.Time) bool {
	var s string
	if !value(f, name, beTime, &s) {
		return false
	}
	t, ok := isoTime(s)
	if !ok && s != "" {
		f.wrong.add(f.at(name), beTime)
		return false
	}
	*to = t
	return ok
}

// address reads a URL; an empty one is none.
func (f form) address(name string, to *string) {
	f.text(name, to)
	if *to != "" && !secure(*to) {
		f.wrong.add(f.at(name), beHTTPS)
	}
}

// public reads a partner's address; an empty one is none.
func (f form) public(in *api.In, name string, to *string) {
	if value(f, name, beString, to) && *to != "" && in.CheckURL(*to) != nil {
		f.wrong.add(f.at(name), beAddress)
	}
}

// choice reads a text that is one of the allowed.
func (f form) choice(name, message string, allowed []string, to *string) {
	f.text(name, to)
	if !slices.Contains(allowed, *to) {
		f.wrong.add(f.at(name), "%s", message)
	}
}

// object reads a member that is an object; null counts as one without members.
func (f form) object(name string, read func(form)) {
	raw, ok := f.take(name)
	if !ok {
		return
	}
	f.inside(name, raw, read)
}

func (f form) inside(name string, raw json.RawMessage, read func(form)) {
	inner := form{path: f.at(name), members: map[string]json.RawMessage{}, wrong: f.wrong, unread: f.unread}
	if json.Unmarshal(raw, &inner.members) != nil {
		f.wrong.add(f.at(name), beObject)
		return
	}
	read(inner)
	inner.leave()
}

// array reads a member that is an array of objects and has from 1 to most of them.
func (f form) array(name string, most int, read func(form)) {
	raw := f.members[name]
	f.ignore(name)
	f.elements(name, raw, most, read)
}

func (f form) elements(name string, raw json.RawMessage, most int, read func(form)) {
	var list []json.RawMessage
	switch {
	case len(raw) == 0 || isNull(raw):
		f.wrong.add(f.at(name), notEmpty)
	case json.Unmarshal(raw, &list) != nil:
		f.wrong.add(f.at(name), beArray)
	case len(list) == 0:
		f.wrong.add(f.at(name), notEmpty)
	case len(list) > most:
		f.wrong.add(f.at(name), "must contain no more than %d elements", most)
	default:
		for i, element := range list {
			form{path: f.at(name), wrong: f.wrong, unread: f.unread}.inside(strconv.Itoa(i), element, read)
		}
	}
}

// list reads a member that is an array of objects. What is there is emptied first;
// null is an empty list.
func (f form) list(name string, empty func(), read func(form)) {
	raw, ok := f.take(name)
	if !ok {
		return
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		f.wrong.add(f.at(name), beArray)
		return
	}
	empty()
	for i, element := range list {
		form{path: f.at(name), wrong: f.wrong, unread: f.unread}.inside(strconv.Itoa(i), element, read)
	}
}

func (f form) texts(name string, to *[]string) { value(f, name, beTexts, to) }

// choices reads a list of texts of which each is one of the allowed.
func (f form) choices(name, message string, allowed []string, to *[]string) {
	f.texts(name, to)
	for _, s := range *to {
		if !slices.Contains(allowed, s) {
			f.wrong.add(f.at(name), "%s", message)
		}
	}
}

// isoTime reads a date, or a date and a time to the minute or the second behind T
// or a space, with the offset Z, +hh:mm, +hhmm or none, which is UTC.
func isoTime(s string) (time.Time, bool) {
	for _, clock := range []string{"", "T15:04", "T15:04:05", " 15:04", " 15:04:05"} {
		for _, zone := range []string{"", "Z07:00", "-0700"} {
			if clock == "" && zone != "" {
				continue
			}
			if t, err := time.Parse("2006-01-02"+clock+zone, s); err == nil {
				return t.UTC(), true
			}
		}
	}
	return time.Time{}, false
}
