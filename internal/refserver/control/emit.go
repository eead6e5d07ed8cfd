package control

import (
	"slices"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

type emitJSON struct {
	Event  string         `json:"event"`
	App    int64          `json:"app"`
	Fields map[string]any `json:"fields"`
}

func emit(c *call, in emitJSON) (any, error) {
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
	return c.emit(c.st.ID, in)
}

// eventExists reports a name that is none of an event.
func eventExists(name string, of []string) error {
	if slices.Contains(of, name) {
		return nil
	}
	return misspelt("event", name, of)
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

// dataRequest sends a privacy request with what the platform knows of the customer.
func dataRequest(c *call, in dataRequestJSON) (any, error) {
	app, err := c.app(in.App)
	if err != nil {
		return nil, err
	}
	if err := eventExists(in.Event, dataProtection); err != nil {
		return nil, err
	}
	out := emitJSON{Event: in.Event, App: app.ID}
	if in.Event != "store/redact" {
		if out.Fields, err = c.customerFields(c.st.ID, in); err != nil {
			return nil, err
		}
	}
	return c.emit(c.st.ID, out)
}

// customerFields are the members of a request about a customer.
func (c *call) customerFields(store int64, in dataRequestJSON) (map[string]any, error) {
	fields, found, err := c.server.ProtectionFields(store, in.Customer, in.Event)
	if err != nil || found {
		return fields, err
	}
	err = c.server.World().View(0, store, func(tx *world.Tx) error {
		known := ids(tx.Customers.Values(), func(c world.Customer) int64 { return c.ID })
		return unknown("customer", text(in.Customer), known)
	})
	return nil, err
}
