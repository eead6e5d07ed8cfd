// Package v1 is the view of a client at version v1 of the API: the first version, which gets no new features.
//
//	api := v1.New(c) // c is a *client.Client
//	product, err := api.Products.Get(ctx, 42)
//
// What the version lacks is a field, or a method, that [API] lacks.
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
	Carriers             *shipping.CarrierService
	Carts                *client.CartService
	Categories           *client.CategoryService
	CategoryCustomFields *client.CustomFieldService
	Checkouts            *client.CheckoutService
	Coupons              *client.CouponService
	CustomerCustomFields *client.CustomFieldService
	Customers            *client.CustomerService
	Discounts            *discounts.CallbackService
	Disputes             *disputes.Service
	DraftOrders          *client.DraftOrderService
	FulfillmentOrders    *client.FulfillmentOrderService
	Fulfillments         *client.FulfillmentService
	Images               *client.ImageService
	Invoices             *client.InvoiceService
	Locations            *client.LocationService
	Metafields           *client.MetafieldService
	OrderCustomFields    *client.CustomFieldService
	Orders               *OrderService
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
