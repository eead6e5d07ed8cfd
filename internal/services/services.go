package services

import (
	"path"
	"reflect"
	"runtime"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/unstable"
	"github.com/commerceplatform/commerce-go/client/v1"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

// Service is a function that returns a service, such as v202503.Products.
type Service struct {
	Version client.Version
	Name    string // "Products"
	of      reflect.Value
}

// All returns the functions of all versions. internal/contract tests that none is missing.
func All() []Service {
	all := make([]Service, len(functions))
	for i, f := range functions {
		of := reflect.ValueOf(f)
		pkg, name, _ := strings.Cut(path.Base(runtime.FuncForPC(of.Pointer()).Name()), ".")
		all[i] = Service{versions[pkg], name, of}
	}
	return all
}

// Type returns the type of the service, without its pointer.
func (s Service) Type() reflect.Type { return s.of.Type().Out(0).Elem() }

// Of returns the service of a client, or of an app if it requires no store.
func (s Service) Of(c *client.Client, a *client.App) reflect.Value {
	given := reflect.ValueOf(c)
	if s.of.Type().In(0) != given.Type() {
		given = reflect.ValueOf(a)
	}
	return s.of.Call([]reflect.Value{given})[0]
}

var versions = map[string]client.Version{
	"v1": client.VersionV1, "v202503": client.Version202503, "unstable": client.VersionUnstable,
}

var functions = []any{
	v1.BusinessRules, v1.Carriers, v1.Carts, v1.Categories, v1.CategoryCustomFields, v1.Checkouts, v1.Coupons,
	v1.CustomerCustomFields, v1.Customers, v1.Discounts, v1.Disputes, v1.DraftOrders, v1.FulfillmentOrders,
	v1.Fulfillments, v1.Images, v1.Invoices, v1.Locations, v1.Metafields, v1.OrderCustomFields, v1.Orders,
	v1.PaymentOptions, v1.PaymentProviders, v1.PriceTables, v1.ProductCustomFields, v1.Products, v1.Promotions,
	v1.Scripts, v1.Store, v1.TrackingEvents, v1.Transactions, v1.VariantCustomFields, v1.Variants, v1.Webhooks,
	v202503.AppSubscriptions, v202503.Blogs, v202503.BusinessRules, v202503.Carriers, v202503.Carts,
	v202503.Categories, v202503.CategoryCustomFields, v202503.Charges, v202503.Checkouts, v202503.Coupons,
	v202503.CustomerCustomFields, v202503.Customers, v202503.Discounts, v202503.DraftOrders, v202503.EmailTemplates,
	v202503.FulfillmentOrders, v202503.Fulfillments, v202503.Images, v202503.Invoices, v202503.Kits,
	v202503.Locations, v202503.Metafields, v202503.OrderCustomFields, v202503.Orders, v202503.Pages,
	v202503.PaymentOptions, v202503.PaymentProviders, v202503.PriceTables, v202503.ProductCustomFields,
	v202503.Products, v202503.Promotions, v202503.Scripts, v202503.Store, v202503.TrackingEvents,
	v202503.Transactions, v202503.VariantCustomFields, v202503.Variants, v202503.Webhooks, v202503.Plans,
	unstable.AppSubscriptions, unstable.Blogs, unstable.BusinessRules, unstable.Carriers, unstable.Carts,
	unstable.Categories, unstable.CategoryCustomFields, unstable.Charges, unstable.Checkouts, unstable.Coupons,
	unstable.CustomerCustomFields, unstable.Customers, unstable.Discounts, unstable.Disputes, unstable.DraftOrders,
	unstable.EmailTemplates, unstable.ExternalInvoices, unstable.FulfillmentOrders, unstable.Fulfillments,
	unstable.Images, unstable.Invoices, unstable.Kits, unstable.Labels, unstable.Locations, unstable.Metafields,
	unstable.OrderCustomFields, unstable.Orders, unstable.Pages, unstable.PaymentOptions, unstable.PaymentProviders,
	unstable.PriceTables, unstable.ProductCustomFields, unstable.Products, unstable.Promotions, unstable.Scripts,
	unstable.Store, unstable.TrackingEvents, unstable.Transactions, unstable.VariantCustomFields, unstable.Variants,
	unstable.Webhooks, unstable.Plans,
}
