package engine

import "net/http"

// classes gives the retry class of every endpoint of the contract that writes.
// Reads and deletes need no row.
var classes = map[string]Class{
	"POST /products":                                                     Create,
	"PUT /products/{id}":                                                 AbsolutePut,
	"PATCH /products/stock-price":                                        AbsolutePatch,
	"POST /products/{product_id}/variants":                               KeyedCreate,
	"PUT /products/{product_id}/variants/{id}":                           AbsolutePut,
	"PUT /products/{product_id}/variants":                                ReplaceAll,
	"PATCH /products/{product_id}/variants":                              AbsolutePatch,
	"POST /products/{product_id}/variants/stock":                         Create,
	"POST /products/{product_id}/images":                                 Create,
	"PUT /products/{product_id}/images/{id}":                             AbsolutePut,
	"POST /categories":                                                   Create,
	"PUT /categories/{id}":                                               AbsolutePut,
	"POST /products/custom-fields":                                       Create,
	"PUT /products/custom-fields/{id}":                                   AddingPut,
	"PUT /products/{id}/custom-fields/values":                            Overwrite,
	"POST /products/variants/custom-fields":                              Create,
	"PUT /products/variants/custom-fields/{id}":                          AddingPut,
	"PUT /products/variants/{id}/custom-fields/values":                   Overwrite,
	"POST /customers/custom-fields":                                      Create,
	"PUT /customers/custom-fields/{id}":                                  AddingPut,
	"PUT /customers/{id}/custom-fields/values":                           Overwrite,
	"POST /categories/custom-fields":                                     Create,
	"PUT /categories/custom-fields/{id}":                                 AddingPut,
	"PUT /categories/{id}/custom-fields/values":                          Overwrite,
	"POST /orders/custom-fields":                                         Create,
	"PUT /orders/custom-fields/{id}":                                     AddingPut,
	"PUT /orders/{id}/custom-fields/values":                              Overwrite,
	"POST /metafields":                                                   KeyedCreate,
	"PUT /metafields/{id}":                                               AbsolutePut,
	"POST /customers":                                                    EffectCreate,
	"PUT /customers/{id}":                                                AbsolutePut,
	"POST /coupons":                                                      KeyedCreate,
	"PUT /coupons/{id}":                                                  AbsolutePut,
	"POST /locations":                                                    Create,
	"PUT /locations/{id}":                                                AbsolutePut,
	"PATCH /locations/priorities":                                        AbsolutePatch,
	"PATCH /locations/{id}/chosen-as-default":                            StatusPatch,
	"POST /scripts":                                                      Create,
	"PUT /scripts/{id}":                                                  AbsolutePut,
	"POST /draft_orders":                                                 Create,
	"POST /draft_orders/{id}/confirm":                                    EffectCreate,
	"POST /checkouts/{cart_id}/coupon":                                   EffectCreate,
	"POST /orders":                                                       EffectCreate,
	"PUT /orders/{id}":                                                   StatePut,
	"POST /orders/{id}/close":                                            EffectCreate,
	"POST /orders/{id}/open":                                             EffectCreate,
	"POST /orders/{id}/cancel":                                           EffectCreate,
	"POST /orders/{id}/pack":                                             EffectCreate,
	"POST /orders/{id}/fulfill":                                          EffectCreate,
	"POST /orders/{id}/edit":                                             EffectCreate,
	"PATCH /orders/{order_id}/fulfillment-orders/{fulfillment_order_id}": StatePut,
	"POST /orders/{order_id}/fulfillment-orders/{fulfillment_order_id}/tracking-events":           EffectCreate,
	"PUT /orders/{order_id}/fulfillment-orders/{fulfillment_order_id}/tracking-events/{event_id}": StatePut,
	"POST /fulfillment-orders/labels":                                            EffectCreate,
	"PATCH /fulfillment-orders/{fulfillment_order_id}/labels/{label_id}":         StatePut,
	"PATCH /fulfillment-orders/labels/status":                                    StatePut,
	"POST /fulfillment-orders/{fulfillment_order_id}/labels/{label_id}/download": EffectCreate,
	"POST /orders/{order_id}/fulfillments":                                       EffectCreate,
	"POST /webhooks":                                                             KeyedCreate,
	"PUT /webhooks/{id}":                                                         AbsolutePut,
	"POST /shipping_carriers":                                                    Create,
	"PUT /shipping_carriers/{id}":                                                AbsolutePut,
	"POST /shipping_carriers/{carrier_id}/options":                               Create,
	"PUT /shipping_carriers/{carrier_id}/options/{id}":                           AbsolutePut,
	"POST /promotions":                                                           Create,
	"PATCH /promotions/{id}":                                                     AbsolutePatch,
	"PUT /discounts/callbacks":                                                   AbsolutePut,
	"PUT /business_rules/integrations/{domain}":                                  AbsolutePut,
	"POST /payment_providers":                                                    Create,
	"PUT /payment_providers/{id}":                                                AbsolutePut,
	"POST /orders/{order_id}/transactions":                                       EffectCreate,
	"POST /orders/{order_id}/transactions/{id}/events":                           EffectCreate,
	"POST /orders/{order_id}/transactions/{transaction_id}/disputes":             EffectCreate,
	"PUT /orders/{order_id}/transactions/{transaction_id}/disputes/{id}":         StatePut,
	"POST /apps/{app_id}/plans":                                                  Create,
	"PATCH /apps/{app_id}/plans/{plan_id}":                                       AbsolutePatch,
	"PATCH /concepts/{concept_code}/services/{service_id}/subscriptions":         StatePut,
	"POST /services/{service_id}/charges":                                        EffectCreate,
	"POST /pages":                                                                Create,
	"PUT /pages/{id}":                                                            AbsolutePut,
	"POST /blogs/{blog_id}/posts":                                                Create,
	"PUT /blogs/{blog_id}/posts/{post_id}":                                       AbsolutePut,
	"PATCH /blogs/{blog_id}/posts/{post_id}/publish":                             AbsolutePatch,
	"PATCH /blogs/{blog_id}/posts/{post_id}/unpublish":                           AbsolutePatch,
	"POST /blogs/{blog_id}/posts/media":                                          Create,
	"POST /blogs/{blog_id}/posts/thumbnail":                                      Create,
	"PUT /email-templates/{id}":                                                  AbsolutePut,
	"POST /orders/{order_id}/invoices/external":                                  KeyedCreate,
	"PUT /orders/{order_id}/invoices/external/{key}":                             AbsolutePut,
	"POST /products/price-tables":                                                Create,
	"PUT /products/price-tables/{id}":                                            AbsolutePut,
	"PUT /products/price-tables/{id}/categories":                                 Overwrite,
	"PUT /products/price-tables/{id}/product-variants":                           Overwrite,
	"PUT /products/price-tables/{id}/customers":                                  KeyedCreate, // a repetition is a 409
	"POST /products/price-tables/{id}/approve-customers":                         AbsolutePatch,
}

// classOf returns the class of an endpoint. Endpoints that the table does not
// know get the most careful class of their method.
func classOf(method, path string) Class {
	if class, ok := classes[method+" "+path]; ok {
		return class
	}
	switch method {
	case http.MethodGet, http.MethodHead:
		return Read
	case http.MethodDelete:
		return Remove
	case http.MethodPut, http.MethodPatch:
		return StatePut
	}
	return EffectCreate
}
