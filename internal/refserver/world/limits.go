package world

import "time"

// Limits are the numbers of the contract as data, so that a test may lower them.
type Limits struct {
	Products          int
	Categories        int
	Images            int // per product
	Variants          int // per product
	Attributes        int // per product
	SEOTitle          int // characters
	SEODescription    int // characters
	CategoryText      int // characters of a category's description
	ImageBytes        int
	OrdersPerQuery    int
	PageSize          int
	MaxPageSize       int
	TrackingEvents    int // per fulfillment order
	LabelBatch        int // fulfillment orders of one PATCH /fulfillment-orders/labels/status
	Labels            int // per fulfillment order of it
	StockPriceBatch   int // variants of one PATCH /products/stock-price
	ProductIDs        int // ids of one GET /products?ids=
	Disputes          int // per transaction
	TableCustomers    int // ids of one PUT /products/price-tables/{id}/customers
	CustomFieldName   int // characters, of product fields
	CustomFieldText   int // characters of a description, of product fields
	CustomFieldValue  int // characters, of product fields
	BodyBytes         int64
	CodeLifetime      time.Duration
	LabelPatience     time.Duration // of a label in a status that must change
	RateTimeout       time.Duration // of a carrier's answer to a request for rates
	RateReuse         time.Duration // of an answer 200 to a request for rates
	RefusalReuse      time.Duration // of an answer 422 to it
	PickupRates       int           // per option
	CircuitWindow     time.Duration // in which the requests to a carrier are counted
	CircuitRequests   int           // in the window, before a circuit opens
	CircuitFailures   int           // percent of the requests
	CircuitPause      time.Duration // until an open circuit lets requests through
	CircuitProbes     int           // of them, before the circuit is judged again
	LabelRequest      int           // labels of one call to a carrier
	LabelTimeout      time.Duration // of a carrier's answer to it
	LabelRepeats      int           // of a call that was not answered in time
	LabelWait         time.Duration // before each of them
	LabelDeadline     time.Duration // until a label has failed, however far it is
	CheckoutReadable  time.Duration
	CheckoutKept      time.Duration
	CheckoutRevivable time.Duration
}

// Contract returns the limits as the contract has them. It names none for the
// size of a body; 16 MB holds an image as Base64.
func Contract() Limits {
	const day = 24 * time.Hour
	return Limits{
		Products:          100000,
		Categories:        5000,
		Images:            250,
		Variants:          1000,
		Attributes:        3,
		SEOTitle:          70,
		SEODescription:    320,
		CategoryText:      65535,
		ImageBytes:        10 << 20,
		OrdersPerQuery:    10000,
		PageSize:          30,
		MaxPageSize:       200,
		TrackingEvents:    100,
		LabelBatch:        200,
		Labels:            10,
		StockPriceBatch:   50,
		ProductIDs:        30,
		Disputes:          3,
		TableCustomers:    10000,
		CustomFieldName:   60,
		CustomFieldText:   150,
		CustomFieldValue:  250,
		BodyBytes:         16 << 20,
		CodeLifetime:      5 * time.Minute,
		LabelPatience:     30 * time.Minute,
		RateTimeout:       5 * time.Second,
		RateReuse:         15 * time.Minute,
		RefusalReuse:      time.Minute,
		PickupRates:       10,
		CircuitWindow:     30 * time.Minute,
		CircuitRequests:   500,
		CircuitFailures:   50,
		CircuitPause:      5 * time.Minute,
		CircuitProbes:     10,
		LabelRequest:      50,
		LabelTimeout:      5 * time.Second,
		LabelRepeats:      3,
		LabelWait:         2 * time.Second,
		LabelDeadline:     time.Hour,
		CheckoutReadable:  30 * day,
		CheckoutKept:      90 * day,
		CheckoutRevivable: 6 * time.Hour,
	}
}
