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
	StockPriceBatch   int // variants of one PATCH /products/stock-price
	ProductIDs        int // ids of one GET /products?ids=
	Disputes          int // per transaction
	BodyBytes         int64
	CodeLifetime      time.Duration
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
		StockPriceBatch:   50,
		ProductIDs:        30,
		Disputes:          3,
		BodyBytes:         16 << 20,
		CodeLifetime:      5 * time.Minute,
		CheckoutReadable:  30 * day,
		CheckoutKept:      90 * day,
		CheckoutRevivable: 6 * time.Hour,
	}
}
