package control

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/commerceplatform/commerce-go/internal/refserver/act"
	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/work"
)

// recordedFile is a scenario as a file. Package scenario reads it.
type recordedFile struct {
	Schema string         `json:"$schema"`
	Does   string         `json:"does"`
	Steps  []recordedStep `json:"steps"`
}

type recordedStep struct {
	Why    string         `json:"why,omitempty"`
	Act    string         `json:"act,omitempty"`
	With   map[string]any `json:"with,omitempty"`
	Visit  string         `json:"visit,omitempty"`
	As     string         `json:"as,omitempty"`
	Expect map[string]any `json:"expect,omitempty"`
}

// scenarioRecorder writes the acts that succeed as steps. Ids differ from platform to platform, so an id of the input
// becomes a path into the answer of an earlier step.
type scenarioRecorder struct {
	mu sync.Mutex
	recordedActs
}

// recordedActs are the steps of one recording.
type recordedActs struct {
	recording bool
	moving    bool // the clock has not arrived yet
	steps     []recordedStep
	since     int64          // the last delivery before
	known     map[string]at  // where an id was answered first
	lists     map[string]int // the step that lists a resource, by its name
}

// at is a path into the answer of a step.
type at struct {
	step int
	path string
}

// mostSteps is how many steps are recorded; later acts are not.
const mostSteps = 500

// expected are the paths of answers that are the same whenever the acts are repeated.
var expected = []string{
	"cart.total", "cart.promotions", "total", "promotions", "shipping", "unpaid", "outcome", "payment.outcome",
}

// begin forgets earlier steps. A scenario begins with the installation, in which the app registers its parts.
func (s *scenarioRecorder) begin(since int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.recordedActs = recordedActs{recording: true, since: since, known: map[string]at{}, lists: map[string]int{}}
	s.install(recordedStep{Act: installAct, With: map[string]any{"app": "${platform.app_id}"}})
}

const installAct = "stores.browser-install"

// install adds an installation and the visit of its page.
func (s *scenarioRecorder) install(step recordedStep) {
	s.steps = append(s.steps, step)
	s.steps[len(s.steps)-1].As = s.name(len(s.steps) - 1)
	s.steps = append(s.steps, recordedStep{Visit: "${" + s.name(len(s.steps)-1) + ".url}", Expect: map[string]any{
		"status": map[string]any{"most": 399},
	}})
}

func (s *scenarioRecorder) name(step int) string { return "step" + strconv.Itoa(step+1) }

// add records an act with its answer. Reads and acts about recordings are left out.
func (s *scenarioRecorder) add(c *call, to route, answer any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ends := strings.HasPrefix(to.name, "scenarios.") || to.name == "settle" || to.streams() || to.method == "GET"
	if !s.recording || ends || len(s.steps) >= mostSteps {
		return
	}
	raw, err := encode(answer)
	if err != nil {
		return
	}
	shown := decoded(raw)
	rest := s.moving && strings.HasPrefix(to.name, "clock.")
	done, moves := lookedUp(shown, []string{"done"})
	if s.moving = moves && done == false; rest {
		return // of a long way, which a scenario goes in one step
	}
	step := recordedStep{Act: to.name, With: s.input(c, to), Expect: map[string]any{}}
	if to.name == installAct {
		s.install(step)
		return
	}
	for _, path := range expected {
		if value, ok := lookedUp(shown, strings.Split(path, ".")); ok && value != nil {
			step.Expect[path] = value
		}
	}
	s.steps = append(s.steps, step)
	s.remember(len(s.steps)-1, "", shown)
}

// remember notes where the ids of an answer are.
func (s *scenarioRecorder) remember(step int, path string, in any) {
	switch in := in.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(in)) {
			s.remember(step, path+"."+name, in[name])
		}
	case []any:
		for i, one := range in {
			s.remember(step, path+"."+strconv.Itoa(i), one)
		}
	case string, json.Number:
		id := fmt.Sprint(in)
		if _, ok := s.known[id]; !ok && anID.FindString(id) == id {
			s.known[id] = at{step, path}
		}
	}
}

// anID is what an id that the platform has made may look like: a number, a ULID or a UUID.
var anID = regexp.MustCompile(`[0-9]{7,}|[0-9A-Z]{26}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// input is the body of a call with the parameters of its path and query.
func (s *scenarioRecorder) input(c *call, to route) map[string]any {
	with, _ := decoded(c.raw).(map[string]any)
	if with == nil {
		with = map[string]any{}
	}
	declared := act.Act{Path: to.path}
	for _, name := range declared.Parameters() {
		if value := c.r.PathValue(name); name != "store" || value != text(c.o.Shop.Store.ID) {
			with[name] = value
		}
	}
	for name, values := range c.r.URL.Query() {
		with[name] = values[0]
	}
	out, _ := s.referred(c, mask(with)).(map[string]any)
	return out
}

// referred replaces the ids in a value.
func (s *scenarioRecorder) referred(c *call, in any) any {
	switch in := in.(type) {
	case map[string]any:
		for name := range in {
			in[name] = s.referred(c, in[name])
		}
	case []any:
		for i := range in {
			in[i] = s.referred(c, in[i])
		}
	case json.Number:
		if ref := s.reference(c, in.String()); ref != "" {
			return ref
		}
	case string:
		return anID.ReplaceAllStringFunc(in, func(id string) string {
			if ref := s.reference(c, id); ref != "" {
				return ref
			}
			return id
		})
	}
	return in
}

// reference is the variable that has an id; empty if there is none.
func (s *scenarioRecorder) reference(c *call, id string) string {
	if id == text(c.o.Shop.App.ID) {
		return "${platform.app_id}"
	}
	where, ok := s.known[id]
	if !ok {
		where, ok = s.listed(c, id)
	}
	if !ok {
		return ""
	}
	s.steps[where.step].As = s.name(where.step)
	return "${" + s.name(where.step) + where.path + "}"
}

// listed finds a record of the store with the id, and lists its resource in a step.
func (s *scenarioRecorder) listed(c *call, id string) (at, bool) {
	tables, _ := c.tables(c.o.Shop.Store.ID) // without the store there are none
	for _, r := range tables {
		if anID.FindString(id) != id || !r.has(id) || !r.find(id).FieldByName("ID").IsValid() {
			continue
		}
		records, _ := r.from("", false)
		i := 0
		for key := range records {
			if keyText(key) == id {
				break
			}
			i++
		}
		if i >= mostPage {
			return at{}, false
		}
		step, ok := s.lists[r.name+strconv.FormatInt(r.count(), 10)]
		if !ok {
			step = len(s.steps)
			s.lists[r.name+strconv.FormatInt(r.count(), 10)] = step
			s.steps = append(s.steps, recordedStep{Act: "entities", With: map[string]any{"resource": r.name, "limit": mostPage}})
		}
		return at{step, ".items." + strconv.Itoa(i) + ".id"}, true
	}
	return at{}, false
}

// file is the scenario so far. If the app accepted every webhook meanwhile, it must do so again.
func (s *scenarioRecorder) file(all []delivery.Delivery) recordedFile {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := recordedFile{Schema: "schema.json", Does: "the acts that were recorded", Steps: slices.Clone(s.steps)}
	sent := slices.DeleteFunc(all, func(d delivery.Delivery) bool { return d.ID <= s.since })
	if len(sent) > 0 && !slices.ContainsFunc(sent, func(d delivery.Delivery) bool { return d.State != delivery.Delivered }) {
		out.Steps = append(out.Steps, recordedStep{
			Why: "the app accepts every webhook", Act: "deliveries", With: map[string]any{"limit": mostPage, "order": "newest"},
			Expect: map[string]any{"items.*.state": "delivered"},
		})
	}
	return out
}

func decoded(raw []byte) (out any) {
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.UseNumber()
	_ = d.Decode(&out) // was read before; nothing if there is none
	return out
}

// lookedUp returns the member of a value at a path.
func lookedUp(in any, path []string) (any, bool) {
	for _, name := range path {
		object, ok := in.(map[string]any)
		if !ok {
			return nil, false
		}
		if in, ok = object[name]; !ok {
			return nil, false
		}
	}
	return in, reflect.TypeOf(in) != reflect.TypeFor[map[string]any]()
}

// lastDelivery is the id of the newest delivery.
func (a *API) lastDelivery() int64 {
	for _, d := range a.server.Webhooks().Part(work.Part{After: lastKnown.After, Newest: true, Most: 1}) {
		return d.ID
	}
	return 0
}

func recordScenario(c *call) (any, error) {
	c.scenario.begin(c.lastDelivery())
	return map[string]any{"recording": true}, nil
}

func recordedScenario(c *call) (any, error) {
	c.scenario.mu.Lock()
	some := len(c.scenario.steps) > 0
	c.scenario.mu.Unlock()
	if !some {
		return nil, conflict("no scenario is recorded", "\"refserver do scenarios.record\" or POST "+Prefix+"scenarios/record begins one")
	}
	return c.scenario.file(c.server.Webhooks().Deliveries()), nil
}

// stopScenario waits until the app was called, as the step that expects its answers does.
func stopScenario(c *call) (any, error) {
	if err := c.server.Settle(c.ctx); err != nil {
		return nil, err
	}
	out, err := recordedScenario(c)
	c.scenario.mu.Lock()
	defer c.scenario.mu.Unlock()
	c.scenario.recording = false
	return out, err
}
