package payments

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// decode reads a verified call. The error is the reason why it is malformed.
func (s *runs) decode(in *received, r *http.Request, raw []byte) error {
	return s.kind.decode(in, raw, r.URL.Query())
}

func (k kind) decode(in *received, raw []byte, query url.Values) error {
	in.kind, in.once = k.call, !k.repeatable && !k.open
	b, err := readBody(raw)
	in.about = k.about(b, query)
	if k.read == nil {
		in.act, err = k.ask(query)
		return err
	}
	if err != nil {
		return err
	}
	in.act = k.read(b)
	return b.err()
}

// about returns the ids in a call. The ids of a call without a body that is read are in its URL.
func (k kind) about(b body, query url.Values) About {
	var inBody, inURL About
	inBody.StoreID, _ = valueOf[client.ID](b.members["store_id"])
	inBody.OrderID, _ = valueOf[client.ID](b.members["order_id"])
	inBody.PaymentAttemptID, _ = valueOf[client.Code](b.members["payment_attempt_id"])
	inBody.TransactionID, _ = valueOf[uuid.UUID](b.members["transaction_id"])
	inBody.ClientID, _ = valueOf[string](b.members["client_id"])
	inURL.StoreID, _ = client.ParseID(query.Get("store_id"))
	inURL.OrderID, _ = client.ParseID(query.Get("order_id"))
	inURL.PaymentAttemptID = client.Code(query.Get("payment_attempt_id"))
	inURL.TransactionID, _ = uuid.Parse(query.Get("transaction_id"))
	if k.read == nil {
		return inURL.or(inBody)
	}
	return inBody.or(inURL)
}

// body is an object of a call. It is read member by member, so that an error names all invalid members. It quotes no
// value, because a value may be a secret. Numbers may be strings and strings numbers. Null and the empty string are
// missing members.
type body struct {
	path    string // path of its members: "", or "amount."
	members client.Extra
	wrong   *[]string // members that could not be read
}

// readBody reads the members of a call.
func readBody(raw []byte) (body, error) {
	members, err := membersOf(raw)
	if err != nil {
		_ = wire.Unmarshal(raw, &members) // those before the fault, for About
		err = fmt.Errorf("%w: %s", wire.Refusal(err, "a call"), cmp.Or(wire.Fault(err), "must be an object"))
	}
	return body{members: members, wrong: new([]string)}, err
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
func take[T any](b body, name, rule string, good func(T) bool) T {
	raw := b.members[name]
	v, err := valueOf[T](raw)
	if err != nil || !good(v) {
		b.note(name, raw, rule)
	}
	delete(b.members, name)
	return v
}

// object removes a member that is an object. If it is missing or in another form, the result has no members.
func (b body) object(name string) body {
	raw := b.members[name]
	delete(b.members, name)
	inner := body{path: b.path + name + ".", wrong: b.wrong}
	if isMissing(raw) {
		return inner
	}
	var err error
	if inner.members, err = membersOf(raw); err != nil {
		b.note(name, raw, "an object")
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

func (b body) note(name string, raw json.RawMessage, rule string) {
	*b.wrong = append(*b.wrong, callback.Misfit(b.path+name, raw, rule))
}

// err names the members that are wrong. It is nil if there are none.
func (b body) err() error {
	if len(*b.wrong) == 0 {
		return nil
	}
	return errors.New(strings.Join(*b.wrong, "; "))
}

var errForm = errors.New("must be a string or a number")

// valueOf reads a string or a number; the zero value if it is missing. If T is a string, a number is also accepted.
func valueOf[T any](raw json.RawMessage) (v T, err error) {
	if isMissing(raw) {
		return v, nil
	}
	if strings.IndexByte(`"-0123456789`, raw[0]) < 0 {
		return v, errForm
	}
	var one struct { // a member, so that reading is tolerant
		Value T `json:"v"`
	}
	if err = wire.Unmarshal(append(append([]byte(`{"v":`), raw...), '}'), &one); err != nil {
		return v, err
	}
	return one.Value, nil
}

func isMissing(raw json.RawMessage) bool {
	return len(raw) == 0 || string(raw) == "null" || string(raw) == `""`
}

// Conditions of members.

func some(s string) bool         { return s != "" }
func anything[T any](T) bool     { return true }
func positive(id client.ID) bool { return id > 0 }

// orMissing accepts also the value of a missing member.
func orMissing[T comparable](good func(T) bool) func(T) bool {
	return func(v T) bool { return v == *new(T) || good(v) }
}
