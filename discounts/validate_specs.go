package discounts

import (
	"fmt"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/internal/callback"
)

// checkCreate checks the specs of create_or_update_discount.
func (j *judge) checkCreate(specs members, seen *said) *fault {
	id, f := j.promotion(specs)
	if f != nil {
		return f
	}
	currency, f := specs.text("currency")
	if f != nil {
		return f
	}
	if string(currency) != j.currency {
		return &fault{"currency", string(currency), fmt.Sprintf("%s, the cart's", j.currency)}
	}
	if f := checkText(specs); f != nil {
		return f
	}
	if j.tier == promotions.TierCrossItems {
		if f := checkDiscount(specs, j.subtotal, 1); f != nil {
			return f
		}
		return seen.create("promotion_id", pair{id, 0})
	}
	lines, f := specs.array("line_items")
	if f != nil {
		return f
	}
	if len(lines) == 0 {
		return &fault{"line_items", "[]", "at least one line"}
	}
	for i, raw := range lines {
		if f := j.checkLine(raw, id, seen); f != nil {
			return f.in("line_items[%d]", i)
		}
	}
	return nil
}

// checkLine checks a line of a promotion.
func (j *judge) checkLine(raw []byte, id string, seen *said) *fault {
	var parts [4]member
	l, ok := objectParts(raw, parts[:0])
	if !ok {
		return &fault{"", string(raw), "an object"}
	}
	m := members(l)
	text, f := m.text("line_item")
	if f != nil {
		return f.in(".")
	}
	line, price, f := j.line(".line_item", string(text))
	if f != nil {
		return f
	}
	if f := checkDiscount(m, price.each, price.pieces); f != nil {
		return f.in(".")
	}
	if f := m.rest(); f != nil {
		return f.in(".")
	}
	return seen.create(".line_item", pair{id, line})
}

// checkRemove checks the specs of remove_discount.
func (j *judge) checkRemove(specs members, seen *said) *fault {
	scope, f := specs.text("scope")
	switch {
	case f != nil:
		return f
	case string(scope) == "cart":
		return j.checkRemoveCart(specs, seen)
	case string(scope) == "line_item" && j.tier == promotions.TierLineItems:
		return j.checkRemoveLines(specs, seen)
	}
	return &fault{"scope", string(scope), "cart, or line_item if that is the tier"}
}

func (j *judge) checkRemoveCart(specs members, seen *said) *fault {
	all, f := specs.texts("promotion_ids", "at least one promotion")
	if f != nil {
		return f
	}
	for i, id := range all {
		f := j.known("", id)
		switch {
		case f != nil:
		case j.applied[id] == nil:
			f = &fault{"", id, "a promotion that acts on the cart"}
		default:
			f = seen.remove(pair{id, 0})
		}
		if f != nil {
			return f.in("promotion_ids[%d]", i)
		}
	}
	return nil
}

func (j *judge) checkRemoveLines(specs members, seen *said) *fault {
	id, f := j.promotion(specs)
	if f != nil {
		return f
	}
	all, f := specs.texts("line_items", "at least one line")
	if f != nil {
		return f
	}
	for i, text := range all {
		line, _, f := j.line("", text)
		switch {
		case f != nil:
		case !j.applied[id][line]:
			f = &fault{"", text, "a line that the promotion acts on"}
		default:
			f = seen.remove(pair{id, line})
		}
		if f != nil {
			return f.in("line_items[%d]", i)
		}
	}
	return nil
}

// texts takes an array of strings that must not be empty.
func (m members) texts(name, least string) ([]string, *fault) {
	list, f := m.array(name)
	if f != nil {
		return nil, f
	}
	if len(list) == 0 {
		return nil, &fault{name, "[]", least}
	}
	all := make([]string, len(list))
	for i, raw := range list {
		s, ok := textOf(raw)
		if !ok {
			return nil, &fault{fmt.Sprintf("%s[%d]", name, i), string(raw), "a string"}
		}
		all[i] = string(s)
	}
	return all, nil
}

// promotion takes the member promotion_id.
func (j *judge) promotion(specs members) (string, *fault) {
	id, f := specs.text("promotion_id")
	if f != nil {
		return "", f
	}
	return string(id), j.known("promotion_id", string(id))
}

// known checks that the id is that of an app's promotion in this tier.
func (j *judge) known(field, text string) *fault {
	id, ok := promotionID(text)
	if !ok || id.String() != text {
		return &fault{field, text, "a UUID in lower case"}
	}
	switch p := j.own.byID[id]; {
	case p == nil:
		return &fault{field, text, "a promotion of this app in this store"}
	case p.Tier != j.tier:
		return &fault{field, text, fmt.Sprintf("a promotion of the tier %s", j.tier)}
	}
	return nil
}

// line finds a line of the cart by its id in a string.
func (j *judge) line(field, text string) (client.ID, price, *fault) {
	id, err := client.ParseID(text)
	p, ok := j.lines[id]
	if err != nil || !ok || text[0] == '0' || text[0] == '-' {
		return 0, p, &fault{field, text, "the id of a line of the cart"}
	}
	return id, p, nil
}

func checkText(specs members) *fault {
	if !specs.has("display_text") {
		return nil
	}
	all, f := specs.object("display_text", nil)
	if f != nil {
		return f
	}
	for _, t := range all {
		language, country, two := strings.Cut(string(t.name), "-")
		s, ok := textOf(t.value)
		if !ok || len(s) == 0 || !isTwoLetters(language) || two && !isTwoLetters(country) {
			return &fault{"display_text." + callback.Printable(string(t.name), callback.MostShown), string(t.value), "a text by a language id such as es-ar"}
		}
	}
	return nil
}

func isTwoLetters(s string) bool {
	return len(s) == 2 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz") == ""
}

// checkDiscount takes discount_specs for a number of pieces at a price.
func checkDiscount(m members, each client.Money, pieces int64) *fault {
	var parts [4]member
	specs, f := m.object("discount_specs", parts[:0])
	if f != nil {
		return f
	}
	if f := checkAmount(specs, each, pieces); f != nil {
		return f.in("discount_specs.")
	}
	return nil
}

func checkAmount(specs members, each client.Money, pieces int64) *fault {
	kind, f := specs.text("type")
	if f != nil {
		return f
	}
	digits, f := specs.text("amount")
	if f != nil {
		return f
	}
	text := string(digits)
	amount, err := client.ParseMoney(text)
	point := strings.IndexByte(text, '.')
	if err != nil || point < 1 || point != len(text)-3 || text[0] == '-' || text[0] == '0' && point > 1 {
		return &fault{"amount", text, "a decimal with two decimals and a point"}
	}
	switch {
	case amount.Equal(client.Cents(0)):
		return &fault{"amount", text, "above 0.00"}
	case string(kind) == "percentage" && amount.Cmp(client.Cents(100_00)) > 0:
		return &fault{"amount", text, "at most 100.00"}
	case string(kind) == "fixed" && amount.Decimal().GreaterThan(each.Decimal().Mul(client.Cents(pieces*100).Decimal())):
		return &fault{"amount", text, "at most the price of the line or the cart"}
	case string(kind) != "fixed" && string(kind) != "percentage":
		return &fault{"type", string(kind), "fixed or percentage"}
	}
	return specs.rest()
}

// said records the commands of an answer, to find contradictions.
type said struct{ created, removed map[pair]bool }

// pair is a promotion on a line. Line 0 means the whole cart.
type pair struct {
	promotion string
	line      client.ID
}

func (s *said) create(field string, p pair) *fault {
	before := len(s.created)
	if s.created[p] = true; len(s.created) == before {
		return &fault{field, p.promotion, "a promotion once on a line, because the order of commands is not guaranteed"}
	}
	return nil
}

func (s *said) remove(p pair) *fault {
	if s.removed[p] {
		return &fault{"", p.promotion, "removed only once"}
	}
	s.removed[p] = true
	return nil
}

// contradiction reports a promotion that is both created and removed.
func (s *said) contradiction() *fault {
	if len(s.removed) == 0 {
		return nil
	}
	for p := range s.created {
		if s.removed[p] || s.removed[pair{p.promotion, 0}] {
			return &fault{"commands", p.promotion, "a promotion created or removed, not both, because the order of commands is not guaranteed"}
		}
	}
	return nil
}
