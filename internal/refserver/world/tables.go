package world

import "github.com/commerceplatform/commerce-go/internal/refserver/table"

// Tables are the resources of one store. A new resource is one more line.
type Tables struct {
	Webhooks table.Table[int64, Webhook]

	Products          table.Table[int64, Product]
	Variants          table.Table[int64, Variant]
	InventoryLevels   table.Table[int64, InventoryLevel]
	Images            table.Table[int64, Image]
	Categories        table.Table[int64, Category]
	Kits              table.Table[int64, Kit]
	PriceTables       table.Table[int64, PriceTable]
	Customers         table.Table[int64, Customer]
	Coupons           table.Table[int64, Coupon]
	Locations         table.Table[string, Location]
	Orders            table.Table[int64, Order]
	DraftOrders       table.Table[int64, DraftOrder]
	Transactions      table.Table[string, Transaction]
	Checkouts         table.Table[int64, Checkout]
	Carts             table.Table[int64, Cart]
	FulfillmentOrders table.Table[string, FulfillmentOrder]
	TrackingEvents    table.Table[string, TrackingEvent]
	Labels            table.Table[string, Label]
	CustomFields      table.Table[string, CustomField]
	CustomFieldValues table.Table[string, CustomFieldValue]
	Metafields        table.Table[int64, Metafield]
	Pages             table.Table[int64, Page]
	ScriptLinks       table.Table[int64, ScriptLink]
	PaymentProviders  table.Table[string, PaymentProvider]
	Promotions        table.Table[string, Promotion]
	DiscountCallbacks table.Table[int64, DiscountCallback]
	Disputes          table.Table[string, Dispute]
	Plans             table.Table[string, Plan]
	AppSubscriptions  table.Table[string, AppSubscription]
	Charges           table.Table[string, Charge]
	Visits            table.Table[int64, Visit]
	Carriers          table.Table[int64, Carrier]
	CarrierOptions    table.Table[int64, CarrierOption]

	PriceTableCategories table.Table[int64, PriceTableCategory]
	PriceTableVariants   table.Table[int64, PriceTableVariant]
	PriceTableCustomers  table.Table[int64, PriceTableCustomer]
}
