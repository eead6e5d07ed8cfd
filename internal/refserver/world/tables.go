package world

import "github.com/commerceplatform/commerce-go/internal/refserver/table"

// Tables are the resources of one store. A new resource is one more line.
type Tables struct {
	Webhooks table.Table[int64, Webhook]

	Products        table.Table[int64, Product]
	Variants        table.Table[int64, Variant]
	InventoryLevels table.Table[int64, InventoryLevel]
	Images          table.Table[int64, Image]
	Categories      table.Table[int64, Category]
	Kits            table.Table[int64, Kit]
	Customers       table.Table[int64, Customer]
	Coupons         table.Table[int64, Coupon]
	Locations       table.Table[string, Location]
	Orders          table.Table[int64, Order]
	Checkouts       table.Table[int64, Checkout]
	Carts           table.Table[int64, Cart]
}
