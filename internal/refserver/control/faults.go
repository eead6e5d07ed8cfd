package control

import (
	"net/http"
	"regexp"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
)

type faultJSON struct {
	Operation string            `json:"operation"`
	Skip      int               `json:"skip"`
	Count     int               `json:"count"`
	Status    int               `json:"status"`
	Header    map[string]string `json:"header"`
	Body      string            `json:"body"`
	Reset     bool              `json:"reset"`
	Truncate  bool              `json:"truncate"`
	After     bool              `json:"after"`
	Delay     span              `json:"delay"`
}

// parameter is one of a path, such as {id}, whose name nobody remembers.
var parameter = regexp.MustCompile(`\{[^{}/]*\}`)

// operation is the id of an operation by its id or its method and path; * is every one.
func (c *call) operation(name string) (string, error) {
	shape := parameter.ReplaceAllString(name, "{}")
	known := []string{"*"}
	for _, op := range c.server.Faulty() {
		if name == op.ID || shape == parameter.ReplaceAllString(operation(op), "{}") {
			return op.ID, nil
		}
		known = append(known, operation(op), op.ID)
	}
	if name == "*" {
		return name, nil
	}
	e := misspelt("operation", name, known)
	e.Hint += "; \"refserver serve --routes\" or GET " + Prefix + "operations lists all"
	return "", e
}

func showFault(a traffic.Armed) any {
	return map[string]any{
		"id": a.ID, "operation": a.Fault.Op, "hits": a.Hits, "done": a.Done, "skip": a.Fault.Skip, "count": a.Fault.Count,
		"status": a.Fault.Status, "reset": a.Fault.Reset, "truncate": a.Fault.Truncate, "after": a.Fault.After,
		"delay": span(a.Fault.Delay),
	}
}

func faults(c *call) (any, error) {
	return page(c, c.server.Faults(), func(a traffic.Armed) int64 { return int64(a.ID) }, showFault)
}

func arm(c *call, in faultJSON) (any, error) {
	id, err := c.operation(in.Operation)
	if err != nil {
		return nil, err
	}
	if in.Status == 0 && !in.Reset && !in.Truncate && in.Delay == 0 {
		return nil, &Error{
			Message: "set status, reset, truncate or delay: this fault would do nothing", Field: "status", Rule: "must be set",
			Hint: exampleHint,
		}
	}
	header := http.Header{}
	for name, value := range in.Header {
		header.Set(name, value)
	}
	armed, err := c.server.Fault(traffic.Fault{
		Op: id, Skip: in.Skip, Count: in.Count, Status: in.Status, Header: header, Body: in.Body, Reset: in.Reset,
		Truncate: in.Truncate, After: in.After, Delay: time.Duration(in.Delay),
	})
	if err != nil {
		return nil, err
	}
	return showFault(armed), nil
}

func disarm(c *call) (any, error) {
	id := c.id("fault")
	all := c.server.Faults()
	if !slices.ContainsFunc(all, func(a traffic.Armed) bool { return int64(a.ID) == id }) {
		return nil, unknown("fault", c.r.PathValue("fault"), ids(all, func(a traffic.Armed) int64 { return int64(a.ID) }))
	}
	ended := 0
	if c.server.Disarm(int(id)) {
		ended = 1
	}
	return map[string]any{"ended": ended}, nil
}

func disarmAll(c *call) (any, error) { return map[string]any{"ended": c.server.DisarmAll()}, nil }
