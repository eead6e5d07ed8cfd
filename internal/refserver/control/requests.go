package control

import (
	"slices"
	"strconv"

	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
	"github.com/commerceplatform/commerce-go/internal/refserver/work"
)

// operationNames are the operations by id.
func (c *call) operationNames() map[string]string {
	out := map[string]string{}
	for _, op := range c.server.Ops() {
		out[op.ID] = operation(op)
	}
	return out
}

func showRequest(names map[string]string, e traffic.Request) any {
	return map[string]any{
		"seq": e.Seq, "id": e.ID, "at": stamp(e.At), "method": e.Method, "path": e.Path, "operation": names[e.Op],
		"version": e.Version,
		"app":     e.App, "store": e.Store, "body": shown(e.Body), "status": e.Status, "answer": shown(e.Answer),
		"ms":    ms(e.Duration),
		"fault": e.Fault, "unread": slices.Concat([]string{}, e.UnreadBody, e.UnreadQuery),
		"unread_query": append([]string{}, e.UnreadQuery...), "hint": e.Hint, "error": e.Error,
	}
}

func requests(c *call) (any, error) {
	q := c.r.URL.Query()
	names := c.operationNames()
	id := ""
	if name := q.Get("operation"); name != "" {
		var err error
		if id, err = c.operation(name); err != nil {
			return nil, err
		}
	}
	all := records[traffic.Request]{
		in: c.server.RequestLog().Part, key: func(e traffic.Request) int64 { return e.Seq },
		show: func(e traffic.Request) any { return showRequest(names, e) },
	}
	if id+q.Get("status")+q.Get("store") != "" {
		all.keep = func(e traffic.Request) bool {
			return matches(id, e.Op) && matches(q.Get("status"), strconv.Itoa(e.Status)) &&
				matches(q.Get("store"), text(e.Store))
		}
	}
	return all.page(c)
}

func requestOf(c *call) (any, error) {
	log, seq := c.server.RequestLog(), c.id("seq")
	for _, e := range log.Part(work.Part{After: seq - 1, Most: 1}) {
		if e.Seq == seq {
			return showRequest(c.operationNames(), e), nil
		}
	}
	known := ids(log.Part(lastKnown), func(e traffic.Request) int64 { return e.Seq })
	return nil, unknown("seq", c.r.PathValue("seq"), known)
}
