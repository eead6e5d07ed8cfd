package unstable

import (
	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/carriers"
	"github.com/commerceplatform/commerce-go/client/promotions"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/disputes"
	"github.com/commerceplatform/commerce-go/internal/engine"
)

// at returns c at the version of this package.
func at(c *client.Client) *engine.Service {
	return engine.At((*engine.Core)(c), string(client.VersionUnstable))
}

// AppSubscriptions returns the service of subscriptions of the store to the app.
func AppSubscriptions(c *client.Client) *client.AppSubscriptionService {
	return (*client.AppSubscriptionService)(at(c))
}

// Blogs returns the service of the blog of the store and its posts.
func Blogs(c *client.Client) *client.BlogService { return (*client.BlogService)(at(c)) }

// BusinessRules returns the service of the URLs of business rules of the app.
func BusinessRules(c *client.Client) *client.BusinessRuleService {
	return (*client.BusinessRuleService)(at(c))
}

// Carriers returns the service of shipping carriers and their options.
func Carriers(c *client.Client) *carriers.CarrierService { return (*carriers.CarrierService)(at(c)) }

// Carts returns the service of carts of the storefront.
func Carts(c *client.Client) *client.DatedCartService {
	return &client.DatedCartService{CartService: (*client.CartService)(at(c))}
}

// Categories returns the service of the tree of categories.
func Categories(c *client.Client) *client.CategoryService { return (*client.CategoryService)(at(c)) }

// CategoryCustomFields returns the service of fields that apps add to categories.
func CategoryCustomFields(c *client.Client) *client.CustomFieldService {
	return (*client.CustomFieldService)(at(c).For(string(client.FieldOwnerCategory)))
}

// Charges returns the service of one-time charges for the store.
func Charges(c *client.Client) *client.ChargeService { return (*client.ChargeService)(at(c)) }

// Checkouts returns the service of abandoned checkouts.
func Checkouts(c *client.Client) *client.CheckoutService { return (*client.CheckoutService)(at(c)) }

// Coupons returns the service of discounts by a code.
func Coupons(c *client.Client) *client.CouponService { return (*client.CouponService)(at(c)) }

// CustomerCustomFields returns the service of fields that apps add to customers.
func CustomerCustomFields(c *client.Client) *client.CustomFieldService {
	return (*client.CustomFieldService)(at(c).For(string(client.FieldOwnerCustomer)))
}

// Customers returns the service of customers and their addresses.
func Customers(c *client.Client) *client.CustomerService { return (*client.CustomerService)(at(c)) }

// Discounts returns the service of the URL that computes discounts of carts.
func Discounts(c *client.Client) *promotions.CallbackService {
	return (*promotions.CallbackService)(at(c))
}

// Disputes returns the service of chargebacks.
func Disputes(c *client.Client) *disputes.Service { return (*disputes.Service)(at(c)) }

// DraftOrders returns the service of orders that are not confirmed.
func DraftOrders(c *client.Client) *client.DraftOrderService {
	return (*client.DraftOrderService)(at(c))
}

// EmailTemplates returns the service of email templates for customers.
func EmailTemplates(c *client.Client) *client.EmailTemplateService {
	return (*client.EmailTemplateService)(at(c))
}

// ExternalInvoices returns the service of invoices that another system issued.
func ExternalInvoices(c *client.Client) *client.ExternalInvoiceService {
	return (*client.ExternalInvoiceService)(at(c))
}

// FulfillmentOrders returns the service of parts of an order that are shipped together.
func FulfillmentOrders(c *client.Client) *client.FulfillmentOrderService {
	return (*client.FulfillmentOrderService)(at(c))
}

// Fulfillments returns the service of the older form of tracking events.
func Fulfillments(c *client.Client) *client.FulfillmentService {
	return (*client.FulfillmentService)(at(c))
}

// Images returns the service of images of products.
func Images(c *client.Client) *client.ImageService { return (*client.ImageService)(at(c)) }

// Invoices returns the service of electronic invoices of orders.
func Invoices(c *client.Client) *client.InvoiceService { return (*client.InvoiceService)(at(c)) }

// Kits returns the service of products that group other products.
func Kits(c *client.Client) *client.KitService { return (*client.KitService)(at(c)) }

// Labels returns the service of shipping labels.
func Labels(c *client.Client) *client.LabelService { return (*client.LabelService)(at(c)) }

// Locations returns the service of locations of stock.
func Locations(c *client.Client) *client.LocationService { return (*client.LocationService)(at(c)) }

// Metafields returns the service of values that apps store with records.
func Metafields(c *client.Client) *client.MetafieldService { return (*client.MetafieldService)(at(c)) }

// OrderCustomFields returns the service of fields that apps add to orders.
func OrderCustomFields(c *client.Client) *client.CustomFieldService {
	return (*client.CustomFieldService)(at(c).For(string(client.FieldOwnerOrder)))
}

// Orders returns the service of purchases.
func Orders(c *client.Client) *OrderService {
	return &OrderService{&client.DatedOrderService{OrderService: (*client.OrderService)(at(c))}}
}

// Pages returns the service of pages of text.
func Pages(c *client.Client) *client.ContentPageService { return (*client.ContentPageService)(at(c)) }

// PaymentOptions returns the service of payment options of the checkout.
func PaymentOptions(c *client.Client) *providers.OptionService {
	return (*providers.OptionService)(at(c))
}

// PaymentProviders returns the service of providers of a payment app.
func PaymentProviders(c *client.Client) *providers.ProviderService {
	return (*providers.ProviderService)(at(c))
}

// PriceTables returns the service of prices for groups of customers.
func PriceTables(c *client.Client) *client.PriceTableService {
	return (*client.PriceTableService)(at(c))
}

// ProductCustomFields returns the service of fields that apps add to products.
func ProductCustomFields(c *client.Client) *client.CustomFieldService {
	return (*client.CustomFieldService)(at(c).For(string(client.FieldOwnerProduct)))
}

// Products returns the service of the catalog.
func Products(c *client.Client) *client.ProductService { return (*client.ProductService)(at(c)) }

// Promotions returns the service of promotions of a discount app.
func Promotions(c *client.Client) *promotions.PromotionService {
	return (*promotions.PromotionService)(at(c))
}

// Scripts returns the service of JavaScript of the app in the storefront.
func Scripts(c *client.Client) *client.ScriptService { return (*client.ScriptService)(at(c)) }

// Store returns the service of settings of the store.
func Store(c *client.Client) *client.StoreService { return (*client.StoreService)(at(c)) }

// TrackingEvents returns the service of tracking events of shipments.
func TrackingEvents(c *client.Client) *client.TrackingEventService {
	return (*client.TrackingEventService)(at(c))
}

// Transactions returns the service of payments of orders.
func Transactions(c *client.Client) *providers.TransactionService {
	return (*providers.TransactionService)(at(c))
}

// VariantCustomFields returns the service of fields that apps add to variants.
func VariantCustomFields(c *client.Client) *client.CustomFieldService {
	return (*client.CustomFieldService)(at(c).For(string(client.FieldOwnerVariant)))
}

// Variants returns the service of variants of products, with price and stock.
func Variants(c *client.Client) *client.VariantService { return (*client.VariantService)(at(c)) }

// Webhooks returns the service of registrations of events.
func Webhooks(c *client.Client) *client.WebhookService { return (*client.WebhookService)(at(c)) }

// Plans returns the service of the plans of the app for merchants.
func Plans(a *client.App) *client.PlanService {
	return (*client.PlanService)(engine.At((*engine.Core)(a), string(client.VersionUnstable)))
}
