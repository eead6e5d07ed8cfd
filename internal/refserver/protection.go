package refserver

import (
	"strconv"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// The events of data protection. Each goes to an address in the settings of an app.
const (
	StoreRedact          = "store/redact"
	CustomersRedact      = "customers/redact"
	CustomersDataRequest = "customers/data_request"
)

// ProtectionFields returns the members of a privacy request about a customer, with the ids of what the
// customer has bought, and whether the store has that customer. The event is CustomersRedact or CustomersDataRequest.
func (s *Server) ProtectionFields(store, id int64, event string) (fields map[string]any, found bool, err error) {
	var customer world.Customer
	orders, checkouts, drafts := []int64{}, []int64{}, []int64{}
	err = s.world.View(0, store, func(tx *world.Tx) error {
		if customer, found = tx.Customers.Get(id); !found {
			return nil
		}
		for id := range tx.Orders.Where("customer", strconv.FormatInt(id, 10)) {
			orders = append(orders, id)
		}
		for id, o := range tx.Checkouts.All() {
			if customer.Email != "" && o.ContactEmail == customer.Email {
				checkouts = append(checkouts, id)
			}
		}
		for id, o := range tx.DraftOrders.All() {
			if customer.Email != "" && o.ContactEmail == customer.Email {
				drafts = append(drafts, id)
			}
		}
		return nil
	})
	if err != nil || !found {
		return nil, false, err
	}
	who := map[string]any{
		"id": customer.ID, "email": customer.Email, "phone": customer.Phone, "identification": customer.Identification,
	}
	if event == CustomersRedact {
		return map[string]any{"customer": who, "orders_to_redact": orders}, true, nil
	}
	return map[string]any{
		"customer": who, "orders_requested": orders, "checkouts_requested": checkouts, "drafts_orders_requested": drafts,
		"data_request": map[string]any{"id": customer.ID},
	}, true, nil
}
