package webhook

import (
	"cmp"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
)

// StoreRedact is the payload of store/redact: delete the data of the store. It has
// no member of its own. The merchant may have installed the app again since, and
// data of a living installation must stay.
type StoreRedact struct {
	Extra client.Extra `json:",embed"`
}

func (StoreRedact) identity() identity { return one(wholeStore) }

// CustomerRedact is the payload of customers/redact: erase the customer and what
// is kept of the orders named. The same request may come again after new data.
type CustomerRedact struct {
	Customer       Customer     `json:"customer"`         // who is to be forgotten
	OrdersToRedact []client.ID  `json:"orders_to_redact"` // whose personal data is to be erased
	Extra          client.Extra `json:",embed"`
}

// Requests for one customer that name different orders are different: none of the
// orders may be forgotten.
func (c CustomerRedact) identity() identity {
	id := number(c.Customer.ID)
	return occurrence(joined(id, numbers(c.OrdersToRedact)), id)
}

// DataRequest is the payload of customers/data_request: send what is kept of the
// customer to the merchant, once per DataRequest.ID.
type DataRequest struct {
	Customer             Customer       `json:"customer"`                // who wants to know
	OrdersRequested      []client.ID    `json:"orders_requested"`        // that the report must be about
	CheckoutsRequested   []client.ID    `json:"checkouts_requested"`     // that the report must be about
	DraftOrdersRequested []client.ID    `json:"drafts_orders_requested"` // that the report must be about
	DataRequest          DataRequestRef `json:"data_request"`
	Extra                client.Extra   `json:",embed"`
}

func (d DataRequest) identity() identity {
	id := number(d.DataRequest.ID)
	return occurrence(id, cmp.Or(number(d.Customer.ID), id))
}

// DataRequestRef identifies a request for a report.
type DataRequestRef struct {
	ID    client.ID    `json:"id"`
	Extra client.Extra `json:",embed"`
}

// Customer is whom a request of data protection is about. The texts are personal
// data: keep them out of logs.
type Customer struct {
	ID             client.ID    `json:"id"`
	Email          string       `json:"email"`          // "" if it is not known
	Phone          string       `json:"phone"`          // "" if it is not known
	Identification string       `json:"identification"` // number of a tax or identity document
	Extra          client.Extra `json:",embed"`
}

// numbers returns the ids in ascending order as one text.
func numbers(ids []client.ID) string {
	var digits []string
	for _, id := range slices.Sorted(slices.Values(ids)) {
		digits = append(digits, id.String())
	}
	return strings.Join(digits, ",")
}
