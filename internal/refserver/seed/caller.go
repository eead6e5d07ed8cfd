package seed

import (
	"encoding/json"
	"fmt"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// caller makes records the way an app does, by the operations of the API, so that
// whatever is made is something the API would have let through. After the first
// failure it does nothing more.
type caller struct {
	world *world.World
	// app is who calls; without one it is the platform.
	app   world.App
	store world.Store
	ops   map[string]api.Op
	check func(address string) error
	err   error
}

func newCaller(s *refserver.Server, st world.Store) *caller {
	c := &caller{world: s.World(), store: st, ops: map[string]api.Op{}, check: s.CheckURL}
	for _, op := range s.Ops() {
		c.ops[op.ID] = op
	}
	return c
}

// object is a body or an answer.
type object = map[string]any

// call runs an operation and returns its answer.
func (c *caller) call(id string, vars map[string]string, body any) object {
	if c.err != nil {
		return nil
	}
	raw, err := json.Marshal(body)
	if err != nil {
		c.err = err
		return nil
	}
	op, ok := c.ops[id]
	if !ok {
		c.err = fmt.Errorf("there is no operation %s", id)
		return nil
	}
	var answer object
	c.err = c.world.Update(c.app.ID, c.store.ID, func(tx *world.Tx) error {
		in := api.In{Op: &op, Version: api.Unstable, App: c.app, Store: tx.Store(), Scopes: world.AllScopes(), Vars: vars, Raw: raw, CheckURL: c.check}
		v, err := op.Handler(tx, &in)
		if err != nil {
			return err
		}
		if unread := in.Unread(); len(unread) > 0 {
			return fmt.Errorf("nothing reads %v", unread)
		}
		raw, err := api.Encode(v)
		if err != nil {
			return err
		}
		return json.Unmarshal(raw, &answer)
	})
	if c.err != nil {
		c.err = fmt.Errorf("%s %s: %w", id, raw, c.err)
	}
	return answer
}

// put writes a record that no operation makes in this form.
func (c *caller) put(f func(tx *world.Tx) error) {
	if c.err == nil {
		c.err = c.world.Update(0, c.store.ID, f)
	}
}

// id is that of an answer.
func id(answer object) int64 {
	n, _ := answer["id"].(float64)
	return int64(n)
}
