package shop

import (
	"encoding/json"
	"strconv"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// payloadJSON is a cart as apps are sent it. Ids of lines are numbers in products and
// texts in promotions.
type payloadJSON struct {
	CartID        string        `json:"cart_id"`
	StoreID       string        `json:"store_id"`
	ExecutionTier world.Tier    `json:"execution_tier"`
	Customer      customerJSON  `json:"customer"`
	Currency      string        `json:"currency"`
	Language      string        `json:"language"`
	Shipping      shippingJSON  `json:"shipping"`
	Package       packageJSON   `json:"package"`
	Payment       paymentJSON   `json:"payment"`
	Products      []productJSON `json:"products"`
	Totals        totalsJSON    `json:"totals"`
	Promotions    any           `json:"promotions"`
	Coupons       []string      `json:"coupons"`
	UTM           []utmJSON     `json:"utm"`
	SoldBy        *string       `json:"sold_by"`
}

type customerJSON struct {
	ID *string `json:"id"`
}

type shippingJSON struct {
	Country    *string `json:"country"`
	City       *string `json:"city"`
	Postalcode *string `json:"postalcode"`
	Cost       string  `json:"cost"`
}

type packageJSON struct {
	Weight string `json:"weight"`
}

type paymentJSON struct {
	CreditCardCompany *string `json:"credit_card_company"`
	Method            *string `json:"method"`
	Installments      any     `json:"installments"`
}

type productJSON struct {
	ID             int64          `json:"id"`
	Price          string         `json:"price"`
	CompareAtPrice string         `json:"compare_at_price"`
	ProductID      int64          `json:"product_id"`
	Quantity       int64          `json:"quantity"`
	FreeShipping   bool           `json:"free_shipping"`
	VariantID      int64          `json:"variant_id"`
	VariantValues  []string       `json:"variant_values"`
	Categories     []CategoryJSON `json:"categories"`
	Properties     any            `json:"properties"`
	CatalogKitID   *int64         `json:"catalog_kit_id"`
	OrderKitID     *int64         `json:"order_kit_id"`
	KitQuantity    *int64         `json:"kit_quantity"`
	QuantityPerKit *int64         `json:"quantity_per_kit"`
}

// CategoryJSON is a category as apps are sent it.
type CategoryJSON struct {
	ID            int64   `json:"id"`
	Parent        *int64  `json:"parent"`
	Subcategories []int64 `json:"subcategories"`
}

type totalsJSON struct {
	Subtotal      string `json:"subtotal"`
	TotalDiscount string `json:"total_discount"`
	Total         string `json:"total"`
}

type appliedJSON struct {
	ID        string   `json:"id"`
	LineItems []string `json:"line_items"`
}

type utmJSON struct {
	Source    *string `json:"utm_source"`
	Medium    *string `json:"utm_medium"`
	Campaign  *string `json:"utm_campaign"`
	Term      *string `json:"utm_term"`
	Content   *string `json:"utm_content"`
	Timestamp int64   `json:"timestamp"`
}

// payload writes a cart for a tier.
func (s *Storefront) payload(tx *world.Tx, c cart, tier world.Tier) ([]byte, error) {
	v := view(tx, c)
	out := payloadJSON{
		CartID:        strconv.FormatInt(c.ID, 10),
		StoreID:       strconv.FormatInt(s.store, 10),
		ExecutionTier: tier,
		Customer:      customerJSON{idOrNull(c.CustomerID)},
		Currency:      c.Currency,
		Language:      c.Language,
		Shipping:      shippingJSON{api.TextOrNil(c.Country), api.TextOrNil(c.City), api.TextOrNil(c.Zipcode), cost(c.ShippingCost)},
		Payment:       paymentJSON{api.TextOrNil(c.CreditCardCompany), api.TextOrNil(c.PaymentMethod), max(c.Installments, 1)},
		Products:      []productJSON{},
		Totals:        totalsJSON{money(v.Subtotal), money(v.Promotions.Add(v.Coupon)), money(v.Total)},
		Promotions:    s.applied(c),
		Coupons:       append([]string{}, v.Coupons...),
		UTM:           []utmJSON{},
		SoldBy:        api.TextOrNil(c.SoldBy),
	}
	if s.options.LooseForms {
		out.Payment.Installments = strconv.Itoa(max(c.Installments, 1))
	}
	var weight decimal.Decimal
	for _, l := range v.Lines {
		weight = weight.Add(l.Weight.Mul(decimal.NewFromInt(l.Quantity)))
		out.Products = append(out.Products, s.product(tx, l))
	}
	out.Package.Weight = weight.StringFixed(3)
	for _, u := range c.UTM {
		out.UTM = append(out.UTM, utmJSON{api.TextOrNil(u.Source), api.TextOrNil(u.Medium), api.TextOrNil(u.Campaign), api.TextOrNil(u.Term), api.TextOrNil(u.Content), u.Timestamp})
	}
	return api.Encode(out)
}

func (s *Storefront) product(tx *world.Tx, l Line) productJSON {
	out := productJSON{
		ID:             l.ID,
		Price:          money(l.Price),
		CompareAtPrice: money(l.CompareAtPrice.Decimal),
		ProductID:      l.ProductID,
		Quantity:       l.Quantity,
		FreeShipping:   l.FreeShipping,
		VariantID:      l.VariantID,
		VariantValues:  append([]string{}, l.VariantValues...),
		Categories:     CategoriesOf(tx, l.ProductID),
		Properties:     l.Properties,
	}
	if len(l.Properties) == 0 {
		out.Properties = map[string]json.RawMessage{}
		if s.options.LooseForms {
			out.Properties = []json.RawMessage{}
		}
	}
	if k := l.Kit; k != nil {
		out.CatalogKitID, out.OrderKitID, out.KitQuantity, out.QuantityPerKit = &k.Catalog, &k.Order, &k.Quantity, &k.Each
	}
	return out
}

// CategoriesOf are the categories of a product as apps are sent them.
func CategoriesOf(tx *world.Tx, product int64) []CategoryJSON {
	out := []CategoryJSON{}
	p, _ := tx.Products.Get(product)
	for _, id := range p.Categories {
		k, ok := tx.Categories.Get(id)
		if !ok {
			continue
		}
		category := CategoryJSON{ID: id, Subcategories: []int64{}}
		if k.Parent != 0 {
			category.Parent = &k.Parent
		}
		for child := range tx.Categories.Where("parent", strconv.FormatInt(id, 10)) {
			category.Subcategories = append(category.Subcategories, child)
		}
		out = append(out, category)
	}
	return out
}

// applied lists the promotions on a cart; those over the cart have no lines.
func (s *Storefront) applied(c cart) any {
	out := []appliedJSON{}
	for _, d := range c.Discounts {
		a := appliedJSON{d.PromotionID, []string{}}
		for _, id := range d.LineIDs() {
			a.LineItems = append(a.LineItems, strconv.FormatInt(id, 10))
		}
		out = append(out, a)
	}
	if len(out) == 0 && s.options.LooseForms {
		return struct{}{}
	}
	return out
}

func money(d decimal.Decimal) string { return d.StringFixed(2) }

// cost writes no cost with a single decimal, as the platform does.
func cost(d decimal.Decimal) string {
	if d.IsZero() {
		return "0.0"
	}
	return money(d)
}

func idOrNull(id int64) *string {
	if id == 0 {
		return nil
	}
	s := strconv.FormatInt(id, 10)
	return &s
}
