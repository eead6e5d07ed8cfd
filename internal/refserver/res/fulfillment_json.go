package res

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

type fulfillmentOrderJSON struct {
	ID               string                    `json:"id"`
	Number           string                    `json:"number"`
	TotalQuantity    int64                     `json:"total_quantity"`
	TotalWeight      json.Number               `json:"total_weight"`
	TotalPrice       priceJSON                 `json:"total_price"`
	AssignedLocation assignedLocationJSON      `json:"assigned_location"`
	LineItems        []fulfillmentLineJSON     `json:"line_items"`
	Recipient        recipientJSON             `json:"recipient"`
	Shipping         shipmentJSON              `json:"shipping"`
	Destination      destinationJSON           `json:"destination"`
	Discounts        []fulfillmentDiscountJSON `json:"discounts"`
	Status           string                    `json:"status"`
	StatusHistory    []statusChangeJSON        `json:"status_history"`
	TrackingInfo     trackingInfoJSON          `json:"tracking_info"`
	TrackingHistory  []trackingChangeJSON      `json:"tracking_info_history"`
	TrackingEvents   []any                     `json:"tracking_events"`
	FulfilledAt      any                       `json:"fulfilled_at"`
	CreatedAt        string                    `json:"created_at"`
	UpdatedAt        string                    `json:"updated_at"`
}

// priceJSON is an amount as fulfillment orders write it: a number, not a string.
type priceJSON struct {
	Value    json.Number `json:"value"`
	Currency string      `json:"currency"`
}

type assignedLocationJSON struct {
	LocationID string          `json:"location_id"`
	Name       string          `json:"name"`
	Address    destinationJSON `json:"address"`
}

type fulfillmentLineJSON struct {
	ID            string            `json:"id"`
	ExternalID    string            `json:"external_id"`
	Quantity      int64             `json:"quantity"`
	Variant       variantRefJSON    `json:"variant"`
	Product       productRefJSON    `json:"product"`
	UnitPrice     priceJSON         `json:"unit_price"`
	UnitDimension dimensionJSON     `json:"unit_dimension"`
	StockTransfer stockTransferJSON `json:"stock_transfer"`
	Kit           *kitRefJSON       `json:"kit"`
	CustomFields  map[string]any    `json:"custom_fields,omitzero"`
	CreatedAt     string            `json:"created_at"`
	UpdatedAt     string            `json:"updated_at"`
}

type variantRefJSON struct {
	ID string `json:"variant_id"`
}

type productRefJSON struct {
	ID string `json:"product_id"`
}

type dimensionJSON struct {
	Weight json.Number `json:"weight"`
	Width  json.Number `json:"width"`
	Height json.Number `json:"height"`
	Depth  json.Number `json:"depth"`
}

type stockTransferJSON struct {
	FromLocationID *string `json:"from_location_id"`
}

type recipientJSON struct {
	Name       *string `json:"name"`
	Phone      *string `json:"phone"`
	Identifier *string `json:"identifier"`
}

type destinationJSON struct {
	Zipcode        *string    `json:"zipcode"`
	Street         *string    `json:"street"`
	Number         *string    `json:"number"`
	Floor          *string    `json:"floor"`
	Locality       *string    `json:"locality"`
	City           *string    `json:"city"`
	Reference      *string    `json:"reference"`
	BetweenStreets *string    `json:"between_streets"`
	Province       regionJSON `json:"province"`
	Region         regionJSON `json:"region"`
	Country        regionJSON `json:"country"`
}

type fulfillmentDiscountJSON struct {
	Type   string    `json:"type"`
	Amount priceJSON `json:"amount"`
}

type statusChangeJSON struct {
	From       string `json:"from_status"`
	To         string `json:"to_status"`
	HappenedAt string `json:"happened_at"`
	CreatedAt  string `json:"created_at"`
}

func showFulfillmentOrder(tx *world.Tx, in *api.In, f world.FulfillmentOrder) any {
	out := fulfillmentOrderJSON{
		ID:              f.ID,
		Number:          strconv.Itoa(f.Number),
		LineItems:       []fulfillmentLineJSON{},
		Recipient:       recipientJSON{Name: api.TextOrNil(f.Recipient.Name), Phone: api.TextOrNil(f.Recipient.Phone), Identifier: api.TextOrNil(f.Recipient.Identifier)},
		Shipping:        shipmentOnWire(f),
		Destination:     destinationOnWire(f.Destination),
		Discounts:       []fulfillmentDiscountJSON{},
		Status:          string(f.Status),
		StatusHistory:   []statusChangeJSON{},
		TrackingInfo:    trackingInfoOnWire(f.Tracking),
		TrackingHistory: []trackingChangeJSON{},
		TrackingEvents:  []any{},
		FulfilledAt:     colonStampOrNil(f.FulfilledAt),
		CreatedAt:       colonStamp(f.CreatedAt),
		UpdatedAt:       colonStamp(f.UpdatedAt),
	}
	l, _ := tx.Locations.Get(f.LocationID)
	out.AssignedLocation = assignedLocationJSON{LocationID: f.LocationID, Name: locationName(tx, l), Address: destinationOnWire(locationDestination(l))}
	var weight, price decimal.Decimal
	for _, line := range f.Lines {
		n := decimal.NewFromInt(line.Quantity)
		out.TotalQuantity += line.Quantity
		weight, price = weight.Add(line.Weight.Mul(n)), price.Add(line.UnitPrice.Mul(n))
		out.LineItems = append(out.LineItems, fulfillmentLineOnWire(tx, in, f, line))
	}
	out.TotalWeight, out.TotalPrice = json.Number(weight.String()), priced(price, f.Currency)
	for _, d := range f.Discounts {
		out.Discounts = append(out.Discounts, fulfillmentDiscountJSON{Type: d.Type, Amount: priced(d.Amount, f.Currency)})
	}
	for _, c := range f.StatusHistory {
		out.StatusHistory = append(out.StatusHistory, statusChangeJSON{From: string(c.From), To: string(c.To), HappenedAt: colonStamp(c.HappenedAt), CreatedAt: colonStamp(c.CreatedAt)})
	}
	for _, c := range f.TrackingHistory {
		out.TrackingHistory = append(out.TrackingHistory, trackingChangeOnWire(c))
	}
	for _, e := range trackingEventsOf(tx, f.ID) {
		out.TrackingEvents = append(out.TrackingEvents, showTrackingEvent(tx, in, e))
	}
	return out
}

// priced is an amount in a currency.
func priced(d decimal.Decimal, currency string) priceJSON {
	return priceJSON{Value: number(d), Currency: currency}
}

// colonStamp writes a time as fulfillment orders do, with the offset +00:00.
func colonStamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05-07:00") }

func colonStampOrNil(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return colonStamp(t)
}

func fulfillmentLineOnWire(tx *world.Tx, in *api.In, f world.FulfillmentOrder, l world.FulfillmentLine) fulfillmentLineJSON {
	out := fulfillmentLineJSON{
		ID:            l.ID,
		ExternalID:    strconv.FormatInt(l.LineID, 10),
		Quantity:      l.Quantity,
		Variant:       variantRefJSON{ID: strconv.FormatInt(l.VariantID, 10)},
		Product:       productRefJSON{ID: strconv.FormatInt(l.ProductID, 10)},
		UnitPrice:     priced(l.UnitPrice, f.Currency),
		Kit:           kitRef(l.Kit),
		UnitDimension: dimensionJSON{Weight: number(l.Weight), Width: number(l.Width), Height: number(l.Height), Depth: number(l.Depth)},
		CreatedAt:     colonStamp(l.CreatedAt),
		UpdatedAt:     colonStamp(l.UpdatedAt),
	}
	if slices.Contains(in.Texts("aggregates"), "custom_fields") {
		out.CustomFields = lineFields(tx, in, l)
	}
	return out
}

// lineFields are the custom fields of a line's variant by their ids. The contract says
// that they are an object, and no more.
func lineFields(tx *world.Tx, in *api.In, l world.FulfillmentLine) map[string]any {
	out := map[string]any{}
	for _, v := range fieldValuesOf(tx, "product_variant", l.VariantID) {
		out[v.field.ID] = showFieldValue(tx, in, v)
	}
	return out
}

func destinationOnWire(d world.Destination) destinationJSON {
	return destinationJSON{
		Zipcode: api.TextOrNil(d.Zipcode), Street: api.TextOrNil(d.Street), Number: api.TextOrNil(d.Number), Floor: api.TextOrNil(d.Floor),
		Locality: api.TextOrNil(d.Locality), City: api.TextOrNil(d.City), Reference: api.TextOrNil(d.Reference), BetweenStreets: api.TextOrNil(d.BetweenStreets),
		Province: regionJSON(d.Province), Region: regionJSON(d.Region), Country: regionJSON(d.Country),
	}
}

// locationDestination is the address of a location as a destination.
func locationDestination(l world.Location) world.Destination {
	a := l.Address
	return world.Destination{
		Zipcode: a.Zipcode, Street: a.Street, Number: a.Number, Floor: a.Floor, Locality: a.Locality, City: a.City,
		Reference: a.Reference, BetweenStreets: a.BetweenStreets, Province: a.Province, Region: a.Region, Country: a.Country,
	}
}

// locationName is the name in the store's main language, whatever the country.
func locationName(tx *world.Tx, l world.Location) string {
	st := tx.Store()
	for _, locale := range slices.Sorted(maps.Keys(l.Name)) {
		if language, _, _ := strings.Cut(locale, "_"); language == st.MainLanguage {
			return l.Name[locale]
		}
	}
	return st.MainText(l.Name)
}
