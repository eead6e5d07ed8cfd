package seed

import (
	"cmp"
	"strconv"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/res"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

const day = 24 * time.Hour

// people are the customers, the first of whom buys nothing.
func people() []object {
	address := func(street, number, city, province, zipcode string, usual bool) object {
		return object{"address": street, "number": number, "city": city, "province": province, "zipcode": zipcode, "country": "AR", "default": usual}
	}
	return []object{
		{"name": "Ana Paz", "email": "ana.paz@mail.example", "phone": "+5493415550101", "identification": "28111222",
			"addresses": []object{address("Calle Mitre", "742", "Rosario", "Santa Fe", "2000", true)}},
		{"name": "Bruno Lima", "email": "bruno.lima@mail.example", "phone": "+5491145550102", "note": "Rings twice",
			"addresses": []object{address("Avenida Corrientes", "1500", "Buenos Aires", "Buenos Aires", "1042", false), address("Calle Lavalle", "80", "Buenos Aires", "Buenos Aires", "1047", true)}},
		{"name": "Carla Souza", "email": "carla.souza@mail.example", "extra": object{"birthday": "04-12"},
			"addresses": []object{address("Calle San Martín", "33", "Mendoza", "Mendoza", "5500", true)}},
		{"name": "Diego Ruiz", "email": "diego.ruiz@mail.example"},
	}
}

func (c *caller) customers() []int64 {
	var ids []int64
	for _, p := range people() {
		ids = append(ids, id(c.call("customers.create", nil, p)))
	}
	return ids
}

// coupons are one of each type.
func (c *caller) coupons(category int64) {
	for _, k := range []object{
		{"code": "WELCOME10", "type": "percentage", "value": "10", "first_consumer_purchase": true},
		{"code": "KITCHEN5000", "type": "absolute", "value": "5000", "min_price": "20000", "categories": []int64{category}, "max_uses": 100, "combines_with_other_discounts": false},
		{"code": "FREESHIP", "type": "shipping", "only_cheapest_shipping": true, "start_date": "2025-01-01", "end_date": "2025-12-31"},
	} {
		c.call("coupons.create", nil, k)
	}
}

// sale is an order or a checkout to be made, with a quantity of the first variants of some products, some time ago.
type sale struct {
	customer int // index of people
	ago      time.Duration
	lines    []string // keys of products
	from     string   // the storefront; empty for that of the store
	order    world.Order
}

// orders are one in each state of interest, the first of them imported from an external marketplace, written as they
// are since no operation makes one in the past.
func orders() []sale {
	return []sale{
		{customer: 1, ago: 20 * day, lines: []string{"tee", "mug"}, from: "meli", order: world.Order{Status: "closed", PaymentStatus: "paid", ShippingStatus: "fulfilled", NextAction: "noop"}},
		{customer: 2, ago: 9 * day, lines: []string{"boots"}, order: world.Order{Status: "cancelled", PaymentStatus: "voided", ShippingStatus: "unpacked", NextAction: "noop", CancelReason: "inventory"}},
		{customer: 2, ago: 5 * day, lines: []string{"hoodie", "candle"}, order: world.Order{Status: "open", PaymentStatus: "paid", ShippingStatus: "fulfilled", NextAction: "close", ShippingTrackingNumber: "TRK-0003", ShippingTrackingURL: "https://tracking.example/TRK-0003"}},
		{customer: 1, ago: 2 * day, lines: []string{"sneakers"}, order: world.Order{Status: "open", PaymentStatus: "paid", ShippingStatus: "unpacked", NextAction: "waiting_packing"}},
		{customer: 3, ago: day, lines: []string{"striped tee", "plate"}, order: world.Order{Status: "open", PaymentStatus: "pending", ShippingStatus: "unpacked", NextAction: "waiting_manual_confirmation"}},
	}
}

func (c *caller) orders(products map[string]int64, customers []int64) {
	for n, s := range orders() {
		c.put(func(tx *world.Tx) error {
			o := s.order
			o.ID, o.Number, o.CustomerID = tx.NewID(), int64(100+n), customers[s.customer]
			o.Sale = makeSale(tx, s, products, customers)
			at := o.CreatedAt
			if o.PaymentStatus == "paid" {
				o.TotalPaid, o.PaidAt = o.Total, at.Add(time.Hour)
			}
			if o.ShippingStatus == "fulfilled" {
				o.ShippedAt = at.Add(day)
			}
			if o.Status == "closed" {
				o.ClosedAt = at.Add(3 * day)
			}
			if o.Status == "cancelled" {
				o.CancelledAt = at.Add(2 * time.Hour)
			}
			return tx.Orders.Put(o.ID, o)
		})
	}
}

// unfinished are a checkout that was abandoned and a cart that is still open.
func (c *caller) unfinished(products map[string]int64, customers []int64) {
	c.put(func(tx *world.Tx) error {
		s := makeSale(tx, sale{customer: 0, ago: 3 * time.Hour, lines: []string{"teapot"}}, products, customers)
		s.Gateway, s.GatewayName = "", "" // nobody has chosen how to pay
		k := world.Checkout{ID: tx.NewID(), Sale: s}
		k.AbandonedURL = res.CheckoutURL(tx, k.ID, k.Token)
		return tx.Checkouts.Put(k.ID, k)
	})
	c.put(func(tx *world.Tx) error {
		s := makeSale(tx, sale{customer: 0, lines: []string{"tee", "candle"}}, products, customers)
		k := world.Cart{ID: tx.NewID(), Token: s.Token, Lines: s.Lines, Currency: s.Currency, Language: s.Language, CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt}
		return tx.Carts.Put(k.ID, k)
	})
}

// makeSale takes everything from the catalog as it is now and adds it up.
func makeSale(tx *world.Tx, s sale, products map[string]int64, customers []int64) world.Sale {
	c, _ := tx.Customers.Get(customers[s.customer])
	at := tx.Now().Add(-s.ago)
	out := world.Sale{
		Token:                 tx.NewHex(20),
		ContactName:           c.Name,
		ContactEmail:          c.Email,
		ContactPhone:          c.Phone,
		ContactIdentification: c.Identification,
		Shipping:              "branch",
		ShippingOption:        "Standard delivery",
		ShippingOptionCode:    "standard",
		ShippingPickupType:    "ship",
		ShippingMinDays:       new(2),
		ShippingMaxDays:       new(5),
		ShippingCostOwner:     decimal.NewFromInt(3500),
		ShippingCostCustomer:  decimal.NewFromInt(3500),
		Currency:              tx.Store().MainCurrency,
		Language:              tx.Store().MainLanguage,
		Gateway:               "offline",
		GatewayName:           "Wire transfer",
		PaymentMethod:         "custom",
		Storefront:            cmp.Or(s.from, "store"),
		CreatedAt:             at,
		UpdatedAt:             at,
	}
	for _, a := range c.Addresses {
		if a.Default {
			out.ShippingAddress = a.Address
			out.ShippingAddress.Name = c.Name
			out.Billing = world.Billing{Name: c.Name, Address: a.Address.Address, Number: a.Number, City: a.City, Province: a.Province, Country: a.Country, Zipcode: a.Zipcode, Phone: c.Phone}
		}
	}
	for _, key := range s.lines {
		l := makeLine(tx, products[key])
		out.Lines = append(out.Lines, l)
		out.Subtotal = out.Subtotal.Add(l.Price.Mul(decimal.NewFromInt(l.Quantity)))
		out.Weight = out.Weight.Add(l.Weight.Mul(decimal.NewFromInt(l.Quantity)))
	}
	out.Total = out.Subtotal.Add(out.ShippingCostCustomer)
	out.TotalUSD = out.Total.Div(decimal.NewFromInt(1000)).Round(2)
	return out
}

// makeLine is one piece of the first variant of a product.
func makeLine(tx *world.Tx, product int64) world.Line {
	v, _ := tx.Variants.Find("product", strconv.FormatInt(product, 10))
	l, _ := res.CartLine(tx, v, tx.Store().MainLanguage) // whatever is sold here has a price
	l.Quantity = 1
	return l
}
