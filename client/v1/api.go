package v1

import (
	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/discounts/rules"
	"github.com/commerceplatform/commerce-go/disputes"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/shipping"
)

// API holds the services of version v1. All of them are safe for concurrent use.
type API struct {
	BusinessRules        *rules.Service                  // URLs of the business rules of the app
	Carriers             *shipping.CarrierService        // shipping carriers and their options
	Carts                *client.CartService             // carts of the storefront
	Categories           *client.CategoryService         // the tree of categories
	CategoryCustomFields *client.CustomFieldService      // fields that apps add to categories
	Checkouts            *client.CheckoutService         // abandoned checkouts
	Coupons              *client.CouponService           // discounts by a code
	CustomerCustomFields *client.CustomFieldService      // fields that apps add to customers
	Customers            *client.CustomerService         // customers and their addresses
	Discounts            *discounts.CallbackService      // URL that computes discounts of carts
	Disputes             *disputes.Service               // chargebacks
	DraftOrders          *client.DraftOrderService       // orders that are not confirmed
	FulfillmentOrders    *client.FulfillmentOrderService // parts of an order that are shipped together
	Fulfillments         *client.FulfillmentService      // the older form of tracking events
	Images               *client.ImageService            // images of products
	Invoices             *client.InvoiceService          // electronic invoices of orders
	Locations            *client.LocationService         // locations of stock
	Metafields           *client.MetafieldService        // values that apps store with records
	OrderCustomFields    *client.CustomFieldService      // fields that apps add to orders
	Orders               *OrderService                   // purchases
	PaymentOptions       *payments.OptionService         // payment options of the checkout
	PaymentProviders     *payments.ProviderService       // providers of a payment app
	PriceTables          *client.PriceTableService       // prices for groups of customers
	ProductCustomFields  *client.CustomFieldService      // fields that apps add to products
	Products             *client.ProductService          // the catalog
	Promotions           *discounts.PromotionService     // promotions of a discount app
	Scripts              *client.ScriptService           // JavaScript of the app in the storefront
	Store                *client.StoreService            // settings of the store
	TrackingEvents       *client.TrackingEventService    // tracking events of shipments
	Transactions         *payments.TransactionService    // payments of orders
	VariantCustomFields  *client.CustomFieldService      // fields that apps add to variants
	Variants             *client.VariantService          // variants of products, with price and stock
	Webhooks             *client.WebhookService          // registrations of events
}

// New returns the services of c at version v1. It is cheap and does no I/O. Services of several versions share the
// client's connections and rate limit.
func New(c *client.Client) *API {
	s := engine.At((*engine.Core)(c), string(client.VersionV1))
	return &API{
		BusinessRules:        (*rules.Service)(s),
		Carriers:             (*shipping.CarrierService)(s),
		Carts:                (*client.CartService)(s),
		Categories:           (*client.CategoryService)(s),
		CategoryCustomFields: (*client.CustomFieldService)(s.For(string(client.FieldOwnerCategory))),
		Checkouts:            (*client.CheckoutService)(s),
		Coupons:              (*client.CouponService)(s),
		CustomerCustomFields: (*client.CustomFieldService)(s.For(string(client.FieldOwnerCustomer))),
		Customers:            (*client.CustomerService)(s),
		Discounts:            (*discounts.CallbackService)(s),
		Disputes:             (*disputes.Service)(s),
		DraftOrders:          (*client.DraftOrderService)(s),
		FulfillmentOrders:    (*client.FulfillmentOrderService)(s),
		Fulfillments:         (*client.FulfillmentService)(s),
		Images:               (*client.ImageService)(s),
		Invoices:             (*client.InvoiceService)(s),
		Locations:            (*client.LocationService)(s),
		Metafields:           (*client.MetafieldService)(s),
		OrderCustomFields:    (*client.CustomFieldService)(s.For(string(client.FieldOwnerOrder))),
		Orders:               &OrderService{(*client.OrderService)(s)},
		PaymentOptions:       (*payments.OptionService)(s),
		PaymentProviders:     (*payments.ProviderService)(s),
		PriceTables:          (*client.PriceTableService)(s),
		ProductCustomFields:  (*client.CustomFieldService)(s.For(string(client.FieldOwnerProduct))),
		Products:             (*client.ProductService)(s),
		Promotions:           (*discounts.PromotionService)(s),
		Scripts:              (*client.ScriptService)(s),
		Store:                (*client.StoreService)(s),
		TrackingEvents:       (*client.TrackingEventService)(s),
		Transactions:         (*payments.TransactionService)(s),
		VariantCustomFields:  (*client.CustomFieldService)(s.For(string(client.FieldOwnerVariant))),
		Variants:             (*client.VariantService)(s),
		Webhooks:             (*client.WebhookService)(s),
	}
}
