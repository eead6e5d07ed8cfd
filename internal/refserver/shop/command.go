package shop

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// The commands, and the scopes of the second.
const (
	createOrUpdate = "create_or_update_discount"
	remove         = "remove_discount"
	scopeCart      = "cart"
	scopeLineItem  = "line_item"
)

// target is what a command is about: a promotion on a line, or on the whole cart.
type target struct {
	promotion string
	line      int64 // 0 for the cart, and so every line
}

// command is one that can be executed. It does the same to each target.
type command struct {
	remove  bool
	app     int64
	tier    world.Tier
	targets []target
	// reductions has one for each target of a command that takes something off.
	reductions []world.Reduction
}

// rules are what commands have to be true of.
type rules struct {
	app      int64
	tier     world.Tier
	currency string
	// lines are those of the cart.
	lines map[int64]bool
	// promotion finds one of the store.
	promotion func(id string) (world.Promotion, bool)
}

// read returns the commands of an answer with what is wrong with each of them, or why
// there are none. The answer can be executed if nothing is wrong.
func (r rules) read(answer []byte) (commands []command, faults []error, err error) {
	v, err := parse(answer)
	if err != nil {
		return nil, nil, err
	}
	m, err := v.object("commands")
	if err != nil {
		return nil, nil, err
	}
	list, err := m.need("commands")
	if err != nil {
		return nil, nil, err
	}
	list.path = "commands"
	raws, err := list.list()
	if err != nil {
		return nil, nil, err
	}
	claimed := map[string]map[int64]bool{}
	for _, raw := range raws {
		c, err := r.command(raw)
		if err == nil {
			err = claim(raw, c, claimed)
		}
		commands, faults = append(commands, c), append(faults, err)
	}
	return commands, faults, nil
}

// claim refuses a command about something that another is about: since the order of
// execution is not guaranteed, the answer would not say what is to become of it.
func claim(v value, c command, claimed map[string]map[int64]bool) error {
	for _, t := range c.targets {
		lines := claimed[t.promotion]
		if lines[t.line] || lines[0] || t.line == 0 && len(lines) > 0 {
			return v.wrong("promotion %q: the answer names it twice for the same part of the cart", t.promotion)
		}
		if lines == nil {
			lines = map[int64]bool{}
			claimed[t.promotion] = lines
		}
		lines[t.line] = true
	}
	return nil
}

// outside are the members that may be next to command, as the schema has them, or inside specs, as the examples have
// them.
func outside() []string { return []string{"scope", "promotion_id", "promotion_ids", "line_items"} }

func (r rules) command(v value) (command, error) {
	m, err := v.object(append(outside(), "command", "specs")...)
	if err != nil {
		return command{}, err
	}
	name, err := m.need("command")
	if err != nil {
		return command{}, err
	}
	kind, err := name.oneOf(createOrUpdate, remove)
	if err != nil {
		return command{}, err
	}
	if kind == remove {
		specs, err := m.gather(outside()...)
		if err != nil {
			return command{}, err
		}
		return r.remove(specs)
	}
	allowed := []string{"promotion_id", "currency", "display_text", "discount_specs"}
	if r.tier == world.LineItem {
		allowed[3] = "line_items"
	}
	for _, name := range outside() {
		if m.has(name) && !slices.Contains(allowed, name) {
			return command{}, m.at(name).wrong("is not a member of %s in the tier %s", kind, r.tier)
		}
	}
	if _, err := m.need("specs"); err != nil {
		return command{}, err
	}
	specs, err := m.gather(allowed...)
	if err != nil {
		return command{}, err
	}
	return r.create(specs)
}

// gather returns the members of specs, with the members next to command. It rejects members of specs whose names are
// not allowed.
func (m members) gather(allowed ...string) (members, error) {
	specs, err := members{value: m.value, by: map[string]json.RawMessage{}}, error(nil)
	if m.has("specs") {
		if specs, err = m.at("specs").object(allowed...); err != nil {
			return specs, err
		}
	}
	for _, name := range outside() {
		switch {
		case !m.has(name):
		case specs.has(name):
			return specs, m.at(name).wrong("stands in specs too")
		default:
			specs.by[name] = m.by[name]
		}
	}
	return specs, nil
}

func (r rules) create(m members) (command, error) {
	c := command{app: r.app, tier: r.tier}
	id, err := m.need("promotion_id")
	if err != nil {
		return c, err
	}
	p, err := r.owned(id)
	if err != nil {
		return c, err
	}
	if !p.Active {
		return c, id.wrong("promotion %q is not active", p.ID)
	}
	currency, err := m.text("currency")
	if err != nil {
		return c, err
	}
	if currency != r.currency {
		return c, m.at("currency").wrong("%q is not the currency of the cart, %s", currency, r.currency)
	}
	text, err := m.displayText()
	if err != nil {
		return c, err
	}
	if r.tier == world.CrossItems {
		reduction, err := m.reduction()
		reduction.Text = text
		c.targets, c.reductions = []target{{promotion: p.ID}}, []world.Reduction{reduction}
		return c, err
	}
	elements, err := m.elements("line_items")
	if err != nil {
		return c, err
	}
	for _, e := range elements {
		item, err := e.object("line_item", "discount_specs")
		if err != nil {
			return c, err
		}
		number, err := item.need("line_item")
		if err != nil {
			return c, err
		}
		line, err := r.line(number)
		if err != nil {
			return c, err
		}
		reduction, err := item.reduction()
		if err != nil {
			return c, err
		}
		reduction.Text = text
		c.targets, c.reductions = append(c.targets, target{p.ID, line}), append(c.reductions, reduction)
	}
	return c, nil
}

func (r rules) remove(m members) (command, error) {
	c := command{remove: true, app: r.app, tier: r.tier}
	v, err := m.need("scope")
	if err != nil {
		return c, err
	}
	scope, err := v.oneOf(scopeCart, scopeLineItem)
	if err != nil {
		return c, err
	}
	if scope == scopeCart {
		return r.removeFromCart(m, c)
	}
	if m.has("promotion_ids") {
		return c, m.at("promotion_ids").wrong("is for the scope cart")
	}
	if r.tier != world.LineItem {
		return c, v.wrong("the scope line_item is for the tier line_item")
	}
	id, err := m.need("promotion_id")
	if err != nil {
		return c, err
	}
	p, err := r.owned(id)
	if err != nil {
		return c, err
	}
	elements, err := m.elements("line_items")
	if err != nil {
		return c, err
	}
	for _, e := range elements {
		line, err := r.line(e)
		if err != nil {
			return c, err
		}
		c.targets = append(c.targets, target{p.ID, line})
	}
	return c, nil
}

func (r rules) removeFromCart(m members, c command) (command, error) {
	for _, other := range []string{"promotion_id", "line_items"} {
		if m.has(other) {
			return c, m.at(other).wrong("is for the scope line_item")
		}
	}
	elements, err := m.elements("promotion_ids")
	if err != nil {
		return c, err
	}
	for _, e := range elements {
		p, err := r.owned(e)
		if err != nil {
			return c, err
		}
		c.targets = append(c.targets, target{promotion: p.ID})
	}
	return c, nil
}

// owned finds a promotion that belongs to the app and the store and is of the tier.
func (r rules) owned(v value) (world.Promotion, error) {
	id, err := v.text()
	if err != nil {
		return world.Promotion{}, err
	}
	p, ok := r.promotion(id)
	switch {
	case !ok || p.AppID != r.app:
		return p, v.wrong("promotion %q does not belong to the app and the store", id)
	case p.Tier != r.tier:
		return p, v.wrong("promotion %q is of the tier %s, and this is %s", id, p.Tier, r.tier)
	}
	return p, nil
}

// line is the id of a line of the cart, which is a text.
func (r rules) line(v value) (int64, error) {
	s, err := v.text()
	if err != nil {
		return 0, err
	}
	id, err := strconv.ParseInt(s, 10, 64)
	if err != nil || strconv.FormatInt(id, 10) != s || !r.lines[id] {
		return 0, v.wrong("line item %q is not in the cart", s)
	}
	return id, nil
}
