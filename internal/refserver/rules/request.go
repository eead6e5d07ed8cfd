package rules

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// requestJSON is what an app is asked.
type requestJSON struct {
	StoreID   string            `json:"store_id"`
	CartID    int64             `json:"cart_id"`
	Currency  string            `json:"currency"`
	Details   detailsJSON       `json:"details"`
	Products  []productJSON     `json:"products"`
	Customer  customerJSON      `json:"customer"`
	Shipping  *shippingJSON     `json:"shipping,omitempty"`
	Package   *packageJSON      `json:"package,omitempty"`
	Locations []askedPlaceJSON  `json:"locations,omitempty"`
	Totals    map[string]string `json:"totals"`
}

type detailsJSON struct {
	Event     string `json:"event"`
	Action    string `json:"action"`
	Domain    string `json:"domain"`
	Timestamp int64  `json:"timestamp"`
}

type productJSON struct {
	ID         int64               `json:"id"`
	ProductID  int64               `json:"product_id"`
	VariantID  int64               `json:"variant_id"`
	Quantity   int64               `json:"quantity"`
	Stock      *int64              `json:"stock"`
	Price      string              `json:"price"`
	Categories []shop.CategoryJSON `json:"categories"`
}

// customerJSON has more than the id in questions about the cart, as far as it is known. Who has not logged in has no
// id.
type customerJSON struct {
	ID       *int64 `json:"id"`
	Name     string `json:"name,omitempty"`
	Email    string `json:"email,omitempty"`
	Phone    string `json:"phone,omitempty"`
	Document string `json:"document,omitempty"`
	Zipcode  string `json:"zipcode,omitempty"`
}

// shippingJSON has a province in questions about locations, which only abandoned checkouts know.
type shippingJSON struct {
	Country    *string `json:"country"`
	City       *string `json:"city"`
	Postalcode *string `json:"postalcode"`
	Cost       string  `json:"cost"`
}

type locatedJSON struct {
	shippingJSON
	Province *string `json:"province"`
}

type packageJSON struct {
	Weight string `json:"weight"`
}

type askedPlaceJSON struct {
	ID       string      `json:"id"`
	Name     string      `json:"name"`
	Address  addressJSON `json:"address"`
	Priority int         `json:"priority"`
}

// addressJSON is that of a location in plain texts.
type addressJSON struct {
	Zipcode        *string `json:"zipcode"`
	Street         *string `json:"street"`
	Number         *string `json:"number"`
	Floor          *string `json:"floor"`
	Locality       *string `json:"locality"`
	Reference      *string `json:"reference"`
	BetweenStreets *string `json:"between_streets"`
	Country        *string `json:"country"`
	Region         *string `json:"region"`
	Province       *string `json:"province"`
	City           *string `json:"city"`
}

// request writes a cart for a domain.
func request(tx *world.Tx, v shop.View, domain world.RuleDomain) ([]byte, error) {
	visit, _ := tx.Visits.Get(v.ID)
	left, _ := tx.Checkouts.Get(v.ID)
	to := left.ShippingAddress
	out := requestJSON{
		StoreID: strconv.FormatInt(tx.Store().ID, 10), CartID: v.ID, Currency: v.Currency,
		Details:  detailsJSON{domain.Event(), "filter", string(domain), tx.Now().UnixMilli()},
		Products: []productJSON{},
		Customer: customer(tx, visit, left.Sale, domain),
		Totals: map[string]string{
			"subtotal": money(v.Subtotal), "total_discount": money(v.Promotions.Add(v.Coupon)), "total": money(v.Total),
		},
	}
	var weight decimal.Decimal
	for _, l := range v.Lines {
		weight = weight.Add(l.Weight.Mul(decimal.NewFromInt(l.Quantity)))
		out.Products = append(out.Products, product(tx, l))
	}
	if domain != world.PaymentRules {
		out.Shipping = &shippingJSON{
			Country: api.TextOrNil(cmp.Or(visit.Country, to.Country)), City: api.TextOrNil(cmp.Or(visit.City, to.City)),
			Postalcode: api.TextOrNil(cmp.Or(visit.Zipcode, to.Zipcode)), Cost: cost(v.Shipping),
		}
		out.Package = &packageJSON{weight.StringFixed(3)}
	}
	if domain != world.LocationRules {
		return api.Encode(out)
	}
	out.Details.Action = "prioritization"
	for _, l := range byPriority(tx) {
		out.Locations = append(out.Locations, askedPlaceJSON{l.ID, nameOf(tx, l), address(l.Address), l.Priority})
	}
	return api.Encode(struct {
		requestJSON
		Shipping locatedJSON `json:"shipping"`
	}{out, locatedJSON{*out.Shipping, api.TextOrNil(to.Province)}})
}

// customer is who buys: as the cart says, then who has logged in, then who left the checkout.
func customer(tx *world.Tx, v world.Visit, left world.Sale, domain world.RuleDomain) customerJSON {
	var out customerJSON
	c, ok := tx.Customers.Get(v.CustomerID)
	if ok {
		out.ID = &c.ID
	}
	if domain != world.CartRules {
		return out
	}
	out.Name = cmp.Or(v.Contact.Name, c.Name, left.ContactName)
	out.Email = cmp.Or(v.Contact.Email, c.Email, left.ContactEmail)
	out.Phone = cmp.Or(v.Contact.Phone, c.Phone, left.ContactPhone)
	out.Document = cmp.Or(v.Contact.Identification, c.Identification, left.ContactIdentification)
	for _, a := range c.Addresses {
		if a.Default {
			out.Zipcode = a.Zipcode
		}
	}
	out.Zipcode = cmp.Or(out.Zipcode, left.ShippingAddress.Zipcode)
	return out
}

func product(tx *world.Tx, l shop.Line) productJSON {
	out := productJSON{
		ID: l.ID, ProductID: l.ProductID, VariantID: l.VariantID,
		Quantity: l.Quantity, Price: money(l.Price), Categories: shop.CategoriesOf(tx, l.ProductID),
	}
	if n, limited := stock(tx, l.VariantID); limited {
		out.Stock = &n
	}
	return out
}

// stock is how many pieces of a variant there are; limited is false if there is no end of them.
func stock(tx *world.Tx, variant int64) (n int64, limited bool) {
	for _, level := range tx.InventoryLevels.Where("variant", strconv.FormatInt(variant, 10)) {
		n, limited = n+level.Stock, true
	}
	return n, limited
}

// nameOf is the name of a location in the main language of the store, or else the first one.
func nameOf(tx *world.Tx, l world.Location) string {
	first := ""
	for _, locale := range slices.Sorted(maps.Keys(l.Name)) {
		if strings.HasPrefix(locale, tx.Store().MainLanguage) {
			return l.Name[locale]
		}
		if first == "" {
			first = l.Name[locale]
		}
	}
	return first
}

func address(a world.LocationAddress) addressJSON {
	return addressJSON{
		Zipcode: api.TextOrNil(a.Zipcode), Street: api.TextOrNil(a.Street), Number: api.TextOrNil(a.Number),
		Floor: api.TextOrNil(a.Floor), Locality: api.TextOrNil(a.Locality), Reference: api.TextOrNil(a.Reference),
		BetweenStreets: api.TextOrNil(a.BetweenStreets), Country: api.TextOrNil(a.Country.Code),
		Region: api.TextOrNil(a.Region.Name), Province: api.TextOrNil(a.Province.Name), City: api.TextOrNil(a.City),
	}
}

func money(d decimal.Decimal) string { return d.StringFixed(2) }

// cost writes no cost with a single decimal, as the platform does.
func cost(d decimal.Decimal) string {
	if d.IsZero() {
		return "0.0"
	}
	return money(d)
}
