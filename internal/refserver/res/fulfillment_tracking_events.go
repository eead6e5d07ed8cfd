package res

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func trackingEventOps() []api.Op {
	read, write := []string{"read_fulfillment_orders"}, []string{"write_fulfillment_orders"}
	const all = fulfillmentOrdersPath + "/{fulfillment_order_id}/tracking-events"
	const one = all + "/{event_id}"
	listing := []api.ErrCase{{Status: 404, Text: noSuchOrder}, {Status: 404, Text: noSuchFulfillmentOrder}}
	missing := append(slices.Clone(listing), api.ErrCase{Status: 404, Text: noSuchTrackingEvent})
	wrong := []api.ErrCase{
		{Status: 400, Text: "status: " + badTrackingStatus},
		{Status: 400, Text: "description: " + body.BeString},
		{Status: 400, Text: "geolocation.longitude: " + body.BeNumber},
		{Status: 400, Text: "happened_at: " + body.BeTime},
		{Status: 400, Text: mustBeDispatched},
		{Status: 400, Text: identicalEvent},
	}
	delivered := []string{"fulfillment_order/status_updated", "order/updated"}
	return []api.Op{
		{ID: "trackingEvents.list", Method: "GET", Path: all, Scopes: read, Provenance: api.Supplement, Errors: listing,
			Paging: api.Paging{Whole: true, EmptyOK: true}, Handler: api.Collection(findTrackingEvents, showTrackingEvent)},
		{ID: "trackingEvents.get", Method: "GET", Path: one, Scopes: read, Provenance: api.Supplement, Errors: missing, Handler: getTrackingEvent},
		{ID: "trackingEvents.create", Method: "POST", Path: all, Scopes: write, Provenance: api.Supplement, Success: 201,
			Emits:   append([]string{"fulfillment_order/tracking_event_created"}, delivered...),
			Errors:  slices.Concat(listing, wrong, []api.ErrCase{{Status: 400, Text: trackingEventLimit}}),
			Handler: createTrackingEvent},
		{ID: "trackingEvents.update", Method: "PUT", Path: one, Scopes: write, Provenance: api.Supplement,
			Emits:  append([]string{"fulfillment_order/tracking_event_updated"}, delivered...),
			Errors: slices.Concat(missing, wrong, []api.ErrCase{{Status: 400, Text: alreadyDelivered}}), Handler: updateTrackingEvent},
		{ID: "trackingEvents.delete", Method: "DELETE", Path: one, Scopes: write, Provenance: api.Supplement, Success: 204, NoBody: true,
			Emits:   []string{"fulfillment_order/tracking_event_deleted"},
			Errors:  slices.Concat(missing, []api.ErrCase{{Status: 400, Text: mustBeDispatched}, {Status: 400, Text: alreadyDelivered}}),
			Handler: deleteTrackingEvent},
	}
}

// Texts about tracking events. The first two are the platform's, the others assumed.
const (
	identicalEvent      = "The tracking event must not be identical to an existing tracking event"
	trackingEventLimit  = "Tracking events has reached the limit"
	noSuchTrackingEvent = "Tracking event with such id does not exist"
	mustBeDispatched    = "The fulfillment order must be dispatched"
	alreadyDelivered    = "The fulfillment order is already delivered"
	badTrackingStatus   = "must be a valid tracking event status"
)

// trackingStatuses are all but those of one's own, which begin with custom_.
func trackingStatuses() []string {
	return []string{"dispatched", "received_by_post_office", "in_transit", "out_for_delivery", "delivery_attempt_failed", "delayed",
		"ready_for_pickup", "delivered", "returned_to_sender", "lost", "failure"}
}

type trackingEventJSON struct {
	ID                  string           `json:"id"`
	Status              string           `json:"status"`
	Description         string           `json:"description"`
	Address             *string          `json:"address"`
	Geolocation         *geolocationJSON `json:"geolocation"`
	HappenedAt          string           `json:"happened_at"`
	EstimatedDeliveryAt any              `json:"estimated_delivery_at"`
	CreatedAt           string           `json:"created_at"`
	UpdatedAt           string           `json:"updated_at"`
}

type geolocationJSON struct {
	Longitude json.Number `json:"longitude"`
	Latitude  json.Number `json:"latitude"`
}

func showTrackingEvent(_ *world.Tx, _ *api.In, e world.TrackingEvent) any {
	out := trackingEventJSON{
		ID:                  e.ID,
		Status:              e.Status,
		Description:         e.Description,
		Address:             api.TextOrNil(e.Address),
		HappenedAt:          colonStamp(e.HappenedAt),
		EstimatedDeliveryAt: colonStampOrNil(e.EstimatedDeliveryAt),
		CreatedAt:           colonStamp(e.CreatedAt),
		UpdatedAt:           colonStamp(e.UpdatedAt),
	}
	if e.Located {
		out.Geolocation = &geolocationJSON{Longitude: json.Number(e.Longitude.String()), Latitude: json.Number(e.Latitude.String())}
	}
	return out
}

// trackingEventsOf are the events of a fulfillment order in the order they were
// made.
func trackingEventsOf(tx *world.Tx, fulfillment string) []world.TrackingEvent {
	var out []world.TrackingEvent
	for _, e := range tx.TrackingEvents.Where("fulfillment_order", fulfillment) {
		out = append(out, e)
	}
	return out
}

func findTrackingEvents(tx *world.Tx, in *api.In) ([]world.TrackingEvent, error) {
	f, err := fulfillmentOrder(tx, in)
	if err != nil {
		return nil, err
	}
	return trackingEventsOf(tx, f.ID), nil
}

func getTrackingEvent(tx *world.Tx, in *api.In) (any, error) {
	_, e, err := trackingEvent(tx, in)
	if err != nil {
		return nil, err
	}
	return showTrackingEvent(tx, in, e), nil
}

// trackingEvent is the one that the path names, with what it happened to.
func trackingEvent(tx *world.Tx, in *api.In) (world.FulfillmentOrder, world.TrackingEvent, error) {
	f, err := fulfillmentOrder(tx, in)
	if err != nil {
		return f, world.TrackingEvent{}, err
	}
	e, ok := tx.TrackingEvents.Get(in.Var("event_id"))
	if !ok || e.FulfillmentOrderID != f.ID {
		return f, e, described(404, noSuchTrackingEvent)
	}
	return f, e, nil
}

// onItsWay reports whether a fulfillment order has been dispatched, be it delivered
// or not.
func onItsWay(f world.FulfillmentOrder) bool {
	return slices.ContainsFunc(f.StatusHistory, func(c world.StatusChange) bool { return c.To == world.Dispatched })
}

func createTrackingEvent(tx *world.Tx, in *api.In) (any, error) {
	f, err := fulfillmentOrder(tx, in)
	if err != nil {
		return nil, err
	}
	e := world.TrackingEvent{
		ID: tx.NewULID(), LegacyID: tx.NewID(), FulfillmentOrderID: f.ID,
		CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
	}
	if err := readTrackingEvent(in, &e); err != nil {
		return nil, err
	}
	if !onItsWay(f) {
		return nil, described(400, mustBeDispatched)
	}
	if identical(tx, e) {
		return nil, described(400, identicalEvent)
	}
	if tx.TrackingEvents.Count("fulfillment_order", f.ID) >= trackingEventsAllowed(tx, e) {
		return nil, described(400, trackingEventLimit)
	}
	return keepTrackingEvent(tx, in, f, e, "created")
}

// trackingEventsAllowed is how many there may be before the event comes: one more may be that of the delivery.
func trackingEventsAllowed(tx *world.Tx, e world.TrackingEvent) int {
	if e.Status == "delivered" {
		return tx.Limits().TrackingEvents + 1
	}
	return tx.Limits().TrackingEvents
}

func updateTrackingEvent(tx *world.Tx, in *api.In) (any, error) {
	f, before, err := trackingEvent(tx, in)
	if err != nil {
		return nil, err
	}
	e := before
	if err := readTrackingEvent(in, &e); err != nil {
		return nil, err
	}
	if err := mayEditTracking(f); err != nil {
		return nil, err
	}
	if same(before, e) {
		return showTrackingEvent(tx, in, e), nil
	}
	if identical(tx, e) {
		return nil, described(400, identicalEvent)
	}
	e.UpdatedAt = tx.Now()
	return keepTrackingEvent(tx, in, f, e, "updated")
}

// mayEditTracking requires a fulfillment order that is on its way.
func mayEditTracking(f world.FulfillmentOrder) error {
	switch {
	case f.Status == world.Delivered:
		return described(400, alreadyDelivered)
	case !onItsWay(f):
		return described(400, mustBeDispatched)
	}
	return nil
}

// keepTrackingEvent writes a tracking event and sends its event. That of a delivery delivers, at its time, or now if it
// has none. Times are exact to the second, as in answers, so that one may be sent back.
func keepTrackingEvent(tx *world.Tx, in *api.In, f world.FulfillmentOrder, e world.TrackingEvent, act string) (any, error) {
	if e.HappenedAt.IsZero() {
		e.HappenedAt = tx.Now().Truncate(time.Second)
	}
	if err := tx.TrackingEvents.Put(e.ID, e); err != nil {
		return nil, err
	}
	tellTrackingEvent(tx, f, e, act)
	if err := deliver(tx, f, e); err != nil {
		return nil, err
	}
	return showTrackingEvent(tx, in, e), nil
}

func tellTrackingEvent(tx *world.Tx, f world.FulfillmentOrder, e world.TrackingEvent, act string) {
	tx.Emit("fulfillment_order/tracking_event_"+act, fulfillmentPayload(f, map[string]any{"tracking_event_id": e.ID, "status": e.Status}))
}

// deliver follows an event that may be that of the delivery. A second one corrects its time.
func deliver(tx *world.Tx, f world.FulfillmentOrder, e world.TrackingEvent) error {
	switch {
	case e.Status != "delivered":
		return nil
	case mayBecome(f, world.Delivered):
		f = become(tx, f, world.Delivered, e.HappenedAt)
	default:
		f.FulfilledAt, f.UpdatedAt = e.HappenedAt, tx.Now()
	}
	return keepFulfillmentOrder(tx, f)
}

func deleteTrackingEvent(tx *world.Tx, in *api.In) (any, error) {
	f, e, err := trackingEvent(tx, in)
	if err != nil {
		return nil, err
	}
	if err := mayEditTracking(f); err != nil {
		return nil, err
	}
	tx.TrackingEvents.Delete(e.ID)
	tellTrackingEvent(tx, f, e, "deleted")
	return nil, nil
}

// readTrackingEvent reads a body. An event without a time of its own has the zero
// time afterwards.
func readTrackingEvent(in *api.In, e *world.TrackingEvent) error {
	b, err := body.Read(in)
	if err != nil {
		return err
	}
	b.Text("status", &e.Status)
	if custom, ok := strings.CutPrefix(e.Status, "custom_"); !slices.Contains(trackingStatuses(), e.Status) && (!ok || custom == "") {
		b.Refuse("status", badTrackingStatus)
	}
	b.Text("description", &e.Description)
	b.Text("address", &e.Address)
	b.Object("geolocation", func(b body.Members) {
		e.Located = !b.Null()
		if !e.Located {
			e.Longitude, e.Latitude = decimal.Decimal{}, decimal.Decimal{}
		}
		b.Number("longitude", &e.Longitude)
		b.Number("latitude", &e.Latitude)
	})
	b.Time("happened_at", &e.HappenedAt)
	b.Time("estimated_delivery_at", &e.EstimatedDeliveryAt)
	b.Ignore("id", "created_at", "updated_at")
	return b.Done(in).Described()
}

// identical reports whether another event has equal members, and a time within a minute. Without a time of its own the
// event is compared with those of any time.
func identical(tx *world.Tx, e world.TrackingEvent) bool {
	return slices.ContainsFunc(trackingEventsOf(tx, e.FulfillmentOrderID), func(o world.TrackingEvent) bool {
		return o.ID != e.ID && o.Status == e.Status && o.Description == e.Description && o.Address == e.Address &&
			o.Located == e.Located && o.Longitude.Equal(e.Longitude) && o.Latitude.Equal(e.Latitude) &&
			o.EstimatedDeliveryAt.Equal(e.EstimatedDeliveryAt) &&
			(e.HappenedAt.IsZero() || o.HappenedAt.Sub(e.HappenedAt).Abs() <= time.Minute)
	})
}
