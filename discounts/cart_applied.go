package discounts

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Applied lists the promotions that are already applied to a cart. It may include promotions of other apps. The JSON
// form is an array. An object is also accepted: either one promotion, or promotions by id.
type Applied []AppliedPromotion

// AppliedPromotion is a promotion applied to a cart. The platform does not report the amount of its discount.
type AppliedPromotion struct {
	ID client.Code `json:"id"`
	// LineItems are the lines to which the promotion is applied.
	LineItems []client.ID  `json:"line_items"`
	Extra     client.Extra `json:",embed"`
}

// UnmarshalJSON reads an array or an object. It accepts "", false and null as an empty list.
func (a *Applied) UnmarshalJSON(data []byte) error {
	type plain []AppliedPromotion
	if len(data) > 0 && data[0] == '[' {
		return wire.UnmarshalExact(data, (*plain)(a))
	}
	var members client.Object
	if err := members.UnmarshalJSON(data); err != nil {
		return err
	}
	*a = nil
	if _, ok := members.Members["id"]; ok {
		*a = make(Applied, 1)
		return wire.UnmarshalExact(data, &(*a)[0])
	}
	for _, id := range slices.Sorted(maps.Keys(members.Members)) {
		p, err := readApplied(id, members.Members[id])
		if err != nil {
			return err
		}
		*a = append(*a, p)
	}
	return nil
}

// readApplied reads the member id of an object: a promotion, or the lines of one.
func readApplied(id string, data json.RawMessage) (AppliedPromotion, error) {
	p := AppliedPromotion{ID: client.Code(id)}
	var err error
	switch {
	case len(data) > 0 && data[0] == '[':
		err = wire.UnmarshalExact(data, &p.LineItems)
	case len(data) > 0 && data[0] == '{':
		err = wire.UnmarshalExact(data, &p)
	default:
		err = fmt.Errorf("must be a promotion or a list of lines")
	}
	return p, err
}
