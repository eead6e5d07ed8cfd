package scenario

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/act"
	"github.com/commerceplatform/commerce-go/internal/refserver/control"
)

// player plays one scenario.
type player struct {
	*Platform
	client    *control.Client
	vars      map[string]any
	installed bool // before the first step
}

// Run plays a scenario. Variables of set replace those of the file. An app that has registered a part before, with the
// token of the demo, is installed: the steps that install it are left out.
func (p *Platform) Run(ctx context.Context, s Scenario, set map[string]string) Result {
	r := Result{Name: s.Name, Steps: len(s.Steps)}
	client, err := control.Dial(p.Control)
	if err != nil {
		return r.failed(0, Step{}, because(err), nil)
	}
	defer client.Close()
	play := &player{Platform: p, client: client, vars: map[string]any{}}
	maps.Copy(play.vars, s.Vars)
	for name, value := range set {
		play.vars[name] = value
		if n, err := decoded([]byte(value)); err == nil && reflect.TypeOf(n) == reflect.TypeFor[json.Number]() {
			play.vars[name] = n
		}
	}
	if play.vars["platform"], err = play.call(ctx, http.MethodGet, "info", nil); err != nil {
		return r.failed(0, Step{}, because(err), nil)
	}
	present, err := play.parts(ctx)
	if err != nil {
		return r.failed(0, Step{}, because(err), nil)
	}
	if play.installed = len(present) > 0; play.installed {
		if r.Skipped = lacks(present, s.Needs); r.Skipped != "" {
			return r
		}
	}
	return play.steps(ctx, s, r)
}

// steps performs the steps until one fails. After the first visit, which installs the app, it has the needed parts.
func (p *player) steps(ctx context.Context, s Scenario, r Result) Result {
	visited := false
	for i, step := range s.Steps {
		if p.installed && (step.Visit != "" || step.Act == "stores.browser-install") {
			continue
		}
		answer, err := p.step(ctx, step)
		expect, _ := p.filled(step.Expect).(map[string]any)
		switch wrong := differences(answer, expect); {
		case err != nil:
			return r.failed(i+1, step, because(err), answer)
		case len(wrong) > 0:
			return r.failed(i+1, step, listed(wrong), answer)
		}
		if step.As != "" {
			p.vars[step.As] = answer
		}
		if step.Visit == "" || visited {
			continue
		}
		visited = true
		present, err := p.parts(ctx)
		if err != nil {
			return r.failed(i+1, step, because(err), nil)
		}
		if r.Skipped = lacks(append(present, installation), s.Needs); r.Skipped != "" {
			return r
		}
	}
	return r
}

// parts are the parts that the app has registered in the store.
func (p *player) parts(ctx context.Context) (present []string, err error) {
	answer, err := p.perform(ctx, "entities.count", nil)
	for part, resource := range needs {
		if count, ok := one(answer, "resources."+resource); ok && !same(count, json.Number("0")) {
			present = append(present, part)
		}
	}
	return present, err
}

// lacks says which part is not there; empty if none is missing.
func lacks(present, parts []string) string {
	for _, part := range parts {
		switch {
		case slices.Contains(present, part):
		case part == installation:
			return "the app was installed before, with its token: start it without COMMERCE_TOKEN"
		default:
			return fmt.Sprintf("the app has no %s: it registered none when it was installed", part)
		}
	}
	return ""
}

// step performs a step, and returns what it was answered.
func (p *player) step(ctx context.Context, s Step) (any, error) {
	switch {
	case s.App != "":
		return nil, p.connect(s.App == back)
	case s.Visit != "":
		return p.visit(ctx, fmt.Sprint(p.filled(s.Visit)))
	}
	with, _ := p.filled(s.With).(map[string]any)
	if missing := variable.FindString(text(with)); missing != "" {
		return nil, fmt.Errorf("%s: no earlier step has this", missing)
	}
	answer, err := p.perform(ctx, s.Act, with)
	refusal, refused := errors.AsType[*control.Refusal](err)
	switch {
	case s.Refused == "":
		return answer, err
	case err == nil:
		return answer, fmt.Errorf("the platform accepted this; it must be refused: %s", s.Refused)
	case refused && strings.Contains(refusal.Message, s.Refused):
		return map[string]any{"error": refusal.Message}, nil
	}
	return nil, fmt.Errorf("refused with %q; the reason must contain %q", err, s.Refused)
}

// perform performs an act. Before a read, the calls that are under way end; the clock is moved until it is there. An
// installation begins at the app if the app accepts no other.
func (p *player) perform(ctx context.Context, name string, with map[string]any) (any, error) {
	switch {
	case name == "clock.advance":
		return p.advance(ctx, with["by"])
	case name == "stores.browser-install" && p.begin != "":
		return map[string]any{"url": p.begin}, nil
	}
	a, err := find(name)
	if err != nil {
		return nil, err
	}
	path, body, err := p.request(a, with)
	if err != nil {
		return nil, err
	}
	if a.Reads() {
		if _, err := p.call(ctx, http.MethodPost, "settle", nil); err != nil {
			return nil, err
		}
	}
	for {
		answer, err := p.call(ctx, a.Method, path, body)
		if done, _ := one(answer, "done"); err != nil || name != "clock.to" || done == true {
			return answer, err
		}
	}
}

// advance moves the clock by a duration, to one time however many calls that takes.
func (p *player) advance(ctx context.Context, by any) (any, error) {
	d, err := time.ParseDuration(fmt.Sprint(by))
	if err != nil || d <= 0 {
		return nil, fmt.Errorf("by %q: must be a duration above 0, such as 48h", fmt.Sprint(by))
	}
	at := p.Server.Clock().Now().Add(d)
	return p.perform(ctx, "clock.to", map[string]any{"at": at.Format(time.RFC3339Nano)})
}

// request divides an input into path and body. The store is that of the demo unless it is named.
func (p *player) request(a act.Act, with map[string]any) (path string, body map[string]any, err error) {
	with = maps.Clone(with)
	var values []string
	for _, name := range a.Parameters() {
		value, ok := with[name]
		if !ok && name == "store" {
			value, _ = one(p.vars, "platform.store_id")
		}
		values = append(values, fmt.Sprint(value))
		delete(with, name)
	}
	if path, err = a.Fill(values...); err != nil {
		return "", nil, err
	}
	query := url.Values{}
	for name, value := range with {
		if slices.Contains(a.Query, name) {
			query.Set(name, fmt.Sprint(value))
			delete(with, name)
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return path, with, nil
}

func (p *player) call(ctx context.Context, method, path string, body map[string]any) (any, error) {
	var in any
	if len(body) > 0 {
		in = body
	}
	var raw json.RawMessage
	if err := p.client.Call(ctx, method, path, in, &raw); err != nil {
		return nil, err
	}
	return decoded(raw)
}

func decoded(raw []byte) (out any, err error) {
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.UseNumber()
	err = d.Decode(&out)
	return out, err
}

var variable = regexp.MustCompile(`\$\{([\w.#-]+)\}`)

// filled replaces the variables in a value. A text that is one variable becomes its value. A variable without a value
// stays.
func (p *player) filled(in any) any {
	switch in := in.(type) {
	case string:
		if m := variable.FindStringSubmatch(in); m != nil && m[0] == in {
			if found, ok := one(p.vars, m[1]); ok {
				return found
			}
		}
		return variable.ReplaceAllStringFunc(in, func(text string) string {
			if found, ok := one(p.vars, text[len("${"):len(text)-1]); ok {
				return fmt.Sprint(found)
			}
			return text
		})
	case []any:
		out := make([]any, len(in))
		for i, element := range in {
			out[i] = p.filled(element)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(in))
		for name, element := range in {
			out[name] = p.filled(element)
		}
		return out
	}
	return in
}
