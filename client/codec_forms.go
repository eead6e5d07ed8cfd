package client

import (
	"encoding/json"

	"github.com/commerceplatform/commerce-go/client/value"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// forms decode types with a special JSON form directly, instead of calling their UnmarshalJSON. If they reject a value,
// UnmarshalJSON reads it.
var forms = wire.NewForms(append(value.Forms(),
	wire.Reads(readObject),
	wire.Wraps(func(a *OrderAddress) *plainAddress { return (*plainAddress)(a) }),
	wire.Lists[InventoryLevel](),
	lax[ClientDetails](),
	lax[CustomerAddress](),
	lax[LineItemImage](),
	lax[LineItemIssues](),
	lax[PaymentDetails](),
	lax[PickupOption](),
	lax[PromotionalDiscount](),
)...)

func lax[T any]() wire.Form {
	return wire.Wraps(func(l *Nullable[T]) *T {
		l.Valid = true
		return &l.V
	})
}

// plainAddress is an OrderAddress without its methods.
type plainAddress OrderAddress

// readObject reads only the forms of an empty object, which are the most frequent.
func readObject(r *wire.Reader, to *Object) bool {
	switch r.Kind() {
	case '{':
		to.Members = map[string]json.RawMessage{}
		return r.Empty('{')
	case '[':
		to.Items = []json.RawMessage{}
		return r.Empty('[')
	}
	return r.Null()
}
