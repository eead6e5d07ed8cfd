package payments

import (
	"encoding/json"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// body is an object of a call. It is read member by member, so that an error names all invalid members. Numbers may
// be strings and strings numbers. Null and the empty string are missing members.
type body struct {
	path    string // path of its members: "", or "amount."
	members client.Extra
	wrong   *refusals
}

// refusals are the errors of the invalid members.
type refusals []error

// Error joins the errors in one line.
func (r refusals) Error() string {
	all := make([]string, len(r))
	for i, err := range r {
		all[i] = err.Error()
	}
	return strings.Join(all, "; ")
}

// Unwrap returns all errors.
func (r refusals) Unwrap() []error { return r }

// readBody reads the members of a call.
func readBody(raw []byte) (body, error) {
	members, err := membersOf(raw)
	return body{members: members, wrong: new(refusals)}, err
}

func membersOf(raw []byte) (client.Extra, error) {
	list, err := wire.Members(raw)
	if err != nil {
		return nil, err
	}
	members := make(client.Extra, len(list))
	for _, m := range list {
		members[string(m.Name)] = m.Value
	}
	return members, nil
}

// take reads a member and removes it. The function good must accept its value, or the zero value of a missing member.
// If it is nil, all values are accepted.
func take[T any](b body, name, rule string, good func(T) bool) (v T) {
	raw := b.members[name]
	delete(b.members, name)
	v, err := valueOf[T](raw)
	if err != nil || good != nil && !good(v) {
		b.refuse(name, raw, rule)
	}
	return v
}

// object removes a member that is an object. If it is missing, the result has no members.
func (b body) object(name string) body {
	raw := b.members[name]
	delete(b.members, name)
	inner := body{path: b.path + name + ".", wrong: b.wrong}
	if isMissing(raw) {
		return inner
	}
	var err error
	if inner.members, err = membersOf(raw); err != nil {
		b.refuse(name, raw, "an object")
	}
	return inner
}

// rest returns the members that were not taken; nil if there are none.
func (b body) rest() client.Extra {
	if len(b.members) == 0 {
		return nil
	}
	return b.members
}

func (b body) refuse(name string, raw json.RawMessage, rule string) {
	const most = 100 // bytes, more than an error shows
	*b.wrong = append(*b.wrong, engine.Invalid(b.path+name, strings.Trim(string(raw[:min(len(raw), most)]), `"`), rule))
}

// err returns nil if all members were valid.
func (b body) err() error {
	if len(*b.wrong) == 0 {
		return nil
	}
	return *b.wrong
}

// valueOf reads a value; the zero value if it is missing. If T is a string, a number is also accepted.
func valueOf[T any](raw json.RawMessage) (v T, err error) {
	if isMissing(raw) {
		return v, nil
	}
	var one struct { // a member, so that reading is tolerant
		Value T `json:"v"`
	}
	err = wire.Unmarshal(append(append([]byte(`{"v":`), raw...), '}'), &one)
	if err != nil {
		return v, err
	}
	return one.Value, nil
}

func isMissing(raw json.RawMessage) bool {
	return len(raw) == 0 || string(raw) == "null" || string(raw) == `""`
}
