package res

import (
	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// beAddress is assumed: the contract does not say which addresses are refused. They
// are those that webhooks may not have.
const beAddress = "must be an HTTPS URL of a public host"

// discountCallbackOps have no deletion: the address cannot be removed.
func discountCallbackOps() []api.Op {
	return []api.Op{
		{ID: "discount_callbacks.replace", Method: "PUT", Path: "/discounts/callbacks", Feature: discountApps, Success: 204,
			Errors: []api.ErrCase{{Status: 400, Text: "url " + beString}, {Status: 400, Text: "url " + beAddress}}, Handler: replaceDiscountCallback},
	}
}

// replaceDiscountCallback sets the address that the app gets the carts of the store at.
func replaceDiscountCallback(tx *world.Tx, in *api.In) (any, error) {
	var wrong complaints
	m, err := readMembers(in, &wrong)
	if err != nil {
		return nil, err
	}
	c := world.DiscountCallback{AppID: in.App.ID, UpdatedAt: tx.Now()}
	if _, sent := m.left["url"]; !sent {
		wrong.add("url", beString)
	} else if member(m, "url", beString, &c.URL) && in.CheckURL(c.URL) != nil {
		wrong.add("url", beAddress)
	}
	m.leave(in)
	if err := wrong.err(); err != nil {
		return nil, err
	}
	return nil, tx.DiscountCallbacks.Put(c.AppID, c)
}
