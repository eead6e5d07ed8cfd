package control

import (
	"net/http"

	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
)

func showPartner(r delivery.Route) map[string]any {
	return map[string]any{
		"host": r.Host, "targets": append([]string{}, r.Targets...), "source": r.Source, "in_process": r.Targets == nil,
	}
}

func partners(c *call) (any, error) {
	return page(c, number(c.server.Partners()), numbered[delivery.Route].key, func(r numbered[delivery.Route]) any {
		out := showPartner(r.of)
		out["n"] = r.n
		return out
	})
}

// Bounds of partners.
const (
	mostPartners = 1000
	mostTargets  = 100
)

type partnerJSON struct {
	Origin  string   `json:"origin"`
	Targets []string `json:"targets"`
	Source  string   `json:"source"`
}

func setPartner(c *call, in partnerJSON) (any, error) {
	switch {
	case len(in.Targets) > mostTargets:
		return nil, wrong("targets", len(in.Targets), "must be at most 100")
	case len(c.server.Partners()) >= mostPartners:
		return nil, conflict("there are 1000 partners", "\"refserver do partners.remove\" or DELETE "+Prefix+"partners/{host} ends the delivery to one")
	}
	if err := c.server.Spread(in.Origin, in.Targets, in.Source); err != nil {
		e := wrong("origin", cut(in.Origin), "must be https://host, with targets such as http://127.0.0.1:3000")
		e.Message = err.Error()
		return nil, e
	}
	host := delivery.Hostname(in.Origin)
	for _, r := range c.server.Partners() {
		if r.Host == host {
			return showPartner(r), nil
		}
	}
	return nil, conflict("the partner was removed by another call", "repeat the call")
}

func removePartner(c *call) (any, error) {
	host := c.r.PathValue("host")
	if !c.server.RemovePartner("https://" + host) {
		var known []string
		for _, r := range c.server.Partners() {
			known = append(known, r.Host)
		}
		e := unknown("host", host, known)
		e.Status = http.StatusNotFound
		return nil, e
	}
	return map[string]any{"host": host}, nil
}
