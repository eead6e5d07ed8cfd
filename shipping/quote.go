package shipping

import "github.com/commerceplatform/commerce-go/client"

// Quote is the part of a Request on which rates may depend: the members of its Key. The platform uses an answer for
// all requests with the same key. A rate that depends on a price, the language or the cart would be displayed to
// other customers. The function owns its Quote and may change it.
type Quote struct {
	StoreID client.ID // the store
	// CarrierID is the id of the Carrier, as a string.
	CarrierID   client.Code
	Origin      Place    // where the parcel is sent from
	Destination Place    // where the parcel is sent to
	Items       []Parcel // the content
	// Volatile is the whole request if Handler.Volatile is set; otherwise nil.
	Volatile *Request
}

// Key returns the Request.Key of the quote's request, for caches of the app. The platform uses the same rates for all
// requests of a store with the same key. Key is computed from the present members, so call it before you change the
// quote. It does not cover StoreID.
func (q Quote) Key() Key {
	r := Request{Carrier: CarrierRef{ID: q.CarrierID}, Origin: q.Origin, Destination: q.Destination, Items: make([]Item, len(q.Items))}
	for i, p := range q.Items {
		r.Items[i] = Item{ID: p.ID, Quantity: client.Int(p.Quantity), Grams: client.Int(p.Grams)}
		r.Items[i].Dimensions.Width, r.Items[i].Dimensions.Height, r.Items[i].Dimensions.Depth = p.Width, p.Height, p.Depth
	}
	return r.Key()
}

// Parcel is an item to be shipped, with the number of its pieces.
type Parcel struct {
	ID       client.ID
	Quantity int64 // number of pieces
	Grams    int64 // of one piece
	// Width, Height and Depth are the size of one piece, in centimetres; empty if unknown.
	Width, Height, Depth Number
}

// Quote returns the quote for the request. Use it in tests of a function.
func (r *Request) Quote() Quote {
	q := Quote{StoreID: r.StoreID, CarrierID: r.Carrier.ID, Origin: r.Origin, Destination: r.Destination, Items: make([]Parcel, len(r.Items))}
	q.Origin.Extra, q.Destination.Extra, q.Destination.LocationID = nil, nil, ""
	for i := range r.Items {
		it := &r.Items[i]
		d := it.Dimensions
		q.Items[i] = Parcel{it.ID, int64(it.Quantity), int64(it.Grams), d.Width, d.Height, d.Depth}
	}
	return q
}

// Grams returns the total weight of all pieces, or the maximum of int64 if that is exceeded.
func (q Quote) Grams() int64 {
	const greatest = 1<<63 - 1
	sum := int64(0)
	for _, p := range q.Items {
		weight := p.Quantity * p.Grams // each is at most 10^9
		if sum > greatest-weight {
			return greatest
		}
		sum += weight
	}
	return sum
}

// Pieces returns the total number of pieces.
func (q Quote) Pieces() int64 {
	sum := int64(0)
	for _, p := range q.Items {
		sum += p.Quantity
	}
	return sum
}
