package v202503

import (
	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/shipping"
)

// API holds the services of version 2025-03. All of them are safe for concurrent use.
type API struct {
	AppSubscriptions     *client.AppSubscriptionService  // what the store pays for the app
	Carriers             *shipping.CarrierService        // shipping carriers and their options
	Carts                *client.DatedCartService        // carts of the storefront
	Categories           *client.CategoryService         // the tree of categories
	CategoryCustomFields *client.CustomFieldService      // fields that apps add to categories
	Charges              *client.ChargeService           // what the store is asked to pay once
	Checkouts            *client.CheckoutService         // abandoned checkouts
	Coupons              *client.CouponService           // discounts by a code
	CustomerCustomFields *client.CustomFieldService      // fields that apps add to customers
	Customers            *client.CustomerService         // people who buy, with their addresses
	Discounts            *discounts.CallbackService      // where carts are sent to
	DraftOrders          *client.DraftOrderService       // orders to be confirmed
	FulfillmentOrders    *client.FulfillmentOrderService // parts of an order that ship together
	Fulfillments         *client.FulfillmentService      // the older form of tracking events
	Images               *client.ImageService            // pictures of products
	Invoices             *client.InvoiceService          // electronic invoices of orders
	Kits                 *client.KitService              // products made of products
	Locations            *client.LocationService         // where stock is
	Metafields           *client.MetafieldService        // values of apps, by namespace and key
	OrderCustomFields    *client.CustomFieldService      // fields that apps add to orders
	Orders               *client.DatedOrderService       // purchases
	Pages                *client.ContentPageService      // pages of text
	PaymentOptions       *payments.OptionService         // what customers can choose at the checkout
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

// New returns the services of c at version 2025-03. It is cheap and does no I/O;
// views of several versions share the client's connections and rate limit.
func New(c *client.Client) *API {
	v := c.At(client.V202503)
	return &API{
		AppSubscriptions:     client.NewAppSubscriptionService(v),
		Carriers:             shipping.NewCarrierService(v),
		Carts:                client.NewDatedCartService(v),
		Categories:           client.NewCategoryService(v),
		CategoryCustomFields: client.NewCustomFieldService(v, client.CategoryFields),
		Charges:              client.NewChargeService(v),
		Checkouts:            client.NewCheckoutService(v),
		Coupons:              client.NewCouponService(v),
		CustomerCustomFields: client.NewCustomFieldService(v, client.CustomerFields),
		Customers:            client.NewCustomerService(v),
		Discounts:            discounts.NewCallbackService(v),
		DraftOrders:          client.NewDraftOrderService(v),
		FulfillmentOrders:    client.NewFulfillmentOrderService(v),
		Fulfillments:         client.NewFulfillmentService(v),
		Images:               client.NewImageService(v),
		Invoices:             client.NewInvoiceService(v),
		Kits:                 client.NewKitService(v),
		Locations:            client.NewLocationService(v),
		Metafields:           client.NewMetafieldService(v),
		OrderCustomFields:    client.NewCustomFieldService(v, client.OrderFields),
		Orders:               client.NewDatedOrderService(v),
		Pages:                client.NewContentPageService(v),
		PaymentOptions:       payments.NewOptionService(v),
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
