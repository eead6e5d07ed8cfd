package scenario

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/act"
	"github.com/commerceplatform/commerce-go/internal/refserver/control"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Scenario is a file.
type Scenario struct {
	Schema string `json:"$schema"`
	// Name is that of the file, without its extension.
	Name string `json:"-"`
	// Does says in a line what the scenario shows.
	Does string `json:"does"`
	// Needs are the parts that the app must have: webhooks, discounts, carrier or payments. An app that has not
	// registered one after its installation is not tested. installation is a page that installs the app.
	Needs []string `json:"needs"`
	// Partners are the addresses of the app's programs by https origin. Those of the caller come first.
	Partners map[string]string `json:"partners"`
	// Vars are variables that the caller can set, such as addresses of the app.
	Vars  map[string]any `json:"vars"`
	Steps []Step         `json:"steps"`
}

// Step is an act or a visit, with what is expected of its answer.
type Step struct {
	Why string `json:"why"`
	// Act is the name of an act. With has the parameters of its path and query and the members of its body.
	Act  string         `json:"act"`
	With map[string]any `json:"with"`
	// Visit is an address that a merchant opens. The answer has the status and the body of the last page.
	Visit string `json:"visit"`
	// App takes the app away, as an outage does, or brings it back.
	App string `json:"app"`
	// As names the answer.
	As string `json:"as"`
	// Refused is part of the reason for which the platform must refuse the act.
	Refused string `json:"refused"`
	// Expect has the expected value, or an object of conditions, for paths into the answer.
	Expect map[string]any `json:"expect"`
}

// The values of Step.App.
const (
	away = "away"
	back = "back"
)

// needs are the parts of an app, with the resource in which each registers itself. installation has none.
var needs = map[string]string{
	installation: "", "webhooks": "webhooks", "discounts": "discount_callbacks", "carrier": "carriers", "payments": "payment_providers",
}

const installation = "installation"

// Parse reads a scenario. Its errors name the file, the step and, for a misspelt name, the nearest one.
func Parse(name string, raw []byte) (Scenario, error) {
	s := Scenario{Name: strings.TrimSuffix(name[strings.LastIndexAny(name, `/\`)+1:], ".json")}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	d.UseNumber()
	if err := d.Decode(&s); err != nil {
		if member, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
			member, _ = strconv.Unquote(member)
			err = unknown("member", member, append(membersOf[Scenario](), membersOf[Step]()...))
		}
		return s, fmt.Errorf("%s: %w", name, err)
	}
	if d.More() {
		return s, fmt.Errorf("%s: must be one JSON object", name)
	}
	for _, part := range s.Needs {
		if _, ok := needs[part]; !ok {
			return s, fmt.Errorf("%s: needs: %w", name, unknown("part", part, slices.Sorted(maps.Keys(needs))))
		}
	}
	if len(s.Steps) == 0 {
		return s, fmt.Errorf("%s: must have steps", name)
	}
	for i, step := range s.Steps {
		if err := step.check(); err != nil {
			return s, fmt.Errorf("%s: step %d: %w", name, i+1, err)
		}
	}
	return s, nil
}

// unknown is the error of a misspelt name.
func unknown(kind, name string, known []string) error {
	if near := world.Nearest(name, known); near != "" {
		return fmt.Errorf("%s %q does not exist; the nearest is %s", kind, name, near)
	}
	return fmt.Errorf("%s %q does not exist", kind, name)
}

func membersOf[T any]() (out []string) {
	var zero T
	raw, _ := json.Marshal(zero) // a struct of texts, lists and maps
	var all map[string]any
	_ = json.Unmarshal(raw, &all)
	return slices.Sorted(maps.Keys(all))
}

func (s Step) check() error {
	if kinds := slices.DeleteFunc([]string{s.Act, s.Visit, s.App}, func(one string) bool { return one == "" }); len(kinds) != 1 {
		return errors.New("must have one of act, visit and app")
	}
	if s.App != "" && s.App != away && s.App != back {
		return fmt.Errorf("app %q: must be away or back", s.App)
	}
	for path, want := range s.Expect {
		if err := checkConditions(want); err != nil {
			return fmt.Errorf("expect %s: %w", path, err)
		}
	}
	if s.Act == "" {
		return nil
	}
	a, err := find(s.Act)
	if err != nil {
		return err
	}
	for _, name := range a.Parameters() {
		if _, ok := s.With[name]; !ok && name != "store" {
			return fmt.Errorf("%s: %s is missing", a.Name, name)
		}
	}
	return checkMembers(a, "", s.With)
}

// find returns an act that ends.
func find(name string) (act.Act, error) {
	acts := Acts()
	if a, ok := act.Find(acts, name); ok {
		return a, nil
	}
	var names []string
	for _, a := range acts {
		names = append(names, a.Name)
	}
	return act.Act{}, unknown("act", name, names)
}

// Acts are the acts that a step can perform. No scenario records another.
func Acts() []act.Act {
	return slices.DeleteFunc(control.Acts(), func(a act.Act) bool { return a.Streams || strings.HasPrefix(a.Name, "scenarios.") })
}

// checkMembers checks the names in an input, also within members that are objects.
func checkMembers(a act.Act, within string, with map[string]any) error {
	known := slices.Concat(a.Parameters(), a.Query)
	if within != "" {
		known = nil
	}
	for _, m := range a.Members() {
		if rest, ok := strings.CutPrefix(m.Name, within); ok {
			first, _, _ := strings.Cut(rest, ".")
			known = append(known, first)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(with)) {
		if !slices.Contains(known, name) {
			return fmt.Errorf("%s: %w", a.Name, unknown("member", within+name, known))
		}
		_, whole := a.Member(within + name)
		inner, ok := with[name].(map[string]any)
		if ok && !whole {
			if err := checkMembers(a, within+name+".", inner); err != nil {
				return err
			}
		}
	}
	return nil
}
