package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/doctor"
	"github.com/commerceplatform/commerce-go/internal/refserver/scenario"
)

func doctorCommand() command {
	return command{
		name: "doctor", args: "URL --as KIND", least: 1, most: 1,
		does: "examines an endpoint of an app, and reports what to fix",
		lesson: `URL is where your program listens, in any language. KIND is webhooks, discounts, carrier, labels, payments or rules. The
platform makes genuine calls, in the shapes that HTTP allows, one at a time and 50 at once; the doctor sends wrong ones:
unsigned, forged, stale, cut short, malformed, huge. A failed check shows the request, the answer, the broken rule with
its page ("refserver contract labels.md"), and how to fix it. Unusual behaviour that the standards allow, such as closed
connections, is noted. The status is 0 if no check failed and 1 otherwise, so it can be a step of your tests.

The calls come from the server at --control, where your app is installed. They use its promotions, carriers and payment
addresses, and the server answers the app's API calls. --origin is the https origin that the app is registered with,
usually the one that "serve --partner" connects to URL.
With --own the doctor starts its own platform. Without --start, your program does not know the address of that platform, so --own is for
webhooks and rates of an app that does not call the platform.
With --start it starts your program at the port of URL, with the variables that "refserver env" prints, and ends it. It then
also checks the first call after a start, and the memory while a stranger sends 128 MiB. It restarts your program, and
checks whether an earlier payment or label has its effect only once.

    refserver doctor http://127.0.0.1:3000/hooks --as webhooks || echo "status $?"
    refserver doctor http://127.0.0.1:3000/hooks --as webhooks --own --secret s3cret || echo "status $?"
    refserver doctor http://127.0.0.1:3000/hooks --as webhooks --start "node webhooks.mjs 3000" || echo "status $?"
    refserver doctor http://127.0.0.1:3000/carts --as discounts --origin https://app.example || echo "status $?"
    refserver doctor http://127.0.0.1:3000/rates --as carrier --own --verbose || echo "status $?"
    refserver doctor http://127.0.0.1:3000/labels --as labels || echo "status $?"
    refserver doctor http://127.0.0.1:3000/rules --as rules || echo "status $?"
    refserver doctor http://127.0.0.1:3000/rules --as rules --check "in time" || echo "status $?"
    refserver doctor http://127.0.0.1:3000/labels --as labels --own --start "node labels.mjs 3000" || echo "status $?"
    refserver doctor http://127.0.0.1:3000 --as payments --json || echo "status $?"

For labels, URL is the address below which your program has /generate, /cancel, /suspension and /reactivate. Your program reports
labels to the server, so the server requires the feature (serve --demo --feature fulfillment_order_label_api). The platform
of --own has it. For rules, the app is asked about the domains that it has registered at URL, or about all four if there is
none.

The carts and orders of the examination stay on the server ("refserver snapshot" restores an earlier state), as do
addresses of business rules. Routes, other addresses and settings are restored. Carts are signed if --secret is set.
Without it the app must allow only the platform's addresses, which cannot be checked from this machine. A load balancer
cannot be checked either.`,
		bind: func(f *flag.FlagSet) func(context.Context, *env) error {
			in := new(doctorFlags)
			in.bind(f)
			return in.examine
		},
	}
}

// doctorFlags are the flags of the command.
type doctorFlags struct {
	kind, secret, origin string
	start                string
	own, oldKey, verbose bool
	strict               bool
	report, check        string
	bound                time.Duration
	replicas             []string
}

func (in *doctorFlags) bind(f *flag.FlagSet) {
	f.StringVar(&in.kind, "as", "", "`kind` of the endpoint: webhooks, discounts, carrier, labels, payments or rules")
	f.StringVar(&in.secret, "secret", "", "`secret` of the app; if empty, that of the server's app, or none for carts")
	f.StringVar(&in.origin, "origin", "", "https `origin` that the app is registered with, and the variable ORIGIN of --start; if empty, "+
		"the one that \"serve --partner\" connects to URL, or https://app.example with --own and --start")
	f.StringVar(&in.start, "start", "", startUsage)
	f.BoolVar(&in.own, "own", false, "start a platform for this examination, instead of using the one at --control")
	f.BoolVar(&in.oldKey, "old-key", false, "the payment app accepts the platform's previous key as well")
	f.BoolVar(&in.verbose, "verbose", false, "also list the checks that passed")
	f.StringVar(&in.check, "check", "", "`name` of the one check to make, after the checks that it requires")
	f.BoolVar(&in.strict, "fail-skipped", false, "exit with status 1 if a check was skipped")
	f.StringVar(&in.report, "report", "", "`file` for the report: XML of JUnit if its name ends in .xml, otherwise JSON")
	f.DurationVar(&in.bound, "bound", 2*time.Minute, "the longest `time` that the examination may take")
	f.Func("replica", "`URL` of another process of the payment app; repeatable", func(s string) error {
		in.replicas = append(in.replicas, s)
		return nil
	})
}

func (in *doctorFlags) examine(ctx context.Context, e *env) error {
	if !slices.Contains(doctor.Kinds(), doctor.Kind(in.kind)) {
		return misused("--as", in.kind, "must be webhooks, discounts, carrier, labels, payments or rules")
	}
	if in.bound <= 0 {
		return misused("--bound", in.bound.String(), "must be above 0, such as 2m")
	}
	o := doctor.Options{
		URL: e.args[0], Kind: doctor.Kind(in.kind), Secret: in.secret, Origin: in.origin, Replicas: in.replicas,
		OldKey: in.oldKey, Check: in.check, Bound: in.bound, Progress: func(check string) { e.progress("checking %s", check) },
	}
	if e.store != "" {
		id, err := number("--store", e.store)
		if err != nil {
			return err
		}
		o.Store = id
	}
	closes, err := in.platform(e, &o)
	if err != nil {
		return err
	}
	defer closes()
	end, err := in.begin(ctx, &o)
	if err != nil {
		return err
	}
	defer end()
	report, err := doctor.Examine(ctx, o)
	if ctx.Err() != nil {
		return errors.New("doctor: interrupted before the last check, so there is no result") // and not status 0
	}
	if errors.Is(err, doctor.ErrOptions) {
		return fmt.Errorf("%w%w", err, silent{errUsage})
	}
	if err != nil {
		return err
	}
	if err := in.write(report); err != nil {
		return err
	}
	if err := showValue(e, report, func(w io.Writer) { printReport(w, report, in.verbose) }); err != nil {
		return err
	}
	if len(report.In(doctor.Failed)) > 0 || in.strict && len(report.In(doctor.Skipped)) > 0 {
		return errFound
	}
	return nil
}

// platform is where the calls come from: the server at --control, or one that the program of --start can call. Without
// that program, Examine starts one itself.
func (in *doctorFlags) platform(e *env, o *doctor.Options) (closes func(), err error) {
	switch {
	case !in.own:
		o.Control = e.remote.URL()
		return func() {}, nil
	case in.start == "":
		return func() {}, nil
	}
	p, err := scenario.Start(scenario.Options{Secret: in.secret, Real: true, Features: o.Kind.Features(), Seed: rand.Uint64()})
	if err != nil {
		return nil, err
	}
	o.Control, o.Origin = p.Control, cmp.Or(o.Origin, "https://app.example")
	return p.Close, nil
}

// begin starts the program of --start, and returns what ends it.
func (in *doctorFlags) begin(ctx context.Context, o *doctor.Options) (end func(), err error) {
	if in.start == "" {
		return func() {}, nil
	}
	at, err := url.Parse(o.URL)
	if err != nil || at.Scheme != "http" || at.Port() == "" {
		return nil, misused("URL", o.URL, "must be like http://127.0.0.1:3000/hooks with --start")
	}
	variables, err := variablesOf(ctx, o.Control)
	if err != nil {
		return nil, err
	}
	if o.Origin != "" {
		variables = append(variables, "ORIGIN="+o.Origin)
	}
	program, err := startExamined(ctx, in.start, at.Host, variables)
	if err != nil {
		return nil, err
	}
	o.Program = program
	return func() { program.stop() }, nil
}

// write writes the file of --report.
func (in *doctorFlags) write(r doctor.Report) error {
	if in.report == "" {
		return nil
	}
	encode := func() ([]byte, error) { return json.MarshalIndent(r, "", "  ") }
	if strings.EqualFold(filepath.Ext(in.report), ".xml") {
		encode = judged(r).encode
	}
	raw, err := encode()
	if err != nil {
		return err
	}
	return os.WriteFile(in.report, raw, 0o644)
}

// printReport prints findings in words, and a line for each other check if all are shown.
func printReport(w io.Writer, r doctor.Report, all bool) {
	for _, one := range r.Results {
		switch {
		case one.State == doctor.Failed || one.State == doctor.Noted:
			fmt.Fprintf(w, "%-8s %s\n   sent  %s\n   got   %s\n   rule  %s\n   page  %s\n   fix   %s\n",
				one.State, one.Check, one.Sent, plain(one.Got), one.Rule, one.Page, one.Fix)
		case all && one.State == doctor.Passed:
			fmt.Fprintf(w, "%s  %s: %s\n", one.State, one.Check, plain(one.Got))
		}
	}
	printSkipped(w, r.In(doctor.Skipped))
	fmt.Fprintf(w, "%d checks of %s: %d failed, %d noted, %d skipped, %d passed\n",
		len(r.Results), strings.TrimSpace(plain(string(r.Kind))),
		len(r.In(doctor.Failed)), len(r.In(doctor.Noted)), len(r.In(doctor.Skipped)), len(r.In(doctor.Passed)))
}

// printSkipped prints the checks that were skipped, a line for each reason.
func printSkipped(w io.Writer, all []doctor.Result) {
	for len(all) > 0 {
		reason := all[0].Got
		var names []string
		all = slices.DeleteFunc(all, func(one doctor.Result) bool {
			if one.Got == reason {
				names = append(names, one.Check)
			}
			return one.Got == reason
		})
		fmt.Fprintf(w, "skipped  %s: %s\n", strings.Join(names, ", "), plain(reason))
	}
}
