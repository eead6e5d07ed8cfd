package res

import "github.com/commerceplatform/commerce-go/internal/refserver/api"

// What becomes of a draft. Neither can be read as a draft any more.
const (
	draftConfirmed = "confirmed" // it is an order
	draftDeleted   = "deleted"
)

// DraftStates is the table of the status of a draft order. No call of the API
// closes or cancels a draft; the merchant does.
func DraftStates() api.Machine[string] {
	return api.Machine[string]{
		Name:    "draft order status",
		Initial: orderOpen,
		States:  []string{orderOpen, orderClosed, orderCancelled, draftConfirmed, draftDeleted},
		Edges: []api.Edge[string]{
			{From: orderOpen, On: "confirm", To: draftConfirmed},
			{From: orderOpen, On: "delete", To: draftDeleted},
			{From: orderClosed, On: "delete", To: draftDeleted},
			{From: orderCancelled, On: "delete", To: draftDeleted},
		},
	}
}
