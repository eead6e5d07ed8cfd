package v1

import (
	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/disputes"
	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/shipping"
)

// API holds the services of version v1. All of them are safe for concurrent use.
type API struct {
	Carriers             *shipping.CarrierService        // shipping carriers and their options
	Carts                *client.CartService             // carts of the storefront
	Categories           *client.CategoryService         // the tree of categories
	CategoryCustomFields *client.CustomFieldService      // fields that apps add to categories
	Checkouts            *client.CheckoutService         // abandoned checkouts
	Coupons              *client.CouponService           // discounts by a code
	CustomerCustomFields *client.CustomFieldService      // fields that apps add to customers
	Customers            *client.CustomerService         // people who buy, with their addresses
	Discounts            *discounts.CallbackService      // where carts are sent to
	Disputes             *disputes.Service               // chargebacks
	DraftOrders          *client.DraftOrderService       // orders to be confirmed
	FulfillmentOrders    *client.FulfillmentOrderService // parts of an order that ship together
	Fulfillments         *client.FulfillmentService      // the older form of tracking events
	Images               *client.ImageService            // pictures of products
	Invoices             *client.InvoiceService          // electronic invoices of orders
	Locations            *client.LocationService         // where stock is
	Metafields           *client.MetafieldService        // values of apps, by namespace and key
	OrderCustomFields    *client.CustomFieldService      // fields that apps add to orders
	Orders               *OrderService                   // purchases
	PaymentProviders     *payments.ProviderService       // what a payment app offers
	ProductCustomFields  *client.CustomFieldService      // fields that apps add to products
	Products             *client.ProductService          // the catalog
	Promotions           *discounts.PromotionService     // what a discount app may apply to carts
	Scripts              *client.ScriptService           // JavaScript of the app in the storefront
	Store                *client.StoreService            // settings of the store
	TrackingEvents       *client.TrackingEventService    // what happens to a parcel
	Transactions         *payments.TransactionService    // payments of orders
	VariantCustomFields  *client.CustomFieldService      // fields that apps add to variants
	Variants             *client.VariantService          // what of a product can be bought, with price and stock
	Webhooks             *client.WebhookService          // registrations of events
}

// New returns the services of c at version v1. It is cheap and does no I/O;
// views of several versions share the client's connections and rate limit.
func New(c *client.Client) *API {
	v := c.At(client.V1)
	return &API{
		Carriers:             shipping.NewCarrierService(v),
		Carts:                client.NewCartService(v),
		Categories:           client.NewCategoryService(v),
		CategoryCustomFields: client.NewCustomFieldService(v, client.CategoryFields),
		Checkouts:            client.NewCheckoutService(v),
		Coupons:              client.NewCouponService(v),
		CustomerCustomFields: client.NewCustomFieldService(v, client.CustomerFields),
		Customers:            client.NewCustomerService(v),
		Discounts:            discounts.NewCallbackService(v),
		Disputes:             disputes.NewService(v),
		DraftOrders:          client.NewDraftOrderService(v),
		FulfillmentOrders:    client.NewFulfillmentOrderService(v),
		Fulfillments:         client.NewFulfillmentService(v),
		Images:               client.NewImageService(v),
		Invoices:             client.NewInvoiceService(v),
		Locations:            client.NewLocationService(v),
		Metafields:           client.NewMetafieldService(v),
		OrderCustomFields:    client.NewCustomFieldService(v, client.OrderFields),
		Orders:               &OrderService{client.NewOrderService(v), v},
		PaymentProviders:     payments.NewProviderService(v),
		ProductCustomFields:  client.NewCustomFieldService(v, client.ProductFields),
		Products:             client.NewProductService(v),
		Promotions:           discounts.NewPromotionService(v),
		Scripts:              client.NewScriptService(v),
		Store:                client.NewStoreService(v),
		TrackingEvents:       client.NewTrackingEventService(v),
		Transactions:         payments.NewTransactionService(v),
		VariantCustomFields:  client.NewCustomFieldService(v, client.VariantFields),
		Variants:             client.NewVariantService(v),
		Webhooks:             client.NewWebhookService(v),
	}
}
