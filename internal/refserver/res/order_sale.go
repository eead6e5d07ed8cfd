package res

import (
	"encoding/json"
	"strconv"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// saleJSON is what orders, draft orders and abandoned checkouts share on the wire.
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

type promotionalDiscountJSON struct {
	ID                  *int64 `json:"id"`
	StoreID             int64  `json:"store_id"`
	OrderID             any    `json:"order_id"` // a string, but a number for checkouts
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

func saleOnWire(tx *world.Tx, in *api.In, id int64, s world.Sale) saleJSON {
	out := saleJSON{
		Token:                 s.Token,
		ContactName:           api.TextOrNil(s.ContactName),
		ContactEmail:          api.TextOrNil(s.ContactEmail),
		ContactPhone:          api.TextOrNil(s.ContactPhone),
		ContactIdentification: api.TextOrNil(s.ContactIdentification),
		BillingName:           api.TextOrNil(s.Billing.Name),
		BillingPhone:          api.TextOrNil(s.Billing.Phone),
		BillingAddress:        api.TextOrNil(s.Billing.Address),
		BillingNumber:         api.TextOrNil(s.Billing.Number),
		BillingFloor:          api.TextOrNil(s.Billing.Floor),
		BillingLocality:       api.TextOrNil(s.Billing.Locality),
		BillingZipcode:        api.TextOrNil(s.Billing.Zipcode),
		BillingCity:           api.TextOrNil(s.Billing.City),
		BillingProvince:       api.TextOrNil(s.Billing.Province),
		BillingCountry:        api.TextOrNil(s.Billing.Country),
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
		Gateway:         api.TextOrNil(s.Gateway),
		Extra:           s.Extra,
		Storefront:      s.Storefront,
		GatewayID:       api.TextOrNil(s.GatewayID),
		PaymentDetails:  paymentDetailsJSON{Method: s.PaymentMethod, CreditCardCompany: api.TextOrNil(s.CreditCardCompany), Installments: max(s.Installments, 1)},
		Attributes:      []any{},
		Products:        []lineJSON{},
		CreatedAt:       api.Stamp(s.CreatedAt),
		UpdatedAt:       api.Stamp(s.UpdatedAt),
	}
	out.PromotionalDiscount.promote(s)
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
