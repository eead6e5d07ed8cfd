package res

import (
	"strconv"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/table"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// tablePart is what belongs to price tables: discounts for categories, those for variants, or customers. Answers show
// it in its table.
type tablePart[T any] struct {
	of  func(tx *world.Tx) *table.Table[int64, T]
	key func(T) int64
	// variable is that of the path which names a category, a variant or a customer.
	variable string
	show     func(T) any
	put      func(to *priceTableJSON, shown []any)
}

// list answers fifty a page and no more, with the table around them.
func (p tablePart[T]) list(tx *world.Tx, in *api.In) (any, error) {
	t, err := priceTable(tx, in)
	if err != nil {
		return nil, err
	}
	var found []T
	for _, one := range p.of(tx).Where("table", strconv.FormatInt(t.ID, 10)) {
		found = append(found, one)
	}
	shown := priceTableOnWire(tx, t)
	item := func(i int) any { return p.show(found[i]) }
	return &api.List{Len: len(found), Item: item, Envelope: func(page api.Page) any {
		p.put(&shown, page.Items)
		return struct {
			Total int            `json:"total"`
			Page  int            `json:"page"`
			Table priceTableJSON `json:"price_table"`
		}{page.Total, page.Number, shown}
	}}, nil
}

// find returns what the path names, with its table.
func (p tablePart[T]) find(tx *world.Tx, in *api.In) (world.PriceTable, T, error) {
	t, err := priceTable(tx, in)
	if err != nil {
		return t, *new(T), err
	}
	one, ok := p.of(tx).Find("entry", world.TableEntry(t.ID, in.ID(p.variable)))
	if !ok {
		return t, one, assumed(api.NotFound(""))
	}
	return t, one, nil
}

func (p tablePart[T]) get(tx *world.Tx, in *api.In) (any, error) {
	t, one, err := p.find(tx, in)
	if err != nil {
		return nil, err
	}
	shown := priceTableOnWire(tx, t)
	p.put(&shown, []any{p.show(one)})
	return onePriceTable{shown}, nil
}

func (p tablePart[T]) remove(tx *world.Tx, in *api.In) (any, error) {
	_, one, err := p.find(tx, in)
	if err != nil {
		return nil, err
	}
	p.of(tx).Delete(p.key(one))
	return nil, nil
}
