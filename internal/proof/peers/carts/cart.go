package carts

import (
	"strconv"

	"github.com/shopspring/decimal"
)

// cart has a field for each member of a cart.
type cart struct {
	ID       string `json:"cart_id"`
	StoreID  string `json:"store_id"`
	Tier     string `json:"execution_tier"`
	Customer struct {
		ID string `json:"id"`
	} `json:"customer"`
	Currency string `json:"currency"`
	Language string `json:"language"`
	Shipping struct {
		Country    string          `json:"country"`
		City       string          `json:"city"`
		PostalCode string          `json:"postalcode"`
		Cost       decimal.Decimal `json:"cost"`
	} `json:"shipping"`
	Package struct {
		Weight decimal.Decimal `json:"weight"`
	} `json:"package"`
	Payment struct {
		CreditCardCompany string `json:"credit_card_company"`
		Method            string `json:"method"`
		Installments      int    `json:"installments"`
	} `json:"payment"`
	Products []line `json:"products"`
	Totals   struct {
		Subtotal      decimal.Decimal `json:"subtotal"`
		TotalDiscount decimal.Decimal `json:"total_discount"`
		Total         decimal.Decimal `json:"total"`
	} `json:"totals"`
	Promotions []struct {
		ID        string   `json:"id"`
		LineItems []lineID `json:"line_items"`
	} `json:"promotions"`
	Coupons []string `json:"coupons"`
	UTM     []struct {
		Source    string `json:"utm_source"`
		Medium    string `json:"utm_medium"`
		Campaign  string `json:"utm_campaign"`
		Term      string `json:"utm_term"`
		Content   string `json:"utm_content"`
		Timestamp int64  `json:"timestamp"`
	} `json:"utm"`
	SoldBy string `json:"sold_by"`
}

type line struct {
	ID             int64           `json:"id"`
	Price          decimal.Decimal `json:"price"`
	CompareAtPrice decimal.Decimal `json:"compare_at_price"`
	ProductID      int64           `json:"product_id"`
	Quantity       int             `json:"quantity"`
	FreeShipping   bool            `json:"free_shipping"`
	VariantID      int64           `json:"variant_id"`
	VariantValues  []string        `json:"variant_values"`
	Categories     []struct {
		ID            int64   `json:"id"`
		Parent        int64   `json:"parent"`
		Subcategories []int64 `json:"subcategories"`
	} `json:"categories"`
	Properties     map[string]string `json:"properties"`
	CatalogKitID   *string           `json:"catalog_kit_id"`
	OrderKitID     *string           `json:"order_kit_id"`
	KitQuantity    *int              `json:"kit_quantity"`
	QuantityPerKit *int              `json:"quantity_per_kit"`
}

// lineID is the id of a line, which the platform sends as a number and as a text.
type lineID int64

// UnmarshalJSON implements json.Unmarshaler.
func (id *lineID) UnmarshalJSON(data []byte) error {
	if len(data) > 1 && data[0] == '"' {
		data = data[1 : len(data)-1]
	}
	n, err := strconv.ParseInt(string(data), 10, 64)
	*id = lineID(n)
	return err
}
