package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/url"
	"os"
	"strings"
	"sync"

	"github.com/commerceplatform/commerce-go/internal/refserver/scenario"
)

func testCommand() command {
	return command{
		name: "test", args: "[SCENARIO ...]", most: 1000, does: "runs scenarios against your app, for CI in any language", alone: true,
		lesson: `SCENARIO is the name of a built-in scenario or a JSON file of your own. Without arguments all built-in scenarios run.
Each runs on a platform of its own, which calls your program at --partner. A scenario begins with the installation of app
2001, so your program must exchange the code at the address of --addr, with the secret of --secret.

    refserver test --list
    refserver test install --partner http://127.0.0.1:3000 --secret s3cret || echo "status $?"

With --start, your program is started for each scenario and ended after it. It has the variables that "refserver env"
prints, and must listen on the port in the variable PORT, or at the address of --partner, whose port may be 0. Its output
is shown if the scenario fails. If it registers webhooks, discounts, carriers or payment providers with COMMERCE_TOKEN
before it listens, it counts as installed, and the scenario skips the installation.

    refserver test install --start "python3 app.py" || echo "status $?"

The scenarios run one after the other at --addr. With port 0 they run in parallel, which requires --start or an app that
does not call the API. A failed step shows the expected and the actual value, and the answer of your app. A scenario is
skipped if your app does not register what it requires, such as a carrier. A scenario about a feature
that the platform enables for single stores requires --feature, as with "serve". The exit status is 1 if a scenario failed, or if one that you named was skipped, and 0
otherwise.`,
		bind: func(f *flag.FlagSet) func(context.Context, *env) error {
			in := &testFlags{partners: map[string]string{}, set: map[string]string{}}
			in.bind(f)
			return in.run
		},
	}
}

// testFlags are the flags of the command.
type testFlags struct {
	scenario.Options
	junit, start  string
	list, schema  bool
	strict        bool
	partners, set map[string]string
}

func (in *testFlags) bind(f *flag.FlagSet) {
	f.BoolVar(&in.list, "list", false, "list the built-in scenarios")
	f.BoolVar(&in.schema, "schema", false, "print the JSON Schema of a scenario file")
	f.StringVar(&in.Addr, "addr", "127.0.0.1:8080", "`address` of the platform, where your app calls it; port 0 takes a free one")
	f.StringVar(&in.Secret, "secret", "", "`secret` of the app; generated if empty")
	f.StringVar(&in.RedirectURL, "redirect-url", "", "`URL` of your app at which installations end (default https://app.example/oauth/callback)")
	f.StringVar(&in.Begin, "begin", "",
		"`URL` of your app at which a merchant begins an installation, if your app refuses an installation that begins at the platform")
	f.StringVar(&in.Protection, "protection", "", "`URL` below which privacy requests arrive, such as https://app.example/hooks: "+
		"the events store/redact, customers/redact and customers/data_request follow it")
	f.StringVar(&in.junit, "junit", "", "`file` that the report is written to, in the XML of JUnit")
	f.StringVar(&in.start, "start", "", startUsage)
	bindFeatures(f, &in.Features)
	f.BoolVar(&in.Real, "real-clock", false, "let the platform's clock run; without it, only steps move the clock")
	f.BoolVar(&in.strict, "fail-skipped", false, "exit with status 1 if any scenario was skipped")
	f.Func("partner", "`origin=address` of your program; the origin is https://app.example if only the address is given; repeatable",
		func(s string) error {
			origin, to, ok := strings.Cut(s, "=")
			if !ok {
				origin, to = "https://app.example", s
			}
			in.partners[origin] = to
			return nil
		})
	f.Func("set", "`name=value` sets a variable of the scenarios; repeatable", func(s string) error {
		name, value, ok := strings.Cut(s, "=")
		if !ok {
			return errors.New("must be like sku=mug-01")
		}
		in.set[name] = value
		return nil
	})
}

func (in *testFlags) run(ctx context.Context, e *env) error {
	switch {
	case in.list:
		return listScenarios(e)
	case in.schema:
		_, err := io.WriteString(e.stdout, scenario.Schema)
		return err
	}
	scenarios, err := scenariosOf(e.args)
	if err != nil {
		return fmt.Errorf("%w%w", err, silent{errUsage})
	}
	if in.start != "" && len(in.partners) > 1 {
		return fmt.Errorf("--partner: must be given once at most with --start%w", silent{errUsage})
	}
	all, err := in.play(ctx, scenarios)
	if ctx.Err() != nil {
		return errors.New("test: interrupted before the last scenario, so there is no result")
	}
	if err != nil {
		return err
	}
	found, results := false, make([]scenario.Result, 0, len(all))
	for _, o := range all {
		found = found || o.Failed != "" || (in.strict || len(e.args) > 0) && o.Skipped != ""
		if err := showValue(e, o.Result, func(w io.Writer) { fmt.Fprint(w, plainLines(o.Result)) }); err != nil {
			return err
		}
		if o.Failed != "" {
			fmt.Fprint(e.stderr, o.output)
		}
		results = append(results, o.Result)
	}
	if in.junit != "" {
		raw, err := played(results).encode()
		if err == nil {
			err = os.WriteFile(in.junit, raw, 0o644)
		}
		if err != nil {
			return err
		}
	}
	if found {
		return errFound
	}
	return nil
}

// plainLines is the text of a result without characters that control a terminal.
func plainLines(r scenario.Result) string {
	var b, out strings.Builder
	_ = r.Write(&b) // to memory
	for line := range strings.Lines(b.String()) {
		out.WriteString(plain(strings.TrimSuffix(line, "\n")) + "\n")
	}
	return out.String()
}

// outcome is the result of a scenario, with the output of the program of --start.
type outcome struct {
	scenario.Result
	output string
}

// play runs the scenarios: in parallel if each has an address of its own.
func (in *testFlags) play(ctx context.Context, all []scenario.Scenario) ([]outcome, error) {
	const most = 8
	places := make(chan struct{}, most)
	if !strings.HasSuffix(in.Addr, ":0") {
		places = make(chan struct{}, 1)
	}
	results, failed := make([]outcome, len(all)), make([]error, len(all))
	var running sync.WaitGroup
	for i, one := range all {
		places <- struct{}{}
		running.Go(func() {
			defer func() { <-places }()
			results[i], failed[i] = in.one(ctx, one)
		})
	}
	running.Wait()
	return results, errors.Join(failed...)
}

// one runs a scenario on a platform of its own.
func (in *testFlags) one(ctx context.Context, s scenario.Scenario) (out outcome, err error) {
	o := in.Options
	o.Seed = rand.Uint64()
	p, err := scenario.Start(o)
	if err != nil {
		return out, err
	}
	defer p.Close()
	to := map[string]string{}
	maps.Copy(to, s.Partners)
	maps.Copy(to, in.partners)
	if len(to) == 0 {
		to["https://app.example"] = "http://127.0.0.1:3000"
	}
	if in.start != "" {
		program, err := in.begin(ctx, p, to)
		if err != nil {
			return out, err
		}
		defer func() {
			program.stop()
			out.output = program.shown()
		}()
	}
	if err := p.Forward(to); err != nil {
		return out, fmt.Errorf("--partner: %w%w", err, silent{errUsage})
	}
	out.Result = p.Run(ctx, s, in.set)
	return out, nil
}

// begin starts the program of --start with the variables of a platform, at the address of --partner or a free port.
// All origins lead to it.
func (in *testFlags) begin(ctx context.Context, p *scenario.Platform, to map[string]string) (*started, error) {
	address := ""
	for _, partner := range in.partners {
		at, err := url.Parse(partner)
		if err != nil || at.Port() == "" {
			return nil, misused("--partner", partner, "must have a port with --start")
		}
		if address = at.Host; at.Port() == "0" {
			address = "" // a free one
		}
	}
	known, err := variablesOf(ctx, p.Control)
	if err != nil {
		return nil, err
	}
	program, err := startProgram(ctx, in.start, address, known)
	if err != nil {
		return nil, err
	}
	for origin := range to {
		to[origin] = "http://" + program.address
	}
	return program, nil
}

// scenariosOf reads files, and finds built-in scenarios.
func scenariosOf(args []string) (out []scenario.Scenario, err error) {
	shipped, err := scenario.Shipped()
	if err != nil || len(args) == 0 {
		return shipped, err
	}
	for _, arg := range args {
		raw, err := os.ReadFile(arg)
		if err == nil {
			s, err := scenario.Parse(arg, raw)
			if err != nil {
				return nil, err
			}
			out = append(out, s)
			continue
		}
		if strings.HasSuffix(arg, ".json") {
			return nil, err
		}
		named, err := scenario.Named(shipped, []string{arg})
		if err != nil {
			return nil, fmt.Errorf("%w; SCENARIO must be a file or one that --list shows", err)
		}
		out = append(out, named...)
	}
	return out, nil
}

// listScenarios lists the built-in scenarios.
func listScenarios(e *env) error {
	all, err := scenario.Shipped()
	if err != nil {
		return err
	}
	for _, s := range all {
		shown := map[string]any{"scenario": s.Name, "does": s.Does, "needs": append([]string{}, s.Needs...)}
		err := showValue(e, shown, func(w io.Writer) {
			fmt.Fprintf(w, "%s: %s\n", s.Name, s.Does)
			if len(s.Needs) > 0 {
				fmt.Fprintf(w, "    requires %s\n", strings.Join(s.Needs, ", "))
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}
