package carrier

import (
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// requestJSON is what a carrier is sent.
type requestJSON struct {
	CartID      *string     `json:"cart_id"`
	StoreID     int64       `json:"store_id"`
	Currency    string      `json:"currency"`
	Language    string      `json:"language"`
	TotalPrice  json.Number `json:"total_price"`
	Origin      originJSON  `json:"origin"`
	Destination placeJSON   `json:"destination"`
	Items       []itemJSON  `json:"items"`
	Carrier     carrierJSON `json:"carrier,omitzero"`
}

type originJSON struct {
	Name       *string `json:"name"`
	LocationID string  `json:"location_id"`
	whereJSON
}

type placeJSON struct {
	Name *string `json:"name"`
	whereJSON
}

type whereJSON struct {
	Address    *string `json:"address"`
	Number     *string `json:"number"`
	Floor      *string `json:"floor"`
	Locality   *string `json:"locality"`
	City       *string `json:"city"`
	Province   *string `json:"province"`
	Country    *string `json:"country"`
	PostalCode *string `json:"postal_code"`
	Phone      *string `json:"phone"`
}

type itemJSON struct {
	ID           int64         `json:"id"`
	ProductID    int64         `json:"product_id"`
	Name         string        `json:"name"`
	SKU          *string       `json:"sku"`
	Quantity     int64         `json:"quantity"`
	FreeShipping bool          `json:"free_shipping"`
	Grams        int64         `json:"grams"`
	Price        json.Number   `json:"price"`
	Cost         *json.Number  `json:"cost"`
	Dimensions   dimensionJSON `json:"dimensions"`
}

type dimensionJSON struct {
	Width  json.Number `json:"width"`
	Height json.Number `json:"height"`
	Depth  json.Number `json:"depth"`
}

type carrierJSON struct {
	ID      string       `json:"id"`
	Name    string       `json:"name"`
	Options []optionJSON `json:"options"`
}

type optionJSON struct {
	ID                string `json:"id"`
	Name              string `json:"name"`
	Code              string `json:"code"`
	AllowFreeShipping bool   `json:"allow_free_shipping"`
	AdditionalCost    any    `json:"additional_cost"` // costJSON, or its amount alone
	AdditionalDays    int    `json:"additional_days"`
}

type costJSON struct {
	Amount   json.Number `json:"amount"`
	Currency string      `json:"currency"`
}

// request is the body for one carrier about one origin.
func request(st world.Store, p Parcel, from origin, c world.Carrier, options []world.CarrierOption) requestJSON {
	a := from.location.Address
	out := requestJSON{
		StoreID:  st.ID,
		Currency: st.MainCurrency,
		Language: st.MainLanguage,
		Origin: originJSON{LocationID: from.location.ID, whereJSON: where(Address{
			Address: a.Street, Number: a.Number, Floor: a.Floor, Locality: a.Locality, City: a.City,
			Province: a.Province.Name, Country: a.Country.Code, PostalCode: a.Zipcode,
		})},
		Destination: placeJSON{api.TextOrNil(p.To.Name), where(p.To)},
		Items:       []itemJSON{},
		Carrier:     carrierJSON{ID: text(c.ID), Name: c.Name, Options: []optionJSON{}},
	}
	if p.CartID != 0 {
		out.CartID = api.TextOrNil(text(p.CartID))
	}
	if p.Language != "" {
		out.Language = p.Language
	}
	total := decimal.Zero
	for _, i := range from.items {
		total = total.Add(i.Price.Mul(decimal.NewFromInt(i.Quantity)))
		item := itemJSON{
			ID: i.ID, ProductID: i.ProductID, Name: i.Name, SKU: api.TextOrNil(i.SKU), Quantity: i.Quantity, FreeShipping: i.FreeShipping,
			Grams: i.Grams, Price: number(i.Price, 2), Dimensions: dimensionJSON{number(i.Width, 1), number(i.Height, 1), number(i.Depth, 1)},
		}
		if i.Cost.Valid {
			cost := number(i.Cost.Decimal, 2)
			item.Cost = &cost
		}
		out.Items = append(out.Items, item)
	}
	out.TotalPrice = number(total, 2)
	for _, o := range options {
		out.Carrier.Options = append(out.Carrier.Options, optionJSON{
			ID: text(o.ID), Name: o.Name, Code: o.Code, AllowFreeShipping: o.AllowFreeShipping,
			AdditionalCost: costJSON{number(o.AdditionalCost, 2), st.MainCurrency}, AdditionalDays: o.AdditionalDays,
		})
	}
	return out
}

func where(a Address) whereJSON {
	return whereJSON{
		Address: api.TextOrNil(a.Address), Number: api.TextOrNil(a.Number), Floor: api.TextOrNil(a.Floor), Locality: api.TextOrNil(a.Locality), City: api.TextOrNil(a.City),
		Province: api.TextOrNil(a.Province), Country: api.TextOrNil(a.Country), PostalCode: api.TextOrNil(a.PostalCode), Phone: api.TextOrNil(a.Phone),
	}
}

// by is the request as the rules have it. The key stays that of the carrier.
func (r requestJSON) by(rules Rules) requestJSON {
	if rules.NoCarrier {
		r.Carrier = carrierJSON{}
	}
	if rules.PlainCost {
		for i, o := range r.Carrier.Options {
			r.Carrier.Options[i].AdditionalCost = o.AdditionalCost.(costJSON).Amount
		}
	}
	return r
}

// key is equal for identical requests. It is the MD5 of the carrier's id, the fields of the origin and the destination,
// and an MD5 for each item, joined with colons. That of an item is of its id, quantity, grams, width, height and depth.
func (r requestJSON) key() string {
	parts := []string{r.Carrier.ID, orEmpty(r.Origin.Name), r.Origin.LocationID}
	parts = append(parts, r.Origin.fields()...)
	parts = append(parts, orEmpty(r.Destination.Name))
	parts = append(parts, r.Destination.fields()...)
	for _, i := range r.Items {
		parts = append(parts, digest(text(i.ID), text(i.Quantity), text(i.Grams),
			string(i.Dimensions.Width), string(i.Dimensions.Height), string(i.Dimensions.Depth)))
	}
	return digest(parts...)
}

func (w whereJSON) fields() []string {
	var out []string
	for _, f := range []*string{w.Address, w.Number, w.Floor, w.Locality, w.City, w.Province, w.Country, w.PostalCode, w.Phone} {
		out = append(out, orEmpty(f))
	}
	return out
}

// digest is the MD5 that the contract names. Nothing secret depends on it.
func digest(parts ...string) string {
	sum := md5.Sum([]byte(strings.Join(parts, ":")))
	return hex.EncodeToString(sum[:])
}

func text(n int64) string { return strconv.FormatInt(n, 10) }

// number writes a decimal with at least the given places, so that equal ones are written alike.
func number(d decimal.Decimal, places int32) json.Number {
	for d.Exponent() < -places {
		less := d.Truncate(-d.Exponent() - 1)
		if !less.Equal(d) {
			break
		}
		d = less
	}
	return json.Number(d.StringFixed(max(places, -d.Exponent())))
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
