package res

import (
	"encoding/json"
	"strconv"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// saleJSON is what orders and abandoned checkouts share on the wire.
type saleJSON struct {
	Token                 string                     `json:"token"`
	ContactName           *string                    `json:"contact_name"`
	ContactEmail          *string                    `json:"contact_email"`
	ContactPhone          *string                    `json:"contact_phone"`
	ContactIdentification *string                    `json:"contact_identification"`
	BillingName           *string                    `json:"billing_name"`
	BillingPhone          *string                    `json:"billing_phone"`
	BillingAddress        *string                    `json:"billing_address"`
	BillingNumber         *string                    `json:"billing_number"`
	BillingFloor          *string                    `json:"billing_floor"`
	BillingLocality       *string                    `json:"billing_locality"`
	BillingZipcode        *string                    `json:"billing_zipcode"`
	BillingCity           *string                    `json:"billing_city"`
	BillingProvince       *string                    `json:"billing_province"`
	BillingCountry        *string                    `json:"billing_country"`
	Coupon                []any                      `json:"coupon"`
	PromotionalDiscount   promotionalDiscountJSON    `json:"promotional_discount"`
	Subtotal              string                     `json:"subtotal"`
	Discount              string                     `json:"discount"`
	DiscountCoupon        string                     `json:"discount_coupon"`
	DiscountGateway       string                     `json:"discount_gateway"`
	Total                 string                     `json:"total"`
	TotalUSD              string                     `json:"total_usd"`
	CheckoutEnabled       bool                       `json:"checkout_enabled"`
	Weight                string                     `json:"weight"`
	Currency              string                     `json:"currency"`
	Language              string                     `json:"language"`
	Gateway               *string                    `json:"gateway"`
	GatewayID             *string                    `json:"gateway_id"`
	Extra                 map[string]json.RawMessage `json:"extra"`
	Storefront            string                     `json:"storefront"`
	PaymentDetails        paymentDetailsJSON         `json:"payment_details"`
	Attributes            []any                      `json:"attributes"`
	Products              []lineJSON                 `json:"products"`
	CreatedAt             string                     `json:"created_at"`
	UpdatedAt             string                     `json:"updated_at"`
}

// shippingJSON is how a sale is shipped, flat as version v1 and checkouts have it.
type shippingJSON struct {
	Shipping                string  `json:"shipping"`
	ShippingOption          *string `json:"shipping_option"`
	ShippingOptionCode      *string `json:"shipping_option_code"`
	ShippingOptionReference *string `json:"shipping_option_reference"`
	ShippingPickupDetails   *string `json:"shipping_pickup_details"`
	ShippingTrackingNumber  *string `json:"shipping_tracking_number"`
	ShippingTrackingURL     *string `json:"shipping_tracking_url"`
	ShippingStoreBranchName *string `json:"shipping_store_branch_name"`
	ShippingPickupType      string  `json:"shipping_pickup_type"`
	ShippingSuboption       []any   `json:"shipping_suboption"`
	ShippingMinDays         *int    `json:"shipping_min_days"`
	ShippingMaxDays         *int    `json:"shipping_max_days"`
	ShippingCostOwner       string  `json:"shipping_cost_owner"`
	ShippingCostCustomer    string  `json:"shipping_cost_customer"`
	NextAction              string  `json:"next_action"`
}

type promotionalDiscountJSON struct {
	ID                  *int64 `json:"id"`
	StoreID             int64  `json:"store_id"`
	OrderID             string `json:"order_id"`
	CreatedAt           string `json:"created_at"`
	TotalDiscountAmount string `json:"total_discount_amount"`
	Contents            []any  `json:"contents"`
	PromotionsApplied   []any  `json:"promotions_applied"`
}

type paymentDetailsJSON struct {
	Method            string  `json:"method"`
	CreditCardCompany *string `json:"credit_card_company"`
	Installments      int     `json:"installments"`
}

type lineJSON struct {
	ID            int64    `json:"id"`
	ProductID     int64    `json:"product_id"`
	VariantID     string   `json:"variant_id"`
	Name          string   `json:"name"`
	Price         string   `json:"price"`
	Quantity      string   `json:"quantity"`
	FreeShipping  bool     `json:"free_shipping"`
	Weight        string   `json:"weight"`
	Width         string   `json:"width"`
	Height        string   `json:"height"`
	Depth         string   `json:"depth"`
	Image         any      `json:"image"`
	VariantValues []string `json:"variant_values"`
	Properties    []any    `json:"properties"`
	SKU           *string  `json:"sku"`
	Barcode       *string  `json:"barcode"`
}

func saleOnWire(tx *world.Tx, in *api.In, id int64, s world.Sale) saleJSON {
	out := saleJSON{
		Token:                 s.Token,
		ContactName:           orNull(s.ContactName),
		ContactEmail:          orNull(s.ContactEmail),
		ContactPhone:          orNull(s.ContactPhone),
		ContactIdentification: orNull(s.ContactIdentification),
		BillingName:           orNull(s.Billing.Name),
		BillingPhone:          orNull(s.Billing.Phone),
		BillingAddress:        orNull(s.Billing.Address),
		BillingNumber:         orNull(s.Billing.Number),
		BillingFloor:          orNull(s.Billing.Floor),
		BillingLocality:       orNull(s.Billing.Locality),
		BillingZipcode:        orNull(s.Billing.Zipcode),
		BillingCity:           orNull(s.Billing.City),
		BillingProvince:       orNull(s.Billing.Province),
		BillingCountry:        orNull(s.Billing.Country),
		Coupon:                []any{},
		PromotionalDiscount: promotionalDiscountJSON{
			StoreID:             tx.Store().ID,
			OrderID:             strconv.FormatInt(id, 10),
			CreatedAt:           api.Stamp(s.CreatedAt),
			TotalDiscountAmount: money(s.Discount.Sub(s.DiscountCoupon).Sub(s.DiscountGateway)),
			Contents:            []any{},
			PromotionsApplied:   []any{},
		},
		Subtotal:        money(s.Subtotal),
		Discount:        money(s.Discount),
		DiscountCoupon:  money(s.DiscountCoupon),
		DiscountGateway: money(s.DiscountGateway),
		Total:           money(s.Total),
		TotalUSD:        money(s.TotalUSD),
		CheckoutEnabled: true,
		Weight:          s.Weight.StringFixed(3),
		Currency:        s.Currency,
		Language:        s.Language,
		Gateway:         orNull(s.Gateway),
		Extra:           s.Extra,
		Storefront:      s.Storefront,
		PaymentDetails:  paymentDetailsJSON{Method: s.PaymentMethod, Installments: 1},
		Attributes:      []any{},
		Products:        []lineJSON{},
		CreatedAt:       api.Stamp(s.CreatedAt),
		UpdatedAt:       api.Stamp(s.UpdatedAt),
	}
	if out.Extra == nil {
		out.Extra = map[string]json.RawMessage{}
	}
	for _, id := range s.Coupons {
		if c, ok := tx.Coupons.Get(id); ok {
			out.Coupon = append(out.Coupon, showCoupon(tx, in, c))
		}
	}
	for _, l := range s.Lines {
		out.Products = append(out.Products, lineOnWire(tx, in, l))
	}
	return out
}

// lineOnWire writes quantity and variant_id as strings, as the platform does. A
// product without an image has one whose ids are 0.
func lineOnWire(tx *world.Tx, in *api.In, l world.Line) lineJSON {
	out := lineJSON{
		ID:            l.ID,
		ProductID:     l.ProductID,
		VariantID:     strconv.FormatInt(l.VariantID, 10),
		Name:          l.Name,
		Price:         money(l.Price),
		Quantity:      strconv.FormatInt(l.Quantity, 10),
		FreeShipping:  l.FreeShipping,
		Weight:        l.Weight.StringFixed(2),
		Width:         l.Width.StringFixed(2),
		Height:        l.Height.StringFixed(2),
		Depth:         l.Depth.StringFixed(2),
		Image:         showImage(tx, in, world.Image{CreatedAt: tx.Store().CreatedAt, UpdatedAt: tx.Store().CreatedAt}),
		VariantValues: orEmpty(l.VariantValues),
		Properties:    []any{},
		SKU:           orNull(l.SKU),
		Barcode:       orNull(l.Barcode),
	}
	if i, ok := tx.Images.Get(l.ImageID); ok {
		out.Image = showImage(tx, in, i)
	}
	return out
}

func shippingOnWire(s world.Sale, nextAction string) shippingJSON {
	return shippingJSON{
		Shipping:             s.Shipping,
		ShippingOption:       orNull(s.ShippingOption),
		ShippingOptionCode:   orNull(s.ShippingOptionCode),
		ShippingPickupType:   s.ShippingPickupType,
		ShippingSuboption:    []any{},
		ShippingMinDays:      daysOrNull(s.ShippingMinDays),
		ShippingMaxDays:      daysOrNull(s.ShippingMaxDays),
		ShippingCostOwner:    money(s.ShippingCostOwner),
		ShippingCostCustomer: money(s.ShippingCostCustomer),
		NextAction:           nextAction,
	}
}

func daysOrNull(days int) *int {
	if days == 0 {
		return nil
	}
	return &days
}

// shippingAddressOnWire is the address of an order as an object.
func shippingAddressOnWire(a world.Address, s world.Sale) any {
	return struct {
		customerAddressJSON
		Customs struct{} `json:"customs"`
	}{customerAddressJSON: addressOnWire(world.CustomerAddress{Address: a, CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt})}
}
