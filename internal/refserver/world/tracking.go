package world

import (
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/table"
)

// TrackingInfo is how a parcel is followed at its carrier. Texts are empty for null.
type TrackingInfo struct {
	URL  string
	Code string
}

// TrackingChange is one entry of a tracking history.
type TrackingChange struct {
	From, To   TrackingInfo
	HappenedAt time.Time
	CreatedAt  time.Time
	// AppID is the app that made the change, 0 for none.
	AppID int64
}

// TrackingEvent is something that happened to a fulfillment order on its way.
type TrackingEvent struct {
	// ID is a ULID.
	ID string
	// LegacyID is the id of the same event as a legacy fulfillment.
	LegacyID           int64
	FulfillmentOrderID string
	Status             string
	Description        string
	Address            string
	// City, Province and Country are only in legacy fulfillments.
	City     string
	Province string
	Country  string
	// Located is set if there is a place.
	Located             bool
	Longitude, Latitude decimal.Decimal
	HappenedAt          time.Time
	// EstimatedDeliveryAt is zero for null.
	EstimatedDeliveryAt time.Time
	CreatedAt           time.Time
	UpdatedAt           time.Time
}

// Indexes find the events of a fulfillment order.
func (e TrackingEvent) Indexes() []table.Entry {
	return []table.Entry{table.Multi("fulfillment_order", e.FulfillmentOrderID)}
}
