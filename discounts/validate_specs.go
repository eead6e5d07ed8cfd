package discounts

import (
	"fmt"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
)

// checkCreate checks the specs of create_or_update_discount.
func (j *judge) checkCreate(at string, specs members, seen *said) error {
	id, err := j.promotion(at, specs)
	if err != nil {
		return err
	}
	var currency string
	if err := specs.take("currency", at, &currency); err != nil {
		return err
	}
	if currency != j.currency {
		return invalid(at+"currency", currency, fmt.Sprintf("%s, the cart's", j.currency))
	}
	if err := checkText(at, specs); err != nil {
		return err
	}
	if j.tier == CrossItems {
		var discount members
		if err := specs.take("discount_specs", at, &discount); err != nil {
			return err
		}
		if err := checkDiscount(at+"discount_specs.", discount, j.subtotal, 1); err != nil {
			return err
		}
		return seen.create(at, pair{id, 0})
	}
	return j.checkLines(at, specs, id, seen)
}

// checkLines checks the lines that a promotion is put on.
func (j *judge) checkLines(at string, specs members, id string, seen *said) error {
	var lines []members
	if err := specs.take("line_items", at, &lines); err != nil {
		return err
	}
	if len(lines) == 0 {
		return invalid(at+"line_items", "[]", "a line at least")
	}
	for i, l := range lines {
		here := fmt.Sprintf("%sline_items[%d].", at, i)
		var text string
		if err := l.take("line_item", here, &text); err != nil {
			return err
		}
		line, price, err := j.line(here+"line_item", text)
		if err != nil {
			return err
		}
		var discount members
		if err := l.take("discount_specs", here, &discount); err != nil {
			return err
		}
		if err := checkDiscount(here+"discount_specs.", discount, price.each, price.pieces); err != nil {
			return err
		}
		if err := l.none(here); err != nil {
			return err
		}
		if err := seen.create(here, pair{id, line}); err != nil {
			return err
		}
	}
	return nil
}

// checkRemove checks the specs of remove_discount.
func (j *judge) checkRemove(at string, specs members, seen *said) error {
	var scope string
	if err := specs.take("scope", at, &scope); err != nil {
		return err
	}
	switch {
	case scope == "cart":
		return j.checkRemoveCart(at, specs, seen)
	case scope == "line_item" && j.tier == LineItems:
		return j.checkRemoveLines(at, specs, seen)
	}
	return invalid(at+"scope", scope, "cart, or line_item if that is the tier")
}

func (j *judge) checkRemoveCart(at string, specs members, seen *said) error {
	var all []string
	if err := specs.take("promotion_ids", at, &all); err != nil {
		return err
	}
	if len(all) == 0 {
		return invalid(at+"promotion_ids", "[]", "a promotion at least")
	}
	for i, id := range all {
		here := fmt.Sprintf("%spromotion_ids[%d]", at, i)
		if err := j.known(here, id); err != nil {
			return err
		}
		if j.applied[id] == nil {
			return invalid(here, id, "a promotion that acts on the cart")
		}
		if err := seen.remove(here, pair{id, 0}); err != nil {
			return err
		}
	}
	return nil
}

func (j *judge) checkRemoveLines(at string, specs members, seen *said) error {
	id, err := j.promotion(at, specs)
	if err != nil {
		return err
	}
	var all []string
	if err := specs.take("line_items", at, &all); err != nil {
		return err
	}
	if len(all) == 0 {
		return invalid(at+"line_items", "[]", "a line at least")
	}
	for i, text := range all {
		here := fmt.Sprintf("%sline_items[%d]", at, i)
		line, _, err := j.line(here, text)
		if err != nil {
			return err
		}
		if !j.applied[id][line] {
			return invalid(here, text, "a line that the promotion acts on")
		}
		if err := seen.remove(here, pair{id, line}); err != nil {
			return err
		}
	}
	return nil
}

// promotion takes out the member promotion_id.
func (j *judge) promotion(at string, specs members) (string, error) {
	var id string
	if err := specs.take("promotion_id", at, &id); err != nil {
		return "", err
	}
	return id, j.known(at+"promotion_id", id)
}

// known reports unless the id is that of a promotion of the app in this tier.
func (j *judge) known(field, text string) error {
	id, ok := promotionID(text)
	if !ok || id.String() != text {
		return invalid(field, text, "a UUID in lower case")
	}
	switch p := j.own.byID[id]; {
	case p == nil:
		return invalid(field, text, "a promotion of this app in this store")
	case p.Tier != j.tier:
		return invalid(field, text, fmt.Sprintf("a promotion of the tier %s", j.tier))
	}
	return nil
}

// line finds a line of the cart by its id in a string.
func (j *judge) line(field, text string) (client.ID, price, error) {
	id, err := client.ParseID(text)
	p, ok := j.lines[id]
	if err != nil || !ok || id.String() != text {
		return 0, p, invalid(field, text, "the id of a line of the cart")
	}
	return id, p, nil
}

func checkText(at string, specs members) error {
	if _, ok := specs["display_text"]; !ok {
		return nil
	}
	var text map[string]string
	if err := specs.take("display_text", at, &text); err != nil {
		return err
	}
	for lang, s := range text {
		language, country, two := strings.Cut(lang, "-")
		if !isTwoLetters(language) || two && !isTwoLetters(country) || s == "" {
			return invalid(at+"display_text."+printable(lang, mostRunes), s, "a text by a language id such as es-ar")
		}
	}
	return nil
}

func isTwoLetters(s string) bool {
	return len(s) == 2 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz") == ""
}

// checkDiscount checks discount_specs that take something off pieces at a price.
func checkDiscount(at string, specs members, each client.Money, pieces int64) error {
	var kind, text string
	if err := specs.take("type", at, &kind); err != nil {
		return err
	}
	if err := specs.take("amount", at, &text); err != nil {
		return err
	}
	amount, err := client.ParseMoney(text)
	point := strings.IndexByte(text, '.')
	if err != nil || point < 1 || point != len(text)-3 || text[0] == '-' || text[0] == '0' && point > 1 {
		return invalid(at+"amount", text, "a decimal with two decimals and a point")
	}
	switch {
	case amount.Equal(client.Money{}):
		return invalid(at+"amount", text, "above 0.00")
	case kind == "percentage" && amount.Cmp(client.Cents(100_00)) > 0:
		return invalid(at+"amount", text, "100.00 at most")
	case kind == "fixed" && amount.Decimal().GreaterThan(each.Decimal().Mul(client.Cents(pieces*100).Decimal())):
		return invalid(at+"amount", text, "no more than what it is taken off")
	case kind != "fixed" && kind != "percentage":
		return invalid(at+"type", kind, "fixed or percentage")
	}
	return specs.none(at)
}

// said is what the commands of an answer say, to find those that contradict.
type said struct{ created, removed map[pair]bool }

// pair is a promotion on a line, or over the cart: line 0.
type pair struct {
	promotion string
	line      client.ID
}

func (s *said) create(at string, p pair) error {
	if s.created[p] {
		return invalid(strings.TrimSuffix(at, "."), p.promotion, "a promotion once on a line: the order of commands is not guaranteed")
	}
	s.created[p] = true
	return nil
}

func (s *said) remove(at string, p pair) error {
	if s.removed[p] {
		return invalid(at, p.promotion, "each removal once")
	}
	s.removed[p] = true
	return nil
}

// contradiction reports what is both created and removed.
func (s *said) contradiction() error {
	for p := range s.created {
		if s.removed[p] || s.removed[pair{p.promotion, 0}] {
			return invalid("commands", p.promotion, "a promotion created or removed, not both: the order of commands is not guaranteed")
		}
	}
	return nil
}
