package unstable

import (
	"context"
	"net/http"

	"github.com/commerceplatform/commerce-go/client"
)

// OrderService is client.DatedOrderService with what only version unstable has.
type OrderService struct {
	*client.DatedOrderService
	view client.View
}

// Edit changes the products of an order whose fulfillment orders are all unpacked.
//
//api:endpoint POST /orders/{id}/edit
func (s *OrderService) Edit(ctx context.Context, id client.ID, in client.OrderEdit) (*client.OrderEdited, error) {
	if err := in.Check(); err != nil {
		return nil, err
	}
	return client.Result[client.OrderEdited](ctx, s.view, client.Request{Method: http.MethodPost, Path: "/orders/{id}/edit", Args: []any{id}, Body: in})
}
