package shipping

import "github.com/commerceplatform/commerce-go/client"

// Quote is what rates may depend on: the members of a Request that are in its Key. The
// platform shows an answer to all requests with the same key, so a rate that depends on a
// price, the language or the cart would be shown to the wrong buyer. It belongs to the function
// that gets it, which may change it.
type Quote struct {
	StoreID client.ID // who asks
	// CarrierID is that of Carrier, as a text.
	CarrierID   client.Code
	Origin      Place    // where it leaves from
	Destination Place    // where it goes
	Items       []Parcel // what is shipped
	// Volatile is the whole request if Handler.Volatile is set, else nil.
	Volatile *Request
}

// Key is Request.Key of the request that the quote is of, for caches of the app: the platform shows rates to all
// requests of a store with one key. It is that of the quote as it is, so call it before a change. StoreID is not in it.
func (q Quote) Key() Key {
	r := Request{Carrier: CarrierRef{ID: q.CarrierID}, Origin: q.Origin, Destination: q.Destination, Items: make([]Item, len(q.Items))}
	for i, p := range q.Items {
		r.Items[i] = Item{ID: p.ID, Quantity: client.Int(p.Quantity), Grams: client.Int(p.Grams)}
		r.Items[i].Dimensions.Width, r.Items[i].Dimensions.Height, r.Items[i].Dimensions.Depth = p.Width, p.Height, p.Depth
	}
	return r.Key()
}

// Parcel is what is to be shipped, in a number of equal pieces.
type Parcel struct {
	ID       client.ID
	Quantity int64 // pieces
	Grams    int64 // of one piece
	// Width, Height and Depth are those of one piece, in centimetres; empty if not known.
	Width, Height, Depth Number
}

// Quote returns what rates for the request may depend on. It is for trying a function out.
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

// Grams is what all pieces of all items weigh, or the greatest integer if that is more.
func (q Quote) Grams() int64 {
	const greatest = 1<<63 - 1
	sum := int64(0)
	for _, p := range q.Items {
		weight := p.Quantity * p.Grams // of at most 10^9 each
		if sum > greatest-weight {
			return greatest
		}
		sum += weight
	}
	return sum
}

// Pieces is the number of all pieces of all items.
func (q Quote) Pieces() int64 {
	sum := int64(0)
	for _, p := range q.Items {
		sum += p.Quantity
	}
	return sum
}
