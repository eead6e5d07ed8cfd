package world

import (
	"strconv"

	"github.com/commerceplatform/commerce-go/internal/refserver/table"
)

// ExternalInvoice is an invoice of an order that another system issued. Its key is unique in the store.
type ExternalInvoice struct {
	// Key is the fiscal access key.
	Key     string
	OrderID int64
	// Series, Number and FulfillmentOrderID are empty for null.
	Series             string
	Number             string
	Status             string
	Subtype            string
	FulfillmentOrderID string
}

// Indexes find the invoices of an order.
func (i ExternalInvoice) Indexes() []table.Entry {
	return []table.Entry{table.Multi("order", strconv.FormatInt(i.OrderID, 10))}
}
