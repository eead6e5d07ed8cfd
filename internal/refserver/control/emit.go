package control

import (
	"net/http"
	"slices"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

type emitJSON struct {
	Event  string         `json:"event"`
	App    int64          `json:"app"`
	Fields map[string]any `json:"fields"`
}

func emit(c *call, in emitJSON) (any, error) {
	st, err := c.store()
	if err != nil {
		return nil, err
	}
	if err := eventExists(in.Event, eventNames()); err != nil {
		return nil, err
	}
	if in.App != 0 || slices.Contains(dataProtection, in.Event) {
		app, err := c.app(in.App)
		if err != nil {
			return nil, err
		}
		in.App = app.ID
	}
	return c.emit(st.ID, in)
}

// eventExists reports a name that is none of an event.
func eventExists(name string, of []string) error {
	if slices.Contains(of, name) {
		return nil
	}
	e := unknown("event", name, of)
	e.Status = http.StatusUnprocessableEntity
	return e
}

func (c *call) emit(store int64, in emitJSON) (any, error) {
	if err := c.server.Emit(in.App, store, in.Event, in.Fields); err != nil {
		return nil, err
	}
	return map[string]any{"event": in.Event, "store": store, "app": in.App, "fields": in.Fields}, nil
}

type dataRequestJSON struct {
	App      int64  `json:"app"`
	Event    string `json:"event"`
	Customer int64  `json:"customer"`
}

// dataRequest sends a request of data protection with what the platform knows of the customer.
func dataRequest(c *call, in dataRequestJSON) (any, error) {
	st, err := c.store()
	if err != nil {
		return nil, err
	}
	app, err := c.app(in.App)
	if err != nil {
		return nil, err
	}
	if err := eventExists(in.Event, dataProtection); err != nil {
		return nil, err
	}
	out := emitJSON{Event: in.Event, App: app.ID}
	if in.Event != "store/redact" {
		if out.Fields, err = c.customerFields(st.ID, in); err != nil {
			return nil, err
		}
	}
	return c.emit(st.ID, out)
}

// customerFields are the members of a request about a customer, with the ids of what the customer has bought.
func (c *call) customerFields(store int64, in dataRequestJSON) (map[string]any, error) {
	var customer world.Customer
	orders, checkouts, drafts := []int64{}, []int64{}, []int64{}
	err := c.server.World().View(0, store, func(tx *world.Tx) error {
		var ok bool
		if customer, ok = tx.Customers.Get(in.Customer); !ok {
			known := ids(tx.Customers.Values(), func(c world.Customer) int64 { return c.ID })
			return unknown("customer", text(in.Customer), known)
		}
		for id := range tx.Orders.Where("customer", text(in.Customer)) {
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
	if err != nil {
		return nil, err
	}
	who := map[string]any{
		"id": customer.ID, "email": customer.Email, "phone": customer.Phone, "identification": customer.Identification,
	}
	if in.Event == "customers/redact" {
		return map[string]any{"customer": who, "orders_to_redact": orders}, nil
	}
	return map[string]any{
		"customer": who, "orders_requested": orders, "checkouts_requested": checkouts, "drafts_orders_requested": drafts,
		"data_request": map[string]any{"id": customer.ID},
	}, nil
}
