package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/act"
	"github.com/commerceplatform/commerce-go/internal/refserver/control"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func doCommand() command {
	return command{
		name: "do", args: "ACT [ARGUMENTS]", least: 1, most: 1, does: "performs one act of the platform, or reads its state", alone: true,
		lesson: `An act is a call of the control API. Its arguments are the parameters of the call's path, except the store, which is that
of --store. Its flags are the members of the body. "refserver help do" lists the acts, and "refserver do ACT --help" shows
the flags of an act. The other commands combine acts, and show their answers as text.

    refserver do labels
    refserver do rule-settings.set --fewest-places
    refserver do carts.new --language en
    refserver do call --call "POST /webhooks" --body '{"event":"product/created","url":"https://app.example/hooks"}'
    refserver do entities disputes

The answer is printed as JSON, each element of a list on a line.`,
		bind: func(*flag.FlagSet) func(context.Context, *env) error {
			return func(_ context.Context, e *env) error {
				names := actNames()
				if near := world.Nearest(e.args[0], names); near != "" {
					return misused("ACT", e.args[0], "must be an act; the nearest is "+near)
				}
				return misused("ACT", e.args[0], `must be one that "refserver help do" lists`)
			}
		},
	}
}

// acts are the acts that end: a command does not follow a stream.
func acts() []act.Act {
	return slices.DeleteFunc(control.Acts(), func(a act.Act) bool { return a.Streams })
}

func actNames() (out []string) {
	for _, a := range acts() {
		out = append(out, a.Name)
	}
	return out
}

// findAct returns the command of an act.
func findAct(name string) (command, bool) {
	a, ok := act.Find(acts(), name)
	if !ok {
		return command{}, false
	}
	var args []string
	for _, p := range a.Parameters() {
		if p != "store" {
			args = append(args, strings.ToUpper(p))
		}
	}
	lesson := "The answer is like\n\n    " + strings.ReplaceAll(a.Answer, "\n", "\n    ")
	if a.Body != "" {
		lesson = "The body of the call is like\n\n    " + a.Body + "\n\nEach flag sets the member with its name. " + lesson
	}
	return command{
		name: "do " + a.Name, args: strings.Join(args, " "), does: a.Does, lesson: lesson, least: len(args), most: len(args),
		bind: func(f *flag.FlagSet) func(context.Context, *env) error {
			body, query := map[string]any{}, url.Values{}
			addMembers(f, a, body)
			for _, name := range a.Query {
				if name != "store" {
					f.Func(name, "`value` of the parameter "+name, func(s string) error { query.Set(name, s); return nil })
				}
			}
			return func(ctx context.Context, e *env) error { return perform(ctx, e, a, body, query) }
		},
	}, true
}

// addMembers adds a flag for each member of the input of an act, which sets the member of a body.
func addMembers(f *flag.FlagSet, a act.Act, body map[string]any) {
	takes := map[string]string{act.Text: "text", act.Number: "number", act.List: "list", act.JSON: "JSON"}
	for _, m := range a.Members() {
		if m.Flag() == "store" {
			continue
		}
		usage, set := fmt.Sprintf("the member %s, a `%s`", m.Name, takes[m.Kind]), func(s string) error { return m.Put(body, s) }
		if m.Kind == act.Check {
			f.BoolFunc(m.Flag(), "set the member "+m.Name, set)
		} else {
			f.Func(m.Flag(), usage, set)
		}
	}
}

// perform makes the call of an act, in the store of --store.
func perform(ctx context.Context, e *env, a act.Act, body map[string]any, query url.Values) error {
	path, err := e.path(ctx, a, e.args...)
	if err != nil {
		return err
	}
	if e.store != "" && slices.Contains(a.Query, "store") {
		query.Set("store", e.store)
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	if a.Lists && !query.Has("limit") {
		return e.remote.Pages(ctx, path, func(one json.RawMessage) error { return e.print(one) })
	}
	var raw json.RawMessage
	if err := e.remote.Call(ctx, a.Method, path, orNone(body), &raw); err != nil {
		return err
	}
	return e.print(raw)
}

// orNone returns a body without members as none.
func orNone(body map[string]any) any {
	if len(body) == 0 {
		return nil
	}
	return body
}

// path returns the path of an act in the store of --store, with values for its other parameters.
func (e *env) path(ctx context.Context, a act.Act, values ...string) (string, error) {
	if in := slices.Index(a.Parameters(), "store"); in >= 0 {
		store, err := e.storeID(ctx)
		if err != nil {
			return "", err
		}
		values = slices.Insert(slices.Clone(values), in, store)
	}
	return a.Fill(values...)
}

// of has the values of the parameters in the path of an act, without the store.
type of = []string

// members are those of a body, with dots in the names of members within members.
type members map[string]any

// orElse sets the member of a flag that is empty.
func (m members) orElse(name, value string) {
	if s, ok := m[name].(*string); ok && *s == "" {
		m[name] = value
	}
}

// do performs an act in the store of --store and reads its answer.
func (e *env) do(ctx context.Context, name string, path of, in members, got any) error {
	declared, ok := act.Find(acts(), name)
	if !ok {
		return fmt.Errorf("there is no act %q", name)
	}
	to, err := e.path(ctx, declared, path...)
	if err != nil {
		return err
	}
	body := map[string]any{}
	for member, value := range in {
		if _, ok := declared.Member(member); !ok {
			return fmt.Errorf("act %s has no member %q", name, member)
		}
		act.Set(body, member, value)
	}
	return e.remote.Call(ctx, declared.Method, to, orNone(body), got)
}

// elements calls each with every element of a list.
func (e *env) elements(ctx context.Context, name string, path of, query url.Values, each func(reply) error) error {
	declared, ok := act.Find(acts(), name)
	if !ok {
		return fmt.Errorf("there is no act %q", name)
	}
	to, err := e.path(ctx, declared, path...)
	if err != nil {
		return err
	}
	if len(query) > 0 {
		to += "?" + query.Encode()
	}
	return e.remote.Pages(ctx, to, func(raw json.RawMessage) error {
		var one reply
		if err := json.Unmarshal(raw, &one); err != nil {
			return err
		}
		return each(one)
	})
}

// show performs an act and shows its answer.
func show(ctx context.Context, e *env, name string, path of, in members, text func(io.Writer, reply)) error {
	var raw json.RawMessage
	if err := e.do(ctx, name, path, in, &raw); err != nil {
		return err
	}
	return printed(e, raw, text)
}

// info returns the addresses of the server, and its demo store and app.
func (e *env) info(ctx context.Context) (in info, err error) {
	err = e.do(ctx, "info", nil, nil, &in)
	return in, err
}

// print prints an answer: on one line with --json, otherwise indented.
func (e *env) print(raw json.RawMessage) error {
	if e.json {
		return e.line(raw)
	}
	var out bytes.Buffer
	if err := json.Indent(&out, raw, "", "  "); err != nil {
		return err
	}
	for line := range strings.Lines(out.String()) {
		if _, err := fmt.Fprintln(e.stdout, plain(strings.TrimSuffix(line, "\n"))); err != nil {
			return err
		}
	}
	return nil
}

// listActs lists the acts with their commands.
func listActs(w io.Writer) {
	fmt.Fprint(w, "\nActs:\n\n")
	for _, a := range acts() {
		fmt.Fprintf(w, "  %s\n        %s\n", a.Name, a.Does)
	}
}
