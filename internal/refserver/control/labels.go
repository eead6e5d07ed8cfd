package control

import "github.com/commerceplatform/commerce-go/internal/refserver/label"

func showLabelCall(l label.Call) any {
	results := []any{}
	for _, r := range l.Results {
		results = append(results, map[string]any{
			"fulfillment_order": r.Fulfillment, "label": r.Label, "ok": r.OK, "code": r.Code, "message": r.Message,
			"status": r.Status,
		})
	}
	return map[string]any{
		"n": l.N, "at": stamp(l.At), "kind": l.Kind, "app": l.App, "carrier": l.Carrier, "url": l.URL, "try": l.Try,
		"request": shown(l.Request), "status": l.Status, "answer": shown(l.Answer), "late": l.Late, "ms": ms(l.Duration),
		"decided_by": l.DecidedBy, "next": stamp(l.Next), "labels": results, "unread": append([]string{}, l.Unread...),
		"reason": l.Reason,
	}
}

// called shows calls about labels.
func called(calls []label.Call, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	out := []any{}
	for _, l := range calls {
		out = append(out, showLabelCall(l))
	}
	return map[string]any{"calls": out}, nil
}

type fulfillmentsJSON struct {
	FulfillmentOrders []string `json:"fulfillment_orders"`
}

func requestLabels(c *call, in fulfillmentsJSON) (any, error) {
	return called(c.server.Labels().Request(c.ctx, c.st.ID, in.FulfillmentOrders...))
}

type labelsJSON struct {
	Labels []string `json:"labels"`
}

// undoLabels asks carriers to do something with labels that there are.
func undoLabels(kind label.Kind) func(c *call, in labelsJSON) (any, error) {
	return func(c *call, in labelsJSON) (any, error) {
		return called(c.server.Labels().Undo(c.ctx, c.st.ID, kind, in.Labels...))
	}
}

func labelCalls(c *call) (any, error) {
	return records[label.Call]{
		in: c.server.Labels().CallsIn, key: func(r label.Call) int64 { return int64(r.N) },
		keep: func(r label.Call) bool { return r.Store == c.st.ID }, show: showLabelCall,
	}.page(c)
}
