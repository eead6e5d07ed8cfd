package scenario

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
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
	client *control.Client
	vars   map[string]any
}

// Run plays a scenario. Variables of set replace those of the file.
func (p *Platform) Run(ctx context.Context, s Scenario, set map[string]string) Result {
	r := Result{Name: s.Name, Does: s.Does, Steps: len(s.Steps)}
	client, err := control.Dial(p.Control)
	if err != nil {
		return r.failed(0, Step{}, "   "+err.Error()+"\n", nil)
	}
	defer client.Close()
	play := &player{p, client, map[string]any{}}
	maps.Copy(play.vars, s.Vars)
	for name, value := range set {
		play.vars[name] = value
		if n, err := decoded([]byte(value)); err == nil && fmt.Sprintf("%T", n) == "json.Number" {
			play.vars[name] = n
		}
	}
	info, err := play.call(ctx, http.MethodGet, "info", nil)
	if err != nil {
		return r.failed(0, Step{}, "   "+err.Error()+"\n", nil)
	}
	play.vars["platform"] = info
	visited := false
	for i, step := range s.Steps {
		answer, err := play.step(ctx, step)
		switch wrong := differences(answer, play.expected(step.Expect)); {
		case err != nil:
			return r.failed(i+1, step, "   "+err.Error()+"\n", answer)
		case len(wrong) > 0:
			return r.failed(i+1, step, listed(wrong), answer)
		}
		if step.As != "" {
			play.vars[step.As] = answer
		}
		if step.Visit != "" && !visited {
			visited = true
			if r.Skipped = play.lacks(ctx, s.Needs); r.Skipped != "" {
				return r
			}
		}
	}
	return r
}

// lacks says which part of the app is not registered in the store; empty if none is missing.
func (p *player) lacks(ctx context.Context, parts []string) string {
	answer, err := p.perform(ctx, "entities.count", nil)
	if err != nil {
		return ""
	}
	for _, part := range parts {
		count := lookUp(answer, []string{"resources", needs[part]}, "")
		if len(count) == 1 && same(count[0].of, json.Number("0")) {
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
		return p.visit(ctx, fmt.Sprint(p.text(s.Visit)))
	}
	with, err := p.resolved(s.With)
	if err != nil {
		return nil, err
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

// perform performs an act. Before a read, the calls that are under way end; the clock is moved until it is there.
func (p *player) perform(ctx context.Context, name string, with map[string]any) (any, error) {
	if name == "clock.advance" {
		return p.advance(ctx, with["by"])
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
		if err != nil || name != "clock.to" || same(lookUp(answer, []string{"done"}, "")[0].of, true) {
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
			value, ok = p.text("${platform.store_id}"), true
		}
		if !ok {
			return "", nil, fmt.Errorf("%s: %s is missing", a.Name, name)
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
	return out, d.Decode(&out)
}

var variable = regexp.MustCompile(`\$\{([\w.#-]+)\}`)

// filled replaces the variables in a value. A text that is one variable becomes its value.
func (p *player) filled(in any) any {
	switch in := in.(type) {
	case string:
		return p.text(in)
	case []any:
		out := make([]any, len(in))
		for i, one := range in {
			out[i] = p.filled(one)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(in))
		for name, one := range in {
			out[name] = p.filled(one)
		}
		return out
	}
	return in
}

func (p *player) text(in string) any {
	if m := variable.FindStringSubmatch(in); m != nil && m[0] == in {
		if found := lookUp(p.vars, strings.Split(m[1], "."), ""); len(found) == 1 {
			return found[0].of
		}
		return in
	}
	return variable.ReplaceAllStringFunc(in, func(one string) string {
		found := lookUp(p.vars, strings.Split(variable.FindStringSubmatch(one)[1], "."), "")
		if len(found) != 1 {
			return one
		}
		return fmt.Sprint(found[0].of)
	})
}

func (p *player) expected(in map[string]any) map[string]any {
	out, _ := p.filled(in).(map[string]any)
	return out
}

// resolved is an input with the values of its variables.
func (p *player) resolved(in map[string]any) (map[string]any, error) {
	out := p.expected(in)
	raw, err := json.Marshal(out)
	if err != nil {
		return nil, err
	}
	if m := variable.FindSubmatch(raw); m != nil {
		return nil, fmt.Errorf("%s: no answer before this step has it", m[1])
	}
	return out, nil
}
