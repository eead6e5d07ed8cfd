package rules

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Places returns the locations that a cart ships from, by id, in the order in which their stock is taken. Without a
// rule it is that of their priorities. It is empty if a rule leaves no place to ship from: the purchase cannot end
// then.
func (p *Platform) Places(ctx context.Context, store, cart int64) ([]string, error) {
	own, err := p.locations(store)
	if err != nil {
		return nil, err
	}
	said, err := p.ask(ctx, store, cart, world.LocationRules, func(v *verdict) (err error) {
		v.order, err = v.places(own)
		return err
	})
	if err != nil {
		return nil, err
	}
	order := own
	for _, v := range said {
		if v.Outcome == Applied {
			order = v.order
			break
		}
	}
	if !p.Settings().FewestPlaces {
		return order, nil
	}
	return p.fewest(store, cart, order)
}

// locations are those of the store, by priority.
func (p *Platform) locations(store int64) (ids []string, err error) {
	err = p.world.View(0, store, func(tx *world.Tx) error {
		for _, l := range byPriority(tx) {
			ids = append(ids, l.ID)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("rules: %w", err)
	}
	return ids, nil
}

func byPriority(tx *world.Tx) []world.Location {
	all := tx.Locations.Values()
	slices.SortStableFunc(all, func(a, b world.Location) int { return cmp.Compare(a.Priority, b.Priority) })
	return all
}

// places returns the locations of an answer in their order.
func (v *verdict) places(own []string) ([]string, error) {
	list, err := v.detail.list("location_prioritization")
	if err != nil {
		return nil, err
	}
	out, priorities := []string{}, map[string]int64{}
	for _, m := range list {
		id, err := m.text("id")
		if err != nil {
			return nil, err
		}
		if _, twice := priorities[id]; twice || !slices.Contains(own, id) {
			return nil, fmt.Errorf("%s.id: must be a location of the store, once: %q", m.path, id)
		}
		if priorities[id], err = m.integer("priority"); err != nil {
			return nil, err
		}
		out = append(out, id)
	}
	slices.SortStableFunc(out, func(a, b string) int { return cmp.Compare(priorities[a], priorities[b]) })
	return out, nil
}

// fewest returns the order with the first location that has everything in front.
func (p *Platform) fewest(store, cart int64, order []string) ([]string, error) {
	out, need := slices.Clone(order), map[int64]int64{}
	view, err := p.view(store, cart)
	if err != nil {
		return nil, err
	}
	for _, l := range view.Lines {
		need[l.VariantID] += l.Quantity
	}
	err = p.world.View(0, store, func(tx *world.Tx) error {
		for i, place := range order {
			if hasAll(tx, place, need) {
				out = slices.Insert(slices.Delete(out, i, i+1), 0, place)
				return nil
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("rules: %w", err)
	}
	return out, nil
}

// hasAll reports whether a location has the quantity of each variant. Unlimited goods are everywhere.
func hasAll(tx *world.Tx, place string, need map[int64]int64) bool {
	for variant, quantity := range need {
		if _, limited := stock(tx, variant); !limited {
			continue
		}
		if level, ok := tx.InventoryLevels.Find("place", world.Place(variant, place)); !ok || level.Stock < quantity {
			return false
		}
	}
	return true
}
