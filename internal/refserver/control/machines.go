package control

import (
	"fmt"
	"maps"
	"slices"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/res"
)

// machineJSON is a table of states.
type machineJSON struct {
	Name    string     `json:"name"`
	Initial string     `json:"initial"`
	States  []string   `json:"states"`
	Edges   []edgeJSON `json:"edges"`
}

type edgeJSON struct {
	From string `json:"from"`
	On   string `json:"on"`
	To   string `json:"to"`
	When string `json:"when"`
}

// shownMachine is a table with its states as text.
func shownMachine[S comparable](m api.Machine[S]) machineJSON {
	out := machineJSON{Name: m.Name, Initial: fmt.Sprint(m.Initial), States: []string{}, Edges: []edgeJSON{}}
	for _, s := range m.States {
		out.States = append(out.States, fmt.Sprint(s))
	}
	for _, e := range m.Edges {
		out.Edges = append(out.Edges, edgeJSON{fmt.Sprint(e.From), e.On, fmt.Sprint(e.To), e.When})
	}
	return out
}

func machines(c *call) (any, error) {
	all := []machineJSON{
		shownMachine(res.OrderStates()), shownMachine(res.PaymentStates()), shownMachine(res.TransactionStates()),
	}
	byType := res.FulfillmentStates()
	for _, kind := range slices.Sorted(maps.Keys(byType)) {
		all = append(all, shownMachine(byType[kind]))
	}
	all = append(all, shownMachine(res.LabelStates()), shownMachine(res.DisputeStates()), shownMachine(res.DraftStates()),
		shownMachine(res.CheckoutStates()), shownMachine(res.ChargeStates()), shownMachine(res.CategoryVisibility()))
	return page(c, number(all), numbered[machineJSON].key, func(m numbered[machineJSON]) any {
		return struct {
			N int64 `json:"n"`
			machineJSON
		}{m.n, m.of}
	})
}
