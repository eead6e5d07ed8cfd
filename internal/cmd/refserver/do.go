package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
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
		lesson: `An act is a call of the control API. Its arguments are the parameters of the call's path, except the store and the cart,
which are those of --store and --cart. Its flags are the members of the body. "refserver help do" lists the acts, and "refserver do ACT --help" shows
the flags of an act. The other commands combine acts, and show their answers as text.

    refserver do labels
    refserver do rule-settings.set --fewest-places
    refserver do carts.new --language en
    refserver do call --call "POST /webhooks" --body '{"event":"product/created","url":"https://app.example/hooks"}'
    refserver do entities disputes

The answer is printed as JSON, each element of a list on a line.`,
		acts: actsOf(""),
		bind: func(*flag.FlagSet) func(context.Context, *env) error {
			return func(_ context.Context, e *env) error { return noAct(e.args[0], actsOf("")) }
		},
	}
}

// acts are the acts that end: a command does not follow a stream.
func acts() []act.Act {
	return slices.DeleteFunc(control.Acts(), func(a act.Act) bool { return a.Streams })
}

// actsOf returns the acts of a resource by their words: "" is the list. Without a resource it returns all by name.
func actsOf(resource string) map[string]string {
	words := map[string]string{}
	for _, a := range acts() {
		switch word, ok := strings.CutPrefix(a.Name, resource+"."); {
		case resource == "":
			words[a.Name] = a.Name
		case ok:
			words[word] = a.Name
		case a.Name == resource:
			words[""] = a.Name
		}
	}
	return words
}

// noAct is the error of a word that no act of a command has.
func noAct(word string, words map[string]string) error {
	known := slices.DeleteFunc(slices.Sorted(maps.Keys(words)), func(word string) bool { return word == "" })
	if near := world.Nearest(word, known); near != "" {
		return fmt.Errorf("act %q does not exist; the nearest is %s%w", word, near, silent{errUsage})
	}
	if len(known) > 10 {
		return misused("ACT", word, `must be one that "refserver help do" lists`)
	}
	return misused("ACT", word, "must be one of "+strings.Join(known, ", "))
}

// word returns the command of the act that a word names.
func (c command) word(word string) (command, bool) {
	a, ok := act.Find(acts(), c.acts[word])
	if !ok || word == "" {
		return command{}, false
	}
	one := command{name: c.name + " " + word, does: a.Does, facts: c.facts}
	one.bind = func(f *flag.FlagSet) func(context.Context, *env) error { return one.performs(f, a) }
	for _, p := range a.Parameters() {
		if p != "store" && p != "cart" {
			one.args = strings.TrimSpace(one.args + " " + strings.ToUpper(p))
			one.least, one.most = one.least+1, one.most+1
		}
	}
	one.lesson = "The answer is like\n\n    " + strings.ReplaceAll(a.Answer, "\n", "\n    ")
	if a.Body != "" {
		one.lesson = "The body of the call is like\n\n    " + a.Body + "\n\nEach flag sets the member with its name. " + one.lesson
	}
	return one, true
}

// performs adds the flags of an act, and returns what performs it in the store of --store and on the cart of --cart.
func (c command) performs(f *flag.FlagSet, a act.Act) func(context.Context, *env) error {
	body, query, in := map[string]any{}, url.Values{}, cartFlags{}
	addMembers(f, a, body)
	for _, name := range a.Query {
		if name != "store" && !(c.facts && slices.Contains(paging, name)) {
			f.Func(name, "`value` of the parameter "+name, func(s string) error { query.Set(name, s); return nil })
		}
	}
	at := slices.Index(a.Parameters(), "cart")
	if at >= 0 {
		f.StringVar(&in.cart, "cart", "", cartUsage)
	}
	return func(ctx context.Context, e *env) error {
		if at >= 0 {
			id, err := in.id(ctx, e, false)
			if err != nil {
				return err
			}
			e.args = slices.Insert(e.args, at-1, id) // the store is before it
		}
		if c.facts && a.Lists {
			return list(ctx, e, a.Name, query, columnsOf(a))
		}
		if to, ok := body["url"].(string); ok && c.facts {
			reached, err := reach(ctx, e, kind(fmt.Sprint(body["kind"])), to)
			if err != nil {
				return err
			}
			body["url"] = reached
		}
		raw, err := perform(ctx, e, a, body, query)
		switch {
		case err != nil || raw == nil:
			return err
		case c.facts:
			return printed(e, raw, printAnswer)
		}
		return e.print(raw)
	}
}

// addMembers adds a flag for each member of the input of an act, which sets the member of a body.
func addMembers(f *flag.FlagSet, a act.Act, body map[string]any) {
	takes := map[string]string{act.Text: "text", act.Number: "number", act.List: "list", act.JSON: "JSON"}
	for _, m := range a.Members() {
		if m.Flag() == "store" {
			continue
		}
		usage, set := fmt.Sprintf("`%s` for the member %q of the body", takes[m.Kind], m.Name), func(s string) error { return m.Put(body, s) }
		if m.Kind == act.List {
			usage += ", separated by commas"
		}
		if m.Kind == act.Check {
			f.BoolFunc(m.Flag(), fmt.Sprintf("set the member %q of the body", m.Name), set)
		} else {
			f.Func(m.Flag(), usage, set)
		}
	}
}

// perform makes the call of an act, in the store of --store. It prints the elements of a list, and returns any other
// answer.
func perform(ctx context.Context, e *env, a act.Act, body map[string]any, query url.Values) (raw json.RawMessage, err error) {
	path, err := e.path(ctx, a, e.args...)
	if err != nil {
		return nil, err
	}
	if e.store != "" && slices.Contains(a.Query, "store") {
		query.Set("store", e.store)
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	if a.Lists && !query.Has("limit") {
		return nil, e.remote.Pages(ctx, path, func(one json.RawMessage) error { return e.print(one) })
	}
	return raw, e.remote.Call(ctx, a.Method, path, orNone(body), &raw)
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

// listActs lists the acts of a command by their words.
func (c command) listActs(w io.Writer) {
	if len(c.acts) > 0 {
		fmt.Fprint(w, "\nActs:\n\n")
	}
	for _, word := range slices.Sorted(maps.Keys(c.acts)) {
		if a, ok := act.Find(acts(), c.acts[word]); ok && word != "" {
			fmt.Fprintf(w, "  %s\n        %s\n", word, a.Does)
		}
	}
}
