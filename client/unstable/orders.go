package unstable

import (
	"context"
	"net/http"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
)

// OrderService is client.DatedOrderService with the methods that only version unstable has.
type OrderService struct {
	*client.DatedOrderService
}

// Edit changes the products of an order whose fulfillment orders are all unpacked.
//
//api:endpoint POST /orders/{id}/edit
func (s *OrderService) Edit(ctx context.Context, id client.ID, in client.OrderEdit) (*client.OrderEdited, error) {
	if err := in.Check(); err != nil {
		return nil, err
	}
	return engine.Result[client.OrderEdited](ctx, s.OrderService, engine.Request{Method: http.MethodPost, Path: "/orders/{id}/edit", Args: []any{id}, Body: in})
}
