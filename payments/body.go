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

// decode reads a verified call. It reports the members that are ignored.
func (s *runs) decode(in *received, r *http.Request, raw []byte) error {
	ignored, err := s.kind.decode(in, raw, r.URL.Query())
	if ignored != nil && err == nil {
		s.server.Fail(r.Context(), in, callback.Failed{Err: ignored})
	}
	return err
}

// decode returns an error that names the members that are ignored, or nil, and the reason why a call is malformed.
func (k kind) decode(in *received, raw []byte, query url.Values) (ignored, err error) {
	in.kind, in.once = k.call, !k.repeatable && !k.open
	b, err := readBody(raw)
	in.about = k.about(b, query)
	if k.read == nil {
		in.act, err = k.ask(query)
		return nil, err
	}
	if err != nil {
		return nil, err
	}
	in.act = k.read(b)
	return b.ignored(), b.err()
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
	raw     []byte // of a call
	path    string // path of its members: "", or "amount."
	members client.Extra
	flaws   *flaws
}

// flaws describe the members that could not be read.
type flaws struct {
	wrong  []string // members that the function requires
	unread []string // members that are missing for the function, because no money depends on them
}

// readBody reads the members of a call.
func readBody(raw []byte) (body, error) {
	members, err := membersOf(raw)
	if err != nil {
		_ = wire.Unmarshal(raw, &members) // those before the fault, for About
		err = fmt.Errorf("%w: %s", wire.Refusal(err, "a call"), cmp.Or(wire.Fault(err), "must be an object"))
	}
	return body{raw: raw, members: members, flaws: new(flaws)}, err
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
		b.note(&b.flaws.wrong, name, raw, rule)
	}
	delete(b.members, name)
	return v
}

// spare reads a member and removes it. A member in another form is missing for the function.
func spare[T any](b body, name, rule string) T {
	raw := b.members[name]
	v, err := valueOf[T](raw)
	if err != nil {
		b.note(&b.flaws.unread, name, raw, rule)
	}
	delete(b.members, name)
	return v
}

// object removes a member that is an object. If it is missing or in another form, which is noted in a list of flaws,
// the result has no members.
func (b body) object(name string, to *[]string) body {
	raw := b.members[name]
	delete(b.members, name)
	inner := body{path: b.path + name + ".", flaws: b.flaws}
	if isMissing(raw) {
		return inner
	}
	var err error
	if inner.members, err = membersOf(raw); err != nil {
		b.note(to, name, raw, "an object")
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

func (b body) note(to *[]string, name string, raw json.RawMessage, rule string) {
	*to = append(*to, callback.Misfit(b.path+name, raw, rule))
}

// err names the members that are wrong. It is nil if there are none.
func (b body) err() error {
	if len(b.flaws.wrong) == 0 {
		return nil
	}
	return errors.New(strings.Join(b.flaws.wrong, "; "))
}

// ignored names the members that were not read. It is nil if there are none.
func (b body) ignored() error {
	return callback.Ignored("members that no money depends on", b.flaws.unread)
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
