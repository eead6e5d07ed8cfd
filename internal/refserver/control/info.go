package control

import (
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/act"
	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/res"
)

// pattern is the route as the mux has it.
func (r route) pattern() string {
	if r.path == "" {
		return r.method + " " + Prefix + "{$}"
	}
	return r.method + " " + Prefix + r.path
}

// parameters are the allowed parameters of the query.
func (r route) parameters() []string {
	names := strings.Fields(r.takes)
	switch {
	case r.lists():
		return append([]string{"limit", "after", "order"}, names[1:]...)
	case r.streams():
		return names[1:]
	}
	return names
}

func (r route) lists() bool { return strings.HasPrefix(r.takes, "list") }

func (r route) streams() bool { return strings.HasPrefix(r.takes, "stream") }

// declared is the row as data.
func (r route) declared() act.Act {
	out := act.Act{
		Name: r.name, Method: r.method, Path: r.path, Does: r.does, Query: r.parameters(), Lists: r.lists(), Streams: r.streams(),
		Body: r.body, Answer: r.answer, InGo: strings.Fields(r.inGo),
	}
	if r.do.body != nil {
		out.In = reflect.TypeOf(r.do.body()).Elem()
	}
	return out
}

// Acts returns the table of acts.
func Acts() []act.Act {
	var out []act.Act
	for _, r := range routes() {
		out = append(out, r.declared())
	}
	return out
}

// rowJSON is a route in the list of calls.
type rowJSON struct {
	Name   string   `json:"name"`
	Method string   `json:"method"`
	Path   string   `json:"path"`
	Does   string   `json:"does"`
	Query  []string `json:"query,omitempty"`
	Body   string   `json:"body,omitempty"`
	Answer string   `json:"answer"`
}

func listRoutes(*call) (any, error) {
	var out []rowJSON
	for _, r := range routes() {
		out = append(out, rowJSON{r.name, r.method, Prefix + r.path, r.does, r.parameters(), r.body, r.answer})
	}
	return map[string]any{"calls": out}, nil
}

// unknownPath is the error of a path that no route has, or of a method that none of its routes has.
func (a *API) unknownPath(r *http.Request) *Error {
	var allow, all []string
	for _, row := range routes() {
		probe := r.Clone(r.Context())
		probe.Method = row.method
		if clean(r.URL.Path) {
			if _, pattern := a.mux.Handler(probe); pattern == row.pattern() {
				allow = append(allow, row.method)
			}
		}
		all = append(all, Prefix+row.path)
	}
	if len(allow) > 0 {
		slices.Sort(allow)
		e := wrong("method", cut(r.Method), "must be "+strings.Join(slices.Compact(allow), " or "))
		e.Status, e.allow = http.StatusMethodNotAllowed, strings.Join(slices.Compact(allow), ", ")
		return e
	}
	e := unknown("path", r.URL.Path, all)
	e.Message = fmt.Sprintf("the control API has no path %q", cut(r.URL.Path))
	e.Hint += ": GET " + Prefix + " lists the calls"
	return e
}

func info(c *call) (any, error) {
	demo := c.o.Shop
	c.mu.Lock()
	own, base := c.url, c.base
	c.mu.Unlock()
	out := map[string]any{
		"base_url": base, "auth_url": base + refserver.AuthPath, "control_url": own, "versions": api.Versions(),
		"app_id": demo.App.ID, "client_secret": demo.App.Secret, "store_id": demo.Store.ID,
		"access_token": "",
		"stores":       len(c.server.World().Stores()), "apps": len(c.server.World().Apps()),
		"deliveries": c.server.Webhooks().Len(),
		"now":        stamp(c.server.Clock().Now()),
	}
	// The token of the latest installation, whoever made it. An uninstallation has ended the one of the start.
	if in, ok := c.server.World().Installed(demo.App.ID, demo.Store.ID); ok {
		out["access_token"] = in.Token
	}
	return out, nil
}

// numbered is an element of a list that has no key of its own.
type numbered[T any] struct {
	n  int64
	of T
}

// number gives elements their place, from 1.
func number[T any](of []T) []numbered[T] {
	var out []numbered[T]
	for i, one := range of {
		out = append(out, numbered[T]{int64(i) + 1, one})
	}
	return out
}

func (n numbered[T]) key() int64 { return n.n }

func operations(c *call) (any, error) {
	return page(c, number(c.server.Faulty()), numbered[api.Op].key, func(o numbered[api.Op]) any {
		return map[string]any{
			"n": o.n, "operation": operation(o.of), "id": o.of.ID, "versions": o.of.AllVersions(), "scopes": o.of.ScopeText(),
			"provenance": o.of.Origin(),
		}
	})
}

// operation is an operation as the table of endpoints has it.
func operation(o api.Op) string { return fmt.Sprintf("%s %s", o.Method, o.Path) }

// dataProtection are the events that apps have an address for, and do not register.
var dataProtection = []string{"store/redact", "customers/redact", "customers/data_request"}

// eventNames are the names of events that can be emitted.
func eventNames() []string {
	var out []string
	for _, k := range res.Events() {
		out = append(out, k.Name)
	}
	return append(out, dataProtection...)
}

func events(c *call) (any, error) {
	return page(c, number(eventNames()), numbered[string].key, func(e numbered[string]) any {
		return map[string]any{"n": e.n, "event": e.of}
	})
}

func settle(c *call) (any, error) {
	if err := c.server.Settle(c.ctx); err != nil {
		return nil, err
	}
	return map[string]any{"settled": true}, nil
}
