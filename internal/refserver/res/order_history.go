package res

import (
	"encoding/json"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// orderValueJSON has amounts as numbers and times with both forms of an offset, as
// the platform does.
type orderValueJSON struct {
	Status     string      `json:"status"`
	TotalDelta json.Number `json:"total_delta"`
	PaidDelta  json.Number `json:"total_paid_diff"`
	Method     *string     `json:"gateway_method"`
	Gateway    *string     `json:"gateway_name"`
	ClosedAt   any         `json:"closed_at"`
	HappenedAt string      `json:"happened_at"`
}

// getOrderValues closes each entry with the time of the next one.
func getOrderValues(tx *world.Tx, in *api.In) (any, error) {
	o, err := order(tx, in)
	if err != nil {
		return nil, err
	}
	out := []orderValueJSON{}
	for i, v := range o.Values {
		var closed time.Time
		if i+1 < len(o.Values) {
			closed = o.Values[i+1].HappenedAt
		}
		out = append(out, orderValueOnWire(v, closed))
	}
	return out, nil
}

func orderValueOnWire(v world.OrderValue, closed time.Time) orderValueJSON {
	return orderValueJSON{
		Status:     v.Status,
		TotalDelta: number(v.TotalDelta),
		PaidDelta:  number(v.PaidDelta),
		Method:     api.TextOrNil(v.Method),
		Gateway:    api.TextOrNil(v.Gateway),
		ClosedAt:   api.StampOrNil(closed),
		HappenedAt: colonStamp(v.HappenedAt),
	}
}

type editionJSON struct {
	Changes       []productChangeJSON `json:"product_changes"`
	ShippingCosts []any               `json:"shipping_costs"` // an edition leaves them as they are here
	Transaction   orderValueJSON      `json:"transaction_information"`
	Reason        *string             `json:"reason"`
	HappenedAt    string              `json:"happened_at"`
}

type productChangeJSON struct {
	Type          string `json:"type"`
	ModifiedStock bool   `json:"modified_stock"`
	Before        int64  `json:"previous_quantity"`
	After         int64  `json:"new_quantity"`
	Name          string `json:"product_name"`
}

func getOrderEditions(tx *world.Tx, in *api.In) (any, error) {
	o, err := order(tx, in)
	if err != nil {
		return nil, err
	}
	out := []editionJSON{}
	for _, e := range o.Editions {
		shown := editionJSON{Changes: []productChangeJSON{}, ShippingCosts: []any{}, Transaction: orderValueOnWire(e.Value, time.Time{}),
			Reason: api.TextOrNil(e.Reason), HappenedAt: colonStamp(e.HappenedAt)}
		for _, c := range e.Changes {
			shown.Changes = append(shown.Changes, productChangeJSON{Type: c.Type, ModifiedStock: c.Stock, Before: c.Before, After: c.After, Name: c.Product})
		}
		out = append(out, shown)
	}
	return out, nil
}

type subscriptionJSON struct {
	ID           string                 `json:"id"`
	StoreID      int64                  `json:"store_id"`
	PlanID       string                 `json:"metaplan_id"`
	PlanName     string                 `json:"metaplan_name"`
	CustomerID   int64                  `json:"customer_id"`
	Email        string                 `json:"email"`
	Status       string                 `json:"status"`
	InitialOrder int64                  `json:"initial_order_id"`
	InitialDate  string                 `json:"initial_date"`
	Products     []subscriptionLineJSON `json:"products"`
	Option       subscriptionOptionJSON `json:"subscription_option"`
}

type subscriptionLineJSON struct {
	ProductID int64 `json:"product_id"`
	VariantID int64 `json:"variant_id"`
	Quantity  int64 `json:"quantity"`
}

type subscriptionOptionJSON struct {
	ID       string      `json:"id"`
	Unit     string      `json:"frequency_type"`
	Every    int         `json:"frequency_param"`
	Discount json.Number `json:"discount_percentage"`
}

// getOrderSubscriptions puts the list into an object of its own.
func getOrderSubscriptions(tx *world.Tx, in *api.In) (any, error) {
	o, err := order(tx, in)
	if err != nil {
		return nil, err
	}
	out := struct {
		Items []subscriptionJSON `json:"items"`
	}{[]subscriptionJSON{}}
	for _, s := range o.Subscriptions {
		shown := subscriptionJSON{ID: s.ID, StoreID: tx.Store().ID, PlanID: s.PlanID, PlanName: s.PlanName, CustomerID: s.CustomerID,
			Email: s.Email, Status: s.Status, InitialOrder: s.InitialOrder, InitialDate: colonStamp(s.InitialDate), Products: []subscriptionLineJSON{},
			Option: subscriptionOptionJSON{ID: s.OptionID, Unit: s.Unit, Every: s.Every, Discount: number(s.Discount)}}
		for _, l := range s.Lines {
			shown.Products = append(shown.Products, subscriptionLineJSON{ProductID: l.ProductID, VariantID: l.VariantID, Quantity: l.Quantity})
		}
		out.Items = append(out.Items, shown)
	}
	return out, nil
}
