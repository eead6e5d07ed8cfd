package v1

import (
	"context"
	"net/http"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
)

// OrderService is client.OrderService with the methods that only version v1 has. Pack and Fulfill act on the first
// fulfillment order only. The platform deprecates them in favour of FulfillmentOrders.Update.
type OrderService struct {
	*client.OrderService
}

// Pack marks an order as packed.
//
//api:endpoint POST /orders/{id}/pack
func (s *OrderService) Pack(ctx context.Context, id client.ID) (*client.Order, error) {
	return s.act(ctx, "/orders/{id}/pack", id, struct{}{})
}

// OrderFulfill is the body of OrderService.Fulfill.
type OrderFulfill struct {
	ShippingTrackingNumber string `json:"shipping_tracking_number,omitzero"` // of the carrier
	ShippingTrackingURL    string `json:"shipping_tracking_url,omitzero"`    // tracking page of the shipment
	// NotifyCustomer sends an email to the customer. The default is true.
	NotifyCustomer client.Opt[bool] `json:"notify_customer,omitzero"`
}

// Fulfill marks an order as shipped.
//
//api:endpoint POST /orders/{id}/fulfill
func (s *OrderService) Fulfill(ctx context.Context, id client.ID, in OrderFulfill) (*client.Order, error) {
	return s.act(ctx, "/orders/{id}/fulfill", id, in)
}

func (s *OrderService) act(ctx context.Context, path string, id client.ID, in any) (*client.Order, error) {
	return engine.Result[client.Order](ctx, s.OrderService, engine.Request{Method: http.MethodPost, Path: path, Args: []any{id}, Body: in})
}
