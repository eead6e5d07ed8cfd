package unstable

import (
	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/discounts/rules"
	"github.com/commerceplatform/commerce-go/disputes"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/shipping"
)

// API holds the services of version unstable. All of them are safe for concurrent use.
type API struct {
	AppSubscriptions     *client.AppSubscriptionService  // subscriptions of the store to the app
	Blogs                *client.BlogService             // the blog of the store and its posts
	BusinessRules        *rules.Service                  // URLs of the business rules of the app
	Carriers             *shipping.CarrierService        // shipping carriers and their options
	Carts                *client.DatedCartService        // carts of the storefront
	Categories           *client.CategoryService         // the tree of categories
	CategoryCustomFields *client.CustomFieldService      // fields that apps add to categories
	Charges              *client.ChargeService           // one-time charges for the store
	Checkouts            *client.CheckoutService         // abandoned checkouts
	Coupons              *client.CouponService           // discounts by a code
	CustomerCustomFields *client.CustomFieldService      // fields that apps add to customers
	Customers            *client.CustomerService         // customers and their addresses
	Discounts            *discounts.CallbackService      // URL that computes discounts of carts
	Disputes             *disputes.Service               // chargebacks
	DraftOrders          *client.DraftOrderService       // orders that are not confirmed
	EmailTemplates       *client.EmailTemplateService    // email templates for customers
	ExternalInvoices     *client.ExternalInvoiceService  // invoices that another system issued
	FulfillmentOrders    *client.FulfillmentOrderService // parts of an order that are shipped together
	Fulfillments         *client.FulfillmentService      // the older form of tracking events
	Images               *client.ImageService            // images of products
	Invoices             *client.InvoiceService          // electronic invoices of orders
	Kits                 *client.KitService              // products that group other products
	Labels               *client.LabelService            // shipping labels
	Locations            *client.LocationService         // locations of stock
	Metafields           *client.MetafieldService        // values that apps store with records
	OrderCustomFields    *client.CustomFieldService      // fields that apps add to orders
	Orders               *OrderService                   // purchases
	Pages                *client.ContentPageService      // pages of text
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

// New returns the services of c at version unstable. It is cheap and does no I/O. Services of several versions share
// the client's connections and rate limit.
func New(c *client.Client) *API {
	s := engine.At((*engine.Core)(c), string(client.VersionUnstable))
	return &API{
		AppSubscriptions:     (*client.AppSubscriptionService)(s),
		Blogs:                (*client.BlogService)(s),
		BusinessRules:        (*rules.Service)(s),
		Carriers:             (*shipping.CarrierService)(s),
		Carts:                &client.DatedCartService{CartService: (*client.CartService)(s)},
		Categories:           (*client.CategoryService)(s),
		CategoryCustomFields: (*client.CustomFieldService)(s.For(string(client.FieldOwnerCategory))),
		Charges:              (*client.ChargeService)(s),
		Checkouts:            (*client.CheckoutService)(s),
		Coupons:              (*client.CouponService)(s),
		CustomerCustomFields: (*client.CustomFieldService)(s.For(string(client.FieldOwnerCustomer))),
		Customers:            (*client.CustomerService)(s),
		Discounts:            (*discounts.CallbackService)(s),
		Disputes:             (*disputes.Service)(s),
		DraftOrders:          (*client.DraftOrderService)(s),
		EmailTemplates:       (*client.EmailTemplateService)(s),
		ExternalInvoices:     (*client.ExternalInvoiceService)(s),
		FulfillmentOrders:    (*client.FulfillmentOrderService)(s),
		Fulfillments:         (*client.FulfillmentService)(s),
		Images:               (*client.ImageService)(s),
		Invoices:             (*client.InvoiceService)(s),
		Kits:                 (*client.KitService)(s),
		Labels:               (*client.LabelService)(s),
		Locations:            (*client.LocationService)(s),
		Metafields:           (*client.MetafieldService)(s),
		OrderCustomFields:    (*client.CustomFieldService)(s.For(string(client.FieldOwnerOrder))),
		Orders:               &OrderService{&client.DatedOrderService{OrderService: (*client.OrderService)(s)}},
		Pages:                (*client.ContentPageService)(s),
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
