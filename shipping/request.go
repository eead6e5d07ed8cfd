package shipping

import (
	"errors"
	"fmt"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Request is what the platform sends to ask for rates. A checkout sends one for each place that
// parcels leave from, so several may belong together. Texts that are null are empty.
type Request struct {
	// CartID is empty if there is no cart yet. Older requests do not have it.
	CartID  client.Code `json:"cart_id"`
	StoreID client.ID   `json:"store_id"` // who asks
	// Currency is an ISO 4217 code.
	Currency string `json:"currency"`
	// Language is a code such as es.
	Language    string       `json:"language"`
	TotalPrice  Number       `json:"total_price"` // of the items
	Origin      Place        `json:"origin"`      // where it leaves from
	Destination Place        `json:"destination"` // where it goes
	Items       []Item       `json:"items"`       // what is shipped
	Carrier     CarrierRef   `json:"carrier"`     // who is asked
	Extra       client.Extra `json:",embed"`
}

// Place is where parcels leave from or go to.
type Place struct {
	Name client.Code `json:"name"` // of who lives there, or of the location
	// LocationID is that of a location of the store; a destination has none.
	LocationID client.Code  `json:"location_id,omitzero"`
	Address    client.Code  `json:"address"`     // the street
	Number     client.Code  `json:"number"`      // house number, which may have letters
	Floor      client.Code  `json:"floor"`       // floor or apartment
	Locality   client.Code  `json:"locality"`    // quarter or part of the city
	City       client.Code  `json:"city"`        // city or town
	Province   client.Code  `json:"province"`    // province or state
	Country    client.Code  `json:"country"`     // ISO 3166-1, such as AR
	PostalCode client.Code  `json:"postal_code"` // postal code
	Phone      client.Code  `json:"phone"`       // phone number
	Extra      client.Extra `json:",embed"`
}

// Item is what is to be shipped, in a number of equal pieces.
type Item struct {
	ID           client.ID   `json:"id"`
	ProductID    client.ID   `json:"product_id"`    // the product
	Name         client.Code `json:"name"`          // of the product
	SKU          client.Code `json:"sku"`           // the merchant's own number
	Quantity     client.Int  `json:"quantity"`      // pieces
	FreeShipping bool        `json:"free_shipping"` // the product is delivered free
	// Grams is the weight of one piece.
	Grams client.Int `json:"grams"`
	// Price is that of one piece.
	Price Number `json:"price"`
	// Cost is what the merchant paid for one piece. Older requests do not have it.
	Cost       Number       `json:"cost,omitzero"`
	Dimensions Dimensions   `json:"dimensions"` // of one piece
	Extra      client.Extra `json:",embed"`
}

// Dimensions are those of one piece, in centimetres. A Number is empty if it is not known.
type Dimensions struct {
	Width  Number       `json:"width"`  // centimetres
	Height Number       `json:"height"` // centimetres
	Depth  Number       `json:"depth"`  // centimetres
	Extra  client.Extra `json:",embed"`
}

// CarrierRef is the carrier that is asked. It is zero if the request names none.
type CarrierRef struct {
	// ID is that of Carrier, as a text. Answers to a request without it are not kept, because it may be about any
	// carrier of the store.
	ID client.Code `json:"id"`
	// Name is shown to buyers.
	Name string `json:"name"`
	// Options are those of the carrier in the store [inferred: the active ones].
	Options []OptionRef  `json:"options"`
	Extra   client.Extra `json:",embed"`
}

// OptionRef is an option of the carrier that is asked. What the merchant adds is for
// information: the platform adds it to the rates.
type OptionRef struct {
	// ID is that of Option, as a text.
	ID                client.Code  `json:"id"`
	Name              string       `json:"name"`                // as the buyer sees it
	Code              string       `json:"code"`                // what a rate names
	AllowFreeShipping bool         `json:"allow_free_shipping"` // the merchant lets it be free
	AdditionalCost    Cost         `json:"additional_cost"`     // what the merchant adds to the price
	AdditionalDays    client.Int   `json:"additional_days"`     // what the merchant adds to the dates
	Extra             client.Extra `json:",embed"`
}

// Cost is an amount with its currency, an ISO 4217 code. It is read from an object, from an amount alone, as a number
// or a text, which has the currency of the request, and from null, [] and "", which are the zero Cost.
type Cost struct {
	Amount   Number       `json:"amount"`   // exact
	Currency string       `json:"currency"` // such as ARS
	Extra    client.Extra `json:",embed"`
}

// ErrMalformed is why a callback is not read: it is not strict JSON, or lacks what every one has.
var ErrMalformed = errors.New("malformed request")

// forms read requests faster than the general decoder does, and as strictly.
var forms = wire.NewForms()

// ReadRequest reads the body of a rate callback. Duplicate members, invalid UTF-8, more than 64 levels
// and more than 20,000 values are refused by an error that wraps ErrMalformed and does
// not quote the body. Where the platform prints [] for an object that it does not have, there is none. A
// request is refused too that no rate could be made for: without store or items, with a
// quantity below 1, a weight or size below 0, or a quantity or weight in grams above 1,000,000,000. The error names the
// members that are wrong, with the form of each value and the rule, and quotes none.
func ReadRequest(body []byte) (*Request, error) {
	r := new(Request)
	err := forms.UnmarshalStrict(body, r)
	if err != nil {
		if relaxed, failed := relax(body); failed == nil {
			*r, body = Request{}, relaxed
			err = forms.UnmarshalStrict(body, r)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMalformed, misread[Request](body, err, "a rate callback"))
	}
	if err := r.check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	return r, nil
}

// account is whom the request asks.
func (r *Request) account() account { return account{r.StoreID, r.Carrier.ID} }

// most bounds quantities and weights, so that sums over a request stay exact.
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
