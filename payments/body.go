package payments

import (
	"encoding/json"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// body is an object of a call, which is read member by member, so that a refusal names all members that are wrong.
// Numbers may be strings and the reverse; null and the empty string are missing members.
type body struct {
	path    string // of its members: "", or "amount."
	members client.Extra
	wrong   *refusals
}

// refusals are the members that were refused.
type refusals []error

// Error joins them in one line.
func (r refusals) Error() string {
	all := make([]string, len(r))
	for i, err := range r {
		all[i] = err.Error()
	}
	return strings.Join(all, "; ")
}

// Unwrap returns them all.
func (r refusals) Unwrap() []error { return r }

// readBody finds the members of a call.
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

// take reads a member and removes it. The value has to be good, also the zero value of a missing member; nil accepts
// all.
func take[T any](b body, name, rule string, good func(T) bool) (v T) {
	raw := b.members[name]
	delete(b.members, name)
	v, err := valueOf[T](raw)
	if err != nil || good != nil && !good(v) {
		b.refuse(name, raw, rule)
	}
	return v
}

// object removes a member that is an object, and returns it without members if it is missing.
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

// rest returns the members that were not taken, nil if there are none.
func (b body) rest() client.Extra {
	if len(b.members) == 0 {
		return nil
	}
	return b.members
}

func (b body) refuse(name string, raw json.RawMessage, rule string) {
	const most = 100 // bytes, more than are shown
	*b.wrong = append(*b.wrong, engine.Invalid(b.path+name, strings.Trim(string(raw[:min(len(raw), most)]), `"`), rule))
}

// err is nil if no member was refused.
func (b body) err() error {
	if len(*b.wrong) == 0 {
		return nil
	}
	return *b.wrong
}

// valueOf reads a value, the zero value if it is missing. A T that is a string is also read from a number.
func valueOf[T any](raw json.RawMessage) (v T, err error) {
	if isMissing(raw) {
		return v, nil
	}
	var one struct { // as a member, so that it is read with all tolerance
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
