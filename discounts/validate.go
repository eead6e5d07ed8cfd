package discounts

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/engine"
)

// ErrInvalid means that an answer is not sent, because the platform might not accept it.
var ErrInvalid = errors.New("invalid answer")

// Validate returns an error if the body is not a valid answer to the cart. Own are the app's promotions in the store.
// A single invalid command causes the platform to remove all discounts from the cart. Therefore Validate may be
// stricter than the platform. It rejects members that are not in the contract, and commands whose meaning depends on
// their order. The error wraps ErrInvalid and names member, value and rule.
//
// A Handler validates its answers. Validate reads the bytes independently and shares no code with the encoder.
func Validate(cart *Cart, own []promotions.Promotion, answer []byte) error {
	j := newJudge(cart, newOwn(own, 0))
	return j.check(answer)
}

// judge holds the rules for answers to one cart. It does not change.
type judge struct {
	tier     promotions.Tier
	currency string
	own      *own
	subtotal client.Money
	lines    map[client.ID]price
	applied  map[string]map[client.ID]bool // lines by promotion
}

type price struct {
	each   client.Money
	pieces int64
}

func newJudge(c *Cart, o *own) judge {
	j := judge{c.Tier, c.Currency, o, c.Totals.Subtotal, make(map[client.ID]price, len(c.Products)), make(map[string]map[client.ID]bool, len(c.Promotions))}
	for i := range c.Products {
		j.lines[c.Products[i].ID] = price{c.Products[i].Price, int64(c.Products[i].Quantity)}
	}
	if c.Totals.Subtotal.Cmp(client.Cents(0)) <= 0 {
		j.subtotal = j.sum() // the cart has no subtotal
	}
	for i := range c.Promotions {
		p := &c.Promotions[i]
		id, _ := promotionID(string(p.ID))
		lines := j.applied[id.String()]
		if lines == nil {
			lines = make(map[client.ID]bool, len(p.LineItems))
			j.applied[id.String()] = lines
		}
		for _, line := range p.LineItems {
			lines[line] = true
		}
	}
	return j
}

// sum returns the price of the lines, or the maximum amount if that is exceeded.
func (j *judge) sum() client.Money {
	sum := client.Money{}.Decimal()
	for _, p := range j.lines {
		sum = sum.Add(p.each.Decimal().Mul(client.Cents(p.pieces * 100).Decimal()))
	}
	m, err := client.MoneyFrom(sum)
	if err != nil {
		return client.MustMoney("999999999999999.99")
	}
	return m
}

// fault describes an invalid member. Its field is the path from the enclosing member.
type fault struct{ field, value, rule string }

// in adds the path of the enclosing member.
func (f *fault) in(format string, args ...any) *fault {
	if f != nil {
		f.field = fmt.Sprintf(format, args...) + f.field
	}
	return f
}

var errNoObject = fmt.Errorf("%w: not an object of strict JSON", ErrInvalid)

// check checks an answer of unknown origin.
func (j *judge) check(answer []byte) error {
	answer = bytes.TrimSpace(answer)
	if !isJSON(answer) {
		return errNoObject
	}
	_, err := j.checkWritten(answer)
	return err
}

// checkWritten checks an answer from an encoder, which is valid JSON, from the outside in. It returns the promotions
// that are created or updated.
func (j *judge) checkWritten(answer []byte) (map[pair]bool, error) {
	top, ok := objectParts(answer, nil)
	if !ok {
		return nil, errNoObject
	}
	seen := &said{created: make(map[pair]bool, len(j.lines)), removed: map[pair]bool{}}
	if f := j.checkAll(top, seen); f != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, engine.Invalid(f.field, f.value, f.rule))
	}
	return seen.created, nil
}

func (j *judge) checkAll(top members, seen *said) *fault {
	list, f := top.array("commands")
	if f != nil {
		return f
	}
	if len(list) == 0 {
		return &fault{"commands", "[]", "at least one command: answer 204 if there is none"}
	}
	for i, raw := range list {
		if f := j.checkCommand(raw, seen).in("commands[%d]", i); f != nil {
			return f
		}
	}
	if f := seen.contradiction(); f != nil {
		return f
	}
	return top.rest()
}

func (j *judge) checkCommand(raw []byte, seen *said) *fault {
	c, ok := objectParts(raw, nil)
	if !ok {
		return &fault{"", string(raw), "an object"}
	}
	return j.checkMembers(c, seen).in(".")
}

func (j *judge) checkMembers(c members, seen *said) *fault {
	name, f := c.text("command")
	if f != nil {
		return f
	}
	specs, f := c.specs()
	if f != nil {
		return f
	}
	switch string(name) {
	case "create_or_update_discount":
		f = j.checkCreate(specs, seen)
	case "remove_discount":
		f = j.checkRemove(specs, seen)
	default:
		return &fault{"command", string(name), "create_or_update_discount or remove_discount"}
	}
	if f == nil {
		f = specs.rest()
	}
	if f != nil {
		return f.in("specs.")
	}
	return c.rest()
}

// members are the members of an object that are not checked yet.
type members []member

// specs takes the members of specs. Scope and ids may also be outside specs: the examples of the contract have them
// in specs, and its schema has them next to command.
func (m members) specs() (specs members, f *fault) {
	if m.has("specs") {
		if specs, f = m.object("specs", nil); f != nil {
			return nil, f
		}
	}
	moved := false
	for i := range m {
		switch name := string(m[i].name); name {
		case "scope", "promotion_id", "promotion_ids", "line_items":
			if specs.has(name) {
				return nil, &fault{name, string(m[i].value), "in specs or next to command, not in both"}
			}
			specs, moved = append(specs, m[i]), true
			m[i].taken = true
		}
	}
	if !moved && !m.has("specs") {
		return nil, &fault{"specs", "", "present"}
	}
	return specs, nil
}

// has reports whether there is such a member.
func (m members) has(name string) bool {
	for i := range m {
		if string(m[i].name) == name {
			return true
		}
	}
	return false
}

func (m members) take(name string) ([]byte, *fault) {
	for i := range m {
		if string(m[i].name) == name {
			m[i].taken = true
			return m[i].value, nil
		}
	}
	return nil, &fault{name, "", "present"}
}

func (m members) text(name string) ([]byte, *fault) {
	raw, f := m.take(name)
	if f != nil {
		return nil, f
	}
	s, ok := textOf(raw)
	if !ok {
		return nil, &fault{name, string(raw), "a string"}
	}
	return s, nil
}

// object takes an object, whose members are appended to all.
func (m members) object(name string, all []member) (members, *fault) {
	raw, f := m.take(name)
	if f != nil {
		return nil, f
	}
	parts, ok := objectParts(raw, all)
	if !ok {
		return nil, &fault{name, string(raw), "an object with each member once"}
	}
	return parts, nil
}

func (m members) array(name string) ([][]byte, *fault) {
	raw, f := m.take(name)
	if f != nil {
		return nil, f
	}
	parts, ok := arrayParts(raw)
	if !ok {
		return nil, &fault{name, string(raw), "an array"}
	}
	return parts, nil
}

// rest reports a member that was not checked.
func (m members) rest() *fault {
	for i := range m {
		if !m[i].taken {
			return &fault{callback.Printable(string(m[i].name), callback.MostShown), string(m[i].value), "no such member here"}
		}
	}
	return nil
}
