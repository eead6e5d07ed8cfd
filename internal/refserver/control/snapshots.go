package control

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/http"
	"reflect"
	"slices"

	"github.com/commerceplatform/commerce-go/internal/refserver/carrier"
	"github.com/commerceplatform/commerce-go/internal/refserver/payment"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// mostSnapshots is how many states are kept.
const mostSnapshots = 32

// state is one of the platform, with its limits.
type state struct {
	name string
	n    int64
	snap world.Snapshot
}

// snapshot is a state that was kept, with what it had in it.
type snapshot struct {
	state
	digest  string
	records int64
}

func (a *API) keep() state { return state{name: "start", snap: a.server.Snapshot()} }

// digest is the same for states that differ in nothing but their secrets, which are drawn by chance.
func (a *API) digest() (digest string, records int64, err error) {
	w := a.server.World()
	stores := map[string]any{"apps": plain(reflect.ValueOf(w.Apps()))}
	for _, st := range append([]world.Store{{}}, w.Stores()...) {
		tables, err := a.tables(st.ID)
		if err != nil {
			return "", 0, err
		}
		all := map[string]any{"store": plain(reflect.ValueOf(st)), "installs": plain(reflect.ValueOf(w.Installs(st.ID)))}
		for _, r := range tables {
			rows := map[string]any{}
			walk, _ := r.from("", false)
			for key, record := range walk {
				rows[keyText(key)] = plain(record)
				records++
			}
			all[r.name] = rows
		}
		stores[text(st.ID)] = all
	}
	raw, err := encode(stores)
	if err != nil {
		return "", 0, err
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:]), records, nil
}

func (s snapshot) show() any {
	return map[string]any{"name": s.name, "digest": s.digest, "records": s.records}
}

func snapshots(c *call) (any, error) {
	c.mu.Lock()
	all := slices.SortedFunc(maps.Values(c.snapshots), func(a, b snapshot) int { return cmp.Compare(a.n, b.n) })
	c.mu.Unlock()
	return page(c, all, func(s snapshot) int64 { return s.n }, snapshot.show)
}

type nameJSON struct {
	Name string `json:"name"`
}

func keepSnapshot(c *call, in nameJSON) (any, error) {
	if in.Name == "" || len(in.Name) > 100 {
		return nil, wrong("name", cut(in.Name), "must have 1 to 100 bytes")
	}
	if !clean("/" + in.Name) { // no path leads to it
		return nil, wrong("name", cut(in.Name), "must not be or contain . or .. between slashes, nor an empty part")
	}
	made := snapshot{state: c.keep()}
	made.name = in.Name
	var err error
	if made.digest, made.records, err = c.digest(); err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, replaced := c.snapshots[in.Name]; !replaced && len(c.snapshots) >= mostSnapshots {
		return nil, conflict("there are 32 snapshots", "\"refserver snapshot forget\" or DELETE "+Prefix+"snapshots/{snapshot} deletes one")
	}
	for _, s := range c.snapshots {
		made.n = max(made.n, s.n)
	}
	made.n++
	c.snapshots[in.Name] = made
	return made.show(), nil
}

// snapshot is the one of the path.
func (c *call) snapshot() (snapshot, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	name := c.r.PathValue("snapshot")
	s, ok := c.snapshots[name]
	if !ok {
		return s, unknown("snapshot", name, slices.Sorted(maps.Keys(c.snapshots)))
	}
	return s, nil
}

func restoreSnapshot(c *call) (any, error) {
	s, err := c.snapshot()
	if err != nil {
		return nil, err
	}
	c.server.Restore(s.snap)
	return s.show(), nil
}

func forgetSnapshot(c *call) (any, error) {
	s, err := c.snapshot()
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.snapshots, s.name)
	return s.show(), nil
}

// reset brings back the start. Time does not go back, and the lists of what has happened stay as they are.
func reset(c *call) (any, error) {
	c.server.DisarmAll()
	c.server.Webhooks().Abandon("the server was reset")
	c.server.Webhooks().SetOrder(false, false)
	c.server.Payments().SetSigning(payment.Signing{})
	c.server.Carriers().SetRules(carrier.Rules{})
	c.server.Carriers().Forget()
	c.server.Restore(c.begin.snap)
	c.mu.Lock()
	clear(c.fronts)
	c.mu.Unlock()
	digest, records, err := c.digest()
	return snapshot{c.begin, digest, records}.show(), err
}

// limitsJSON are the limits that can be changed; nil stays what it is.
type limitsJSON struct {
	Products       *int `json:"products"`
	Categories     *int `json:"categories"`
	Images         *int `json:"images_per_product"`
	Variants       *int `json:"variants_per_product"`
	OrdersPerQuery *int `json:"orders_per_query"`
}

// of are the limits that a body is about, by member.
func (in *limitsJSON) of(l *world.Limits) map[string][2]*int {
	return map[string][2]*int{
		"products": {in.Products, &l.Products}, "categories": {in.Categories, &l.Categories},
		"images_per_product":   {in.Images, &l.Images},
		"variants_per_product": {in.Variants, &l.Variants}, "orders_per_query": {in.OrdersPerQuery, &l.OrdersPerQuery},
	}
}

func limits(c *call) (any, error) {
	l := c.server.World().Limits()
	out := map[string]int{}
	for name, pair := range new(limitsJSON).of(&l) {
		out[name] = *pair[1]
	}
	return out, nil
}

func setLimits(c *call, in limitsJSON) (any, error) {
	l := c.server.World().Limits()
	for name, pair := range in.of(&l) {
		if pair[0] == nil {
			continue
		}
		if *pair[0] < 1 {
			e := wrong(name, *pair[0], "must be 1 or more")
			e.Status = http.StatusUnprocessableEntity
			return nil, e
		}
		*pair[1] = *pair[0]
	}
	c.server.World().SetLimits(l)
	return limits(c)
}
