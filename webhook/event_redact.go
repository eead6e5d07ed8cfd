package webhook

import (
	"cmp"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/client/value"
)

// StoreRedact is the payload of store/redact, a request to delete the data of the store. It has no member of its own.
// The merchant may have installed the app again since then, and data of an active installation must stay.
type StoreRedact struct {
	Extra value.Extra `json:",embed"`
}

func (StoreRedact) identity() identity { return one(wholeStore) }

// CustomerRedact is the payload of customers/redact, a request to erase the customer and the stored data of the named
// orders. The same request may arrive again after new data was stored.
type CustomerRedact struct {
	Customer       Customer    `json:"customer"`         // the customer to erase
	OrdersToRedact []value.ID  `json:"orders_to_redact"` // orders whose personal data must be erased
	Extra          value.Extra `json:",embed"`
}

// Requests for one customer that name different orders are different, because no order may be missed.
func (c CustomerRedact) identity() identity {
	id := number(c.Customer.ID)
	return occurrence(joined(id, numbers(c.OrdersToRedact)), id)
}

// DataRequest is the payload of customers/data_request, a request to send the stored data of the customer to the
// merchant, once per DataRequest.ID.
type DataRequest struct {
	Customer             Customer       `json:"customer"`                // the customer who asked for the report
	OrdersRequested      []value.ID     `json:"orders_requested"`        // orders that the report must cover
	CheckoutsRequested   []value.ID     `json:"checkouts_requested"`     // checkouts that the report must cover
	DraftOrdersRequested []value.ID     `json:"drafts_orders_requested"` // draft orders that the report must cover
	DataRequest          DataRequestRef `json:"data_request"`
	Extra                value.Extra    `json:",embed"`
}

func (d DataRequest) identity() identity {
	id := number(d.DataRequest.ID)
	return occurrence(id, cmp.Or(number(d.Customer.ID), id))
}

// DataRequestRef identifies a request for a report.
type DataRequestRef struct {
	ID    value.ID    `json:"id"`
	Extra value.Extra `json:",embed"`
}

// Customer is the subject of a privacy request. The texts are personal data: do not log them.
type Customer struct {
	ID             value.ID    `json:"id"`
	Email          string      `json:"email"`          // "" if unknown
	Phone          string      `json:"phone"`          // "" if unknown
	Identification string      `json:"identification"` // number of a tax or identity document
	Extra          value.Extra `json:",embed"`
}

// numbers returns the ids in ascending order as one text.
func numbers(ids []value.ID) string {
	var digits []string
	for _, id := range slices.Sorted(slices.Values(ids)) {
		digits = append(digits, id.String())
	}
	return strings.Join(digits, ",")
}
