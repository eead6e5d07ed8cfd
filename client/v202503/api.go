// Package v202503 is the view of a client at version 2025-03 of the API: the newest stable version.
//
//	api := v202503.New(c) // c is a *client.Client
//	product, err := api.Products.Get(ctx, 42)
//
// What the version lacks is a field, or a method, that [API] lacks.
package v202503

import (
	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/shipping"
)

// API holds the services of version 2025-03. All of them are safe for concurrent use.
type API struct {
	AppSubscriptions     *client.AppSubscriptionService
	Carriers             *shipping.CarrierService
	Carts                *client.DatedCartService
	Categories           *client.CategoryService
	CategoryCustomFields *client.CustomFieldService
	Charges              *client.ChargeService
	Checkouts            *client.CheckoutService
	Coupons              *client.CouponService
	CustomerCustomFields *client.CustomFieldService
	Customers            *client.CustomerService
	Discounts            *discounts.CallbackService
	DraftOrders          *client.DraftOrderService
	FulfillmentOrders    *client.FulfillmentOrderService
	Fulfillments         *client.FulfillmentService
	Images               *client.ImageService
	Invoices             *client.InvoiceService
	Kits                 *client.KitService
	Locations            *client.LocationService
	Metafields           *client.MetafieldService
	OrderCustomFields    *client.CustomFieldService
	Orders               *client.DatedOrderService
	Pages                *client.ContentPageService
	PaymentOptions       *payments.OptionService
	PaymentProviders     *payments.ProviderService
	ProductCustomFields  *client.CustomFieldService
	Products             *client.ProductService
	Promotions           *discounts.PromotionService
	Scripts              *client.ScriptService
	Store                *client.StoreService
	TrackingEvents       *client.TrackingEventService
	Transactions         *payments.TransactionService
	VariantCustomFields  *client.CustomFieldService
	Variants             *client.VariantService
	Webhooks             *client.WebhookService
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
