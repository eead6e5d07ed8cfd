package res

import (
	"slices"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// fulfillmentOps are the tracking events of an order's first fulfillment order, as
// they were before there were fulfillment orders.
func fulfillmentOps() []api.Op {
	read, write := []string{"read_shipping"}, []string{"write_shipping"}
	const all = "/orders/{order_id}/fulfillments"
	missing := []api.ErrCase{{Status: 404, Text: "null"}}
	told := []string{"fulfillment/updated"}
	return []api.Op{
		{ID: "fulfillments.list", Method: "GET", Path: all, Scopes: read, Provenance: api.Supplement, Errors: missing,
			Paging: api.Paging{Whole: true, EmptyOK: true}, Handler: api.Collection(findFulfillments, showFulfillment)},
		{ID: "fulfillments.get", Method: "GET", Path: all + "/{id}", Scopes: read, Provenance: api.Supplement,
			Errors: missing, Handler: api.Record(fulfillment, showFulfillment)},
		{ID: "fulfillments.create", Method: "POST", Path: all, Scopes: write, Provenance: api.Supplement, Success: 201,
			Emits: append(told, "fulfillment_order/tracking_event_created", "fulfillment_order/status_updated", "order/fulfilled", "order/updated"),
			Errors: append(slices.Clone(missing),
				api.ErrCase{Status: 422, Text: "status: " + body.Required("status")},
				api.ErrCase{Status: 422, Text: "status: " + body.NotSelectable("status")},
				api.ErrCase{Status: 422, Text: "happened_at: " + happenedInvalid},
				api.ErrCase{Status: 422, Text: "estimated_delivery_at: " + estimatedInvalid},
				api.ErrCase{Status: 422, Text: trackingEventLimit}),
			Handler: createFulfillment},
		{ID: "fulfillments.delete", Method: "DELETE", Path: all + "/{id}", Scopes: write, Provenance: api.Supplement, NoBody: true,
			Emits: append(told, "fulfillment_order/tracking_event_deleted"), Errors: missing, Handler: deleteFulfillment},
	}
}

// The refusals of legacy fulfillments. The third text is the platform's, and the others are assumed in its style.
const (
	happenedInvalid  = "The happened at must be a valid ISO 8601 datetime."
	estimatedInvalid = "The estimated delivery at must be a valid ISO 8601 datetime."
)

type fulfillmentJSON struct {
	ID                  int64   `json:"id"`
	OrderID             int64   `json:"order_id"`
	Status              string  `json:"status"`
	Description         *string `json:"description"`
	City                *string `json:"city"`
	Province            *string `json:"province"`
	Country             *string `json:"country"`
	HappenedAt          string  `json:"happened_at"`
	EstimatedDeliveryAt any     `json:"estimated_delivery_at"`
	CreatedAt           string  `json:"created_at"`
	UpdatedAt           string  `json:"updated_at"`
}

func showFulfillment(tx *world.Tx, _ *api.In, e world.TrackingEvent) any {
	f, _ := tx.FulfillmentOrders.Get(e.FulfillmentOrderID)
	return fulfillmentJSON{
		ID:                  e.LegacyID,
		OrderID:             f.OrderID,
		Status:              e.Status,
		Description:         api.TextOrNil(e.Description),
		City:                api.TextOrNil(e.City),
		Province:            api.TextOrNil(e.Province),
		Country:             api.TextOrNil(e.Country),
		HappenedAt:          api.Stamp(e.HappenedAt),
		EstimatedDeliveryAt: api.StampOrNil(e.EstimatedDeliveryAt),
		CreatedAt:           api.Stamp(e.CreatedAt),
		UpdatedAt:           api.Stamp(e.UpdatedAt),
	}
}

func findFulfillments(tx *world.Tx, in *api.In) ([]world.TrackingEvent, error) {
	if !tx.Orders.Has(in.ID("order_id")) {
		return nil, api.NotFound("")
	}
	all := fulfillmentsOf(tx, in.ID("order_id"))
	if len(all) == 0 {
		return nil, nil
	}
	return trackingEventsOf(tx, all[0].ID), nil
}

func fulfillment(tx *world.Tx, in *api.In) (world.TrackingEvent, error) {
	all, err := findFulfillments(tx, in)
	if err != nil {
		return world.TrackingEvent{}, err
	}
	i := slices.IndexFunc(all, func(e world.TrackingEvent) bool { return e.LegacyID == in.ID("id") })
	if i < 0 {
		return world.TrackingEvent{}, api.NotFound("")
	}
	return all[i], nil
}

// createFulfillment does not require a dispatched fulfillment order, because the legacy resource is older than that
// rule.
func createFulfillment(tx *world.Tx, in *api.In) (any, error) {
	o, ok := tx.Orders.Get(in.ID("order_id"))
	if !ok {
		return nil, api.NotFound("")
	}
	e := world.TrackingEvent{ID: tx.NewULID(), LegacyID: tx.NewID(), HappenedAt: tx.Now().Truncate(time.Second), CreatedAt: tx.Now(), UpdatedAt: tx.Now()}
	if err := readFulfillment(in, &e); err != nil {
		return nil, err
	}
	f, err := firstFulfillment(tx, o)
	if err != nil {
		return nil, err
	}
	e.FulfillmentOrderID = f.ID
	if tx.TrackingEvents.Count("fulfillment_order", f.ID) >= trackingEventsAllowed(tx, e) {
		return nil, api.Unprocessable(trackingEventLimit)
	}
	tx.Emit("fulfillment/updated", map[string]any{"id": e.LegacyID})
	if _, err := keepTrackingEvent(tx, in, f, e, "created"); err != nil {
		return nil, err
	}
	return showFulfillment(tx, in, e), nil
}

func readFulfillment(in *api.In, e *world.TrackingEvent) error {
	var b struct {
		Status              body.Opt[string] `json:"status"`
		Description         body.Opt[string] `json:"description"`
		City                body.Opt[string] `json:"city"`
		Province            body.Opt[string] `json:"province"`
		Country             body.Opt[string] `json:"country"`
		HappenedAt          body.Scalar      `json:"happened_at"`
		EstimatedDeliveryAt body.Scalar      `json:"estimated_delivery_at"`
	}
	if err := body.Decode(in, &b); err != nil {
		return err
	}
	wrong := &body.Problems{}
	if wrong.Require("status", strings.TrimSpace(b.Status.Value) != "") {
		wrong.Choice("status", b.Status.Value, trackingStatuses())
	}
	e.Status, e.Description = b.Status.Value, b.Description.Value
	e.City, e.Province, e.Country = b.City.Value, b.Province.Value, b.Country.Value
	var ok bool
	if b.HappenedAt.Text != "" {
		if e.HappenedAt, ok = body.ParseTime(b.HappenedAt.Text); !ok {
			wrong.Add("happened_at", happenedInvalid)
		}
	}
	if b.EstimatedDeliveryAt.Text != "" {
		if e.EstimatedDeliveryAt, ok = body.ParseTime(b.EstimatedDeliveryAt.Text); !ok {
			wrong.Add("estimated_delivery_at", estimatedInvalid)
		}
	}
	return wrong.Err()
}

func deleteFulfillment(tx *world.Tx, in *api.In) (any, error) {
	e, err := fulfillment(tx, in)
	if err != nil {
		return nil, err
	}
	f, _ := tx.FulfillmentOrders.Get(e.FulfillmentOrderID)
	tx.TrackingEvents.Delete(e.ID)
	tx.Emit("fulfillment/updated", map[string]any{"id": e.LegacyID})
	tellTrackingEvent(tx, f, e, "deleted")
	return api.Empty{}, nil
}
