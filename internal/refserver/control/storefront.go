package control

import (
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/shop"
)

// storefrontJSON is how carts are sent.
type storefrontJSON struct {
	LateRemoves bool   `json:"late_removes"`
	Delay       span   `json:"delay"`
	Seed        uint64 `json:"seed"`
	Signed      bool   `json:"signed"`
	Source      string `json:"source"`
	LooseForms  bool   `json:"loose_forms"`
	Stragglers  int    `json:"stragglers"`
}

// front is the storefront of the store of the path.
func (c *call) front() *front {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fronts[c.st.ID] == nil {
		c.open(c.st.ID, storefrontJSON{})
	}
	return c.fronts[c.st.ID]
}

// open opens the storefront of a store, which takes the place of one before. The lock is held.
func (a *API) open(store int64, in storefrontJSON) {
	o := shop.Options{
		Delay: time.Duration(in.Delay), Seed: in.Seed, Signed: in.Signed, Source: in.Source, LooseForms: in.LooseForms,
		Stragglers: in.Stragglers,
	}
	if in.LateRemoves {
		o.Late = shop.LateRemoves
	}
	a.fronts[store] = &front{a.server.Storefront(store, o), in}
}

func storefront(c *call) (any, error) {
	return c.front().options, nil
}

func setStorefront(c *call, in storefrontJSON) (any, error) {
	switch {
	case in.Delay < 0 || time.Duration(in.Delay) > mostTime:
		return nil, wrong("delay", in.Delay, "must be 0s to "+mostTime.String())
	case in.Stragglers < 0:
		return nil, wrong("stragglers", in.Stragglers, "must be 0 or more")
	case in.Source != "" && !isIP(in.Source):
		return nil, wrong("source", cut(in.Source), "must be an IP address, such as 203.0.113.7")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open(c.st.ID, in)
	return in, nil
}
