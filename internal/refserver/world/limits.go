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
	CustomFieldName   int // characters, of product fields
	CustomFieldText   int // characters of a description, of product fields
	CustomFieldValue  int // characters, of product fields
	BodyBytes         int64
	CodeLifetime      time.Duration
	LabelPatience     time.Duration // until a label that is not ready has failed
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
		CustomFieldName:   60,
		CustomFieldText:   150,
		CustomFieldValue:  250,
		BodyBytes:         16 << 20,
		CodeLifetime:      5 * time.Minute,
		LabelPatience:     30 * time.Minute,
		CheckoutReadable:  30 * day,
		CheckoutKept:      90 * day,
		CheckoutRevivable: 6 * time.Hour,
	}
}
