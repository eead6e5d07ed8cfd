package discounts

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// ErrInvalid: an answer is not one that the platform is sure to accept.
var ErrInvalid = errors.New("invalid answer")

// Validate reports what is wrong with the body of an answer to the cart, or nil. Own are
// the app's promotions in the store. A single invalid command makes the platform remove
// all discounts from the cart, so this is stricter than the platform may be: it refuses what is
// not in the contract, and what has no meaning because the order of commands is not
// guaranteed. The error wraps ErrInvalid and names member, value and rule.
//
// A Handler validates what it sends. It reads the bytes as a stranger would and shares
// nothing with what wrote them.
func Validate(cart *Cart, own []Promotion, answer []byte) error {
	return newJudge(cart, newOwn(own, 0)).check(answer)
}

// judge knows what may be said of one cart. It does not change.
type judge struct {
	tier     Tier
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

func newJudge(c *Cart, o *own) *judge {
	j := &judge{c.Tier, c.Currency, o, c.Totals.Subtotal, make(map[client.ID]price, len(c.Products)), nil}
	sum := client.Money{}.Decimal()
	for i := range c.Products {
		l := &c.Products[i]
		j.lines[l.ID] = price{l.Price, int64(l.Quantity)}
		if c.Totals.Subtotal.Cmp(client.Money{}) <= 0 {
			sum = sum.Add(l.Price.Decimal().Mul(client.Cents(int64(l.Quantity) * 100).Decimal()))
		}
	}
	if sum.IsPositive() { // the cart came without a subtotal
		j.subtotal = upTo(client.MoneyFrom(sum))
	}
	if len(c.Promotions) == 0 {
		return j
	}
	j.applied = make(map[string]map[client.ID]bool, len(c.Promotions))
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

// upTo is a sum, or the greatest amount there is if the sum is more.
func upTo(m client.Money, err error) client.Money {
	if err != nil {
		return client.MustMoney("999999999999999.99")
	}
	return m
}

// members are those of an object, taken out one after another.
type members map[string]json.RawMessage

// check reads the answer from the outside in.
func (j *judge) check(answer []byte) error {
	var top members
	if err := wire.UnmarshalStrict(answer, &top); err != nil || top == nil {
		return fmt.Errorf("%w: not an object of strict JSON", ErrInvalid)
	}
	if err := j.checkAll(top); err != nil {
		return fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return nil
}

func (j *judge) checkAll(top members) error {
	var list []members
	if err := top.take("commands", "", &list); err != nil {
		return err
	}
	if len(list) == 0 {
		return invalid("commands", "[]", "a command at least: 204 says that there is none")
	}
	seen := &said{created: map[pair]bool{}, removed: map[pair]bool{}}
	for i, c := range list {
		at := fmt.Sprintf("commands[%d].", i)
		if err := j.checkCommand(at, c, seen); err != nil {
			return err
		}
	}
	if err := seen.contradiction(); err != nil {
		return err
	}
	return top.none("")
}

func (j *judge) checkCommand(at string, c members, seen *said) error {
	var name string
	var specs members
	if err := c.take("command", at, &name); err != nil {
		return err
	}
	if err := c.take("specs", at, &specs); err != nil {
		return err
	}
	if err := c.none(at); err != nil {
		return err
	}
	var err error
	switch name {
	case "create_or_update_discount":
		err = j.checkCreate(at+"specs.", specs, seen)
	case "remove_discount":
		err = j.checkRemove(at+"specs.", specs, seen)
	default:
		err = invalid(at+"command", name, "create_or_update_discount or remove_discount")
	}
	if err != nil {
		return err
	}
	return specs.none(at + "specs.")
}

// take reads the member into v and takes it out. It must be there and not be null.
func (m members) take(name, at string, v any) error {
	raw, ok := m[name]
	if !ok {
		return invalid(at+name, "", "it to be there")
	}
	delete(m, name)
	if string(raw) == "null" {
		return invalid(at+name, "null", "a value")
	}
	if err := wire.Unmarshal(raw, v); err != nil {
		return invalid(at+name, string(raw), kindOf(v))
	}
	return nil
}

// none reports a member that was not taken out.
func (m members) none(at string) error {
	for name, raw := range m {
		return invalid(at+name, string(raw), "no such member here")
	}
	return nil
}

func kindOf(v any) string {
	switch v.(type) {
	case *string:
		return "a string"
	case *members, *map[string]string:
		return "an object"
	}
	return "an array of the contract's elements"
}
