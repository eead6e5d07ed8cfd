package res

import (
	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// discountCallbackOps have no deletion: the address cannot be removed. The contract does not say which addresses are
// rejected. Here the rules of webhooks apply.
func discountCallbackOps() []api.Op {
	return []api.Op{
		{ID: "discount_callbacks.replace", Method: "PUT", Path: "/discounts/callbacks", Feature: discountApps, Success: 204,
			Errors:  refusals(400, []string{"url " + body.BeString, "url " + body.BePublic}),
			Handler: replaceDiscountCallback},
	}
}

// replaceDiscountCallback sets the address that the app gets the carts of the store at.
func replaceDiscountCallback(tx *world.Tx, in *api.In) (any, error) {
	b, err := body.Read(in)
	if err != nil {
		return nil, err
	}
	b = b.Solid()
	c := world.DiscountCallback{AppID: in.App.ID, UpdatedAt: tx.Now()}
	if !b.Has("url") {
		b.Refuse("url", body.BeString)
	} else if b.Text("url", &c.URL) && in.CheckURL(c.URL) != nil {
		b.Refuse("url", body.BePublic)
	}
	if err := b.Done(in).Exception(); err != nil {
		return nil, err
	}
	return nil, tx.DiscountCallbacks.Put(c.AppID, c)
}
