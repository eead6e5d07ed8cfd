package res

import (
	"net/http"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// promotionOps are about the promotions of the app that asks, in one store. The
// envelope of the list is assumed, and that a deletion does not find what is not there.
func promotionOps() []api.Op {
	const all, one = "/promotions", "/promotions/{id}"
	foreign := api.ErrCase{Status: 403, Text: foreignPromotion}
	missing := api.ErrCase{Status: 404, Text: noSuchPromotion}
	return []api.Op{
		{ID: "promotions.create", Method: "POST", Path: all, Feature: discountApps, Success: 201,
			Errors: promotionFaults(true), Handler: createPromotion},
		{ID: "promotions.list", Method: "GET", Path: all, Feature: discountApps, Provenance: api.Assumed,
			Paging: api.Paging{Whole: true, EmptyOK: true, Envelope: promotionList}, Handler: api.Collection(findPromotions, showPromotion)},
		{ID: "promotions.update", Method: "PATCH", Path: one, Feature: discountApps, Success: 204, Provenance: api.Supplement,
			Errors: append(promotionFaults(false), foreign, missing), Handler: updatePromotion},
		{ID: "promotions.delete", Method: "DELETE", Path: one, Feature: discountApps, Success: 204, Provenance: api.Supplement, NoBody: true,
			Errors: []api.ErrCase{foreign, missing}, Handler: deletePromotion},
	}
}

// discountApps is the feature of apps that may register promotions. Permissions play
// no part in it.
const discountApps = "discounts"

// Refusals of promotions. Only the first is the contract's, the second is assumed.
const (
	noSuchPromotion  = "The promotion id does not exist"
	foreignPromotion = "The promotion does not belong to the app and the store"
)

// promotionJSON is an item of the list. The deprecated setting is not in it, because it must not be sent together with
// the others.
type promotionJSON struct {
	ID                  string     `json:"id"`
	Name                string     `json:"name"`
	Tier                world.Tier `json:"allocation_type"`
	Active              bool       `json:"active"`
	QuantityDiscounts   bool       `json:"combines_with_quantity_discounts"`
	FreeShipping        bool       `json:"combines_with_free_shipping"`
	CartAmountDiscounts bool       `json:"combines_with_cart_amount_discounts"`
	AppDiscounts        bool       `json:"combines_with_app_discounts"`
	PriceDiscounts      bool       `json:"combines_with_price_discounts"`
}

func showPromotion(_ *world.Tx, _ *api.In, p world.Promotion) any {
	return promotionJSON{
		ID:                  p.ID,
		Name:                p.Name,
		Tier:                p.Tier,
		Active:              p.Active,
		QuantityDiscounts:   p.Combines.QuantityDiscounts,
		FreeShipping:        p.Combines.FreeShipping,
		CartAmountDiscounts: p.Combines.CartAmountDiscounts,
		AppDiscounts:        p.Combines.AppDiscounts,
		PriceDiscounts:      p.Combines.PriceDiscounts,
	}
}

// dataJSON is the envelope of what is about discounts.
type dataJSON struct {
	Data any `json:"data"`
}

func promotionList(p api.Page) any { return dataJSON{p.Items} }

// findPromotions lists those of the app, the oldest first.
func findPromotions(tx *world.Tx, in *api.In) ([]world.Promotion, error) {
	return tx.PromotionsOf(in.App.ID), nil
}

// promotion is the one that the path names, which is the app's and of this store.
func promotion(tx *world.Tx, in *api.In) (world.Promotion, error) {
	id := in.Var("id")
	p, ok := tx.Promotions.Get(id)
	switch {
	case ok && p.AppID == in.App.ID:
		return p, nil
	case ok, tx.PromotionElsewhere(id):
		return p, api.Exception(http.StatusForbidden, "ForbiddenException", foreignPromotion)
	}
	return p, api.Exception(http.StatusNotFound, "NotFoundException", noSuchPromotion)
}

func createPromotion(tx *world.Tx, in *api.In) (any, error) {
	// That a promotion combines with everything until it says otherwise is assumed, as
	// is that it begins active: coupons do both.
	everything := world.Combines{QuantityDiscounts: true, FreeShipping: true, CartAmountDiscounts: true, AppDiscounts: true, PriceDiscounts: true}
	p, err := readPromotion(in, world.Promotion{AppID: in.App.ID, Active: true, Combines: everything, CreatedAt: tx.Now(), UpdatedAt: tx.Now()})
	if err != nil {
		return nil, err
	}
	p.ID = tx.NewUUID()
	return dataJSON{struct {
		ID string `json:"id"`
	}{p.ID}}, tx.Promotions.Put(p.ID, p)
}

// updatePromotion takes what an inactive promotion takes off out of the carts.
func updatePromotion(tx *world.Tx, in *api.In) (any, error) {
	before, err := promotion(tx, in)
	if err != nil {
		return nil, err
	}
	p, err := readPromotion(in, before)
	if err != nil {
		return nil, err
	}
	p.UpdatedAt = tx.Now()
	if !p.Active {
		if err := tx.DropDiscounts(p.ID); err != nil {
			return nil, err
		}
	}
	return nil, tx.Promotions.Put(p.ID, p)
}

func deletePromotion(tx *world.Tx, in *api.In) (any, error) {
	p, err := promotion(tx, in)
	if err != nil {
		return nil, err
	}
	tx.Promotions.Delete(p.ID)
	return nil, tx.DropDiscounts(p.ID)
}
