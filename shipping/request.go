package shipping

import (
	"cmp"
	"fmt"
	"reflect"

	"github.com/oklog/ulid/v2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/callback"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Request is the platform's request for rates. A checkout sends one for each place from which parcels leave, so one
// checkout can cause several requests. Null strings are empty.
type Request struct {
	// CartID is empty if there is no cart yet, and in older requests.
	CartID  client.Code `json:"cart_id"`
	StoreID client.ID   `json:"store_id"` // the store
	// Currency is an ISO 4217 code.
	Currency string `json:"currency"`
	// Language is a code such as es.
	Language    string       `json:"language"`
	TotalPrice  Number       `json:"total_price"` // of all items
	Origin      Place        `json:"origin"`      // where the parcel is sent from
	Destination Place        `json:"destination"` // where the parcel is sent to
	Items       []Item       `json:"items"`       // the content
	Carrier     CarrierRef   `json:"carrier"`     // the requested carrier
	Extra       client.Extra `json:",embed"`
}

// Place is an origin or a destination of parcels.
type Place struct {
	Name client.Code `json:"name"` // of the recipient or the location
	// LocationID is the id of a location of the store. It is empty for a destination.
	LocationID client.Code  `json:"location_id,omitzero"`
	Address    client.Code  `json:"address"`     // the street
	Number     client.Code  `json:"number"`      // house number, may contain letters
	Floor      client.Code  `json:"floor"`       // floor or apartment
	Locality   client.Code  `json:"locality"`    // quarter or part of the city
	City       client.Code  `json:"city"`        // city or town
	Province   client.Code  `json:"province"`    // province or state
	Country    client.Code  `json:"country"`     // ISO 3166-1, such as AR
	PostalCode client.Code  `json:"postal_code"` // postal code
	Phone      client.Code  `json:"phone"`       // phone number
	Extra      client.Extra `json:",embed"`
}

// Item is an item to be shipped, with the number of its pieces.
type Item struct {
	ID           client.ID   `json:"id"`
	ProductID    client.ID   `json:"product_id"`    // the product
	Name         client.Code `json:"name"`          // of the product
	SKU          client.Code `json:"sku"`           // the merchant's own number
	Quantity     client.Int  `json:"quantity"`      // number of pieces
	FreeShipping bool        `json:"free_shipping"` // the product has free shipping
	// Grams is the weight of one piece.
	Grams client.Int `json:"grams"`
	// Price is the price of one piece.
	Price Number `json:"price"`
	// Cost is the merchant's cost of one piece. Older requests do not have it.
	Cost       Number       `json:"cost,omitzero"`
	Dimensions Dimensions   `json:"dimensions"` // of one piece
	Extra      client.Extra `json:",embed"`
}

// Dimensions is the size of one piece, in centimetres. An unknown Number is empty.
type Dimensions struct {
	Width  Number       `json:"width"`  // centimetres
	Height Number       `json:"height"` // centimetres
	Depth  Number       `json:"depth"`  // centimetres
	Extra  client.Extra `json:",embed"`
}

// CarrierRef is the carrier of a request. It is zero if the request names none.
type CarrierRef struct {
	// ID is the id of the Carrier, as a string. Answers to a request without it are not cached, because they could be
	// for any carrier of the store.
	ID client.Code `json:"id"`
	// Name is displayed to customers.
	Name string `json:"name"`
	// Options are the options of the carrier in the store [inferred: the active ones].
	Options []OptionRef  `json:"options"`
	Extra   client.Extra `json:",embed"`
}

// OptionRef is an option of the requested carrier. AdditionalCost and AdditionalDays are for information only: the
// platform adds them to the rates.
type OptionRef struct {
	// ID is the id of the Option, as a string.
	ID                client.Code  `json:"id"`
	Name              string       `json:"name"`                // displayed to the customer
	Code              string       `json:"code"`                // the code that a rate must have
	AllowFreeShipping bool         `json:"allow_free_shipping"` // the merchant allows free shipping
	AdditionalCost    Cost         `json:"additional_cost"`     // added to the price
	AdditionalDays    client.Int   `json:"additional_days"`     // added to the delivery dates
	Extra             client.Extra `json:",embed"`
}

// Cost is an amount with its currency, an ISO 4217 code. It is read from an object, or from a plain number or string.
// Without a currency it is in the currency of the request. Null, [] and "" are read as the zero Cost.
type Cost struct {
	Amount   Number       `json:"amount"`   // exact
	Currency string       `json:"currency"` // such as ARS
	Extra    client.Extra `json:",embed"`
}

// forms decodes requests as strictly as the general decoder, but faster.
var forms = callback.Forms(wire.Reads(readNumber))

// ReadRequest reads the body of a rate callback. It rejects duplicate members, invalid UTF-8, more than 64 levels and
// more than 20,000 values. The error wraps ErrMalformed and does not quote the body. An empty list in place of an
// object means that there is no object. ReadRequest also rejects requests for which no rate is possible:
//
//   - without store or items
//   - with a quantity below 1, or a negative weight or size
//   - with a quantity or a weight in grams above 1,000,000,000
//
// The store and the members of the Key must have the form of the contract. Other members in another form are zero: a
// Quote does not contain them. A Handler reports them as ErrMalformed, and answers. If Handler.Volatile is set, it
// rejects the request instead.
//
// The error names the invalid members, with the form of each value and the rule. It contains no values except
// numbers that are out of range.
func ReadRequest(body []byte) (*Request, error) {
	r, _, err := readRequest(body)
	return r, err
}

// loose are requests in other forms. No rate depends on members outside of the Key.
var loose = callback.Loose{
	Of: "a rate callback",
	Needed: []string{
		"store_id", "origin", "destination.name", "destination.address", "destination.number", "destination.floor",
		"destination.locality", "destination.city", "destination.province", "destination.country",
		"destination.postal_code", "destination.phone", "items.id", "items.quantity", "items.grams", "items.dimensions",
		"carrier.id",
	},
	RuleOf: ruleOf,
	Own: []wire.Option{wire.ReadBy(func(raw []byte, c *Cost) error {
		*c = Cost{}
		return c.Amount.UnmarshalJSON(raw)
	})},
}

// ruleOf describes the JSON from which a type is read.
func ruleOf(t reflect.Type) string {
	switch t {
	case reflect.TypeFor[Number]():
		return numberRule
	case reflect.TypeFor[Cost]():
		return "an amount"
	case reflect.TypeFor[ulid.ULID]():
		return "a ULID"
	}
	return callback.RuleOf(t)
}

// readRequest also returns an error that names the members that could not be read, although the request could.
func readRequest(body []byte) (r *Request, ignored, err error) {
	r = new(Request)
	if forms.UnmarshalStrict(body, r) != nil {
		if ignored, err = loose.Read(body, r, nil); err != nil {
			return nil, nil, err
		}
	}
	if err := r.check(); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	for i := range r.Carrier.Options {
		if c := &r.Carrier.Options[i].AdditionalCost; c.Amount != "" {
			c.Currency = cmp.Or(c.Currency, r.Currency)
		}
	}
	return r, ignored, nil
}

// account returns the store and the carrier of the request.
func (r *Request) account() account { return account{r.StoreID, r.Carrier.ID} }

// most bounds quantities and weights, so that sums over a request are exact.
const most = 1_000_000_000

func (r *Request) check() error {
	switch {
	case r.StoreID <= 0:
		return engine.Invalid("store_id", r.StoreID, "an integer above 0")
	case len(r.Items) == 0:
		return engine.Invalid("items", 0, "one at least")
	}
	for i := range r.Items {
		it := &r.Items[i]
		field := func(name string) string { return fmt.Sprintf("items[%d].%s", i, name) }
		switch {
		case it.Quantity < 1 || it.Quantity > most:
			return engine.Invalid(field("quantity"), it.Quantity, "1 to 1000000000")
		case it.Grams < 0 || it.Grams > most:
			return engine.Invalid(field("grams"), it.Grams, "0 to 1000000000")
		}
		for _, n := range []Number{it.Dimensions.Width, it.Dimensions.Height, it.Dimensions.Depth} {
			if len(n) > 0 && n[0] == '-' {
				return engine.Invalid(field("dimensions"), n, "0 or more")
			}
		}
	}
	return nil
}
