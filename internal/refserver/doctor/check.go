package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
)

// check is a row of the table of checks.
type check struct {
	name string
	sent string
	rule string
	fix  string
	// section is the part of the kind's page that has the rule; empty is the whole page.
	section string
	// after are the checks that must have passed, or else this one means nothing.
	after []string
	// ends says that nothing else can be found out if it fails.
	ends bool
	// timed says that the time limit is what is checked, so no answer is awaited longer than that.
	timed bool
	// sums says that it looks at the calls of all checks before it.
	sums bool
	run  func(ctx context.Context, e *exam) (outcome, error)
}

// outcome is how a check ended and what came back.
type outcome struct {
	state State
	got   string
}

func pass(format string, args ...any) (outcome, error) {
	return outcome{Passed, fmt.Sprintf(format, args...)}, nil
}

func fail(format string, args ...any) (outcome, error) {
	return outcome{Failed, fmt.Sprintf(format, args...)}, nil
}

func note(format string, args ...any) (outcome, error) {
	return outcome{Noted, fmt.Sprintf(format, args...)}, nil
}

func skip(format string, args ...any) (outcome, error) {
	return outcome{Skipped, fmt.Sprintf(format, args...)}, nil
}

// kind is what differs between the kinds of endpoints.
type kind interface {
	// limit is how long the platform waits for an answer.
	limit() time.Duration
	// prepare registers the endpoint and makes what calls need.
	prepare(ctx context.Context, e *exam) error
	// call has the platform make one genuine call, and returns its verdict.
	call(ctx context.Context, e *exam) (verdict, error)
	// sign returns the headers for a body that the doctor makes, and whether the platform's calls can be signed by it.
	sign(e *exam, like exchange, body []byte) (http.Header, bool)
	// signs reports whether genuine calls are signed.
	signs(e *exam) bool
	checks() []check
}

// verdict is what the platform thinks of an answer.
type verdict struct {
	status int
	// accepted is set for a status that the kind of call asks for.
	accepted bool
	late     bool
	took     time.Duration
	// says is why the answer is none that the platform can use, empty if it is.
	says string
	ex   exchange
}

// exam is an examination in progress.
type exam struct {
	o        Options
	kind     kind
	to       *url.URL
	platform *platform
	relay    *relay
	restore  []func(ctx context.Context) error // what undoes the changes at the platform, in order

	first verdict // the first genuine call
	timed bool    // the check in progress is about the time limit
	since int64   // the last call of the API before the check

	restarted int64 // the last call of the API before the program was started again

	mu      sync.Mutex
	answers []exchange // for the check of what answers leak
}

func newExam(o Options, to *url.URL, p *platform) (*exam, error) {
	e := &exam{o: o, kind: o.kind(), to: to, platform: p}
	var err error
	e.relay, err = newRelay(e)
	return e, err
}

// end undoes what was changed at the platform.
func (e *exam) end(ctx context.Context) (err error) {
	ctx, cancel := settled(ctx)
	defer cancel()
	for _, undo := range slices.Backward(e.restore) {
		if failed := undo(ctx); failed != nil && err == nil {
			err = fmt.Errorf("doctor: a setting of the server was not restored: %w", failed)
		}
	}
	e.relay.close()
	return err
}

// run makes the checks in order.
func (e *exam) run(ctx context.Context) ([]Result, error) {
	var out []Result
	state := map[string]State{}
	ended := ""
	all, err := e.checks()
	if err != nil {
		return nil, err
	}
	for _, c := range all {
		r := Result{Check: c.name, Sent: c.sent, Rule: c.rule, Page: e.page(c.section), Fix: c.fix}
		failed := slices.IndexFunc(c.after, func(name string) bool { return state[name] == Failed || state[name] == Skipped })
		var o outcome
		var err error
		switch {
		case ended != "":
			o, err = skip("%q has failed", ended)
		case failed >= 0 && state[c.after[failed]] == Failed:
			o, err = skip("%q has failed", c.after[failed])
		case failed >= 0:
			o, err = skip("%q was skipped", c.after[failed])
		default:
			if e.o.Progress != nil {
				e.o.Progress(c.name)
			}
			o, err = e.examine(ctx, c)
		}
		if err == nil {
			err = ctx.Err() // what a check finds after its time is up says nothing
		}
		if err != nil {
			return out, fmt.Errorf("doctor: %s: %w", c.name, err)
		}
		r.State, r.Got = o.state, oneLine(e.masked(o.got))
		state[c.name] = r.State
		if out = append(out, r); c.ends && r.State == Failed {
			ended = c.name
		}
	}
	return out, nil
}

// checks are the checks of the kind. If the options name one, they are the checks of the first call, which all others
// use, the named one, and the checks that must have passed before it.
func (e *exam) checks() ([]check, error) {
	first := opening()
	all := slices.Concat(first, e.kind.checks(), closing(), startedChecks(e))
	if e.o.Check == "" {
		return all, nil
	}
	var names, needed []string
	for _, c := range all {
		if names = append(names, c.name); c.name == e.o.Check {
			needed = append(slices.Clone(c.after), c.name)
			if c.sums {
				return all[:len(names)], nil
			}
		}
	}
	if needed == nil {
		return nil, fmt.Errorf("check %q: must be one of %s: %w", e.o.Check, strings.Join(names, ", "), ErrOptions)
	}
	var out []check
	for i, c := range slices.Backward(all) {
		if i < len(first) || slices.Contains(needed, c.name) {
			needed = append(needed, c.after...)
			out = append(out, c)
		}
	}
	slices.Reverse(out)
	return out, nil
}

// page is a section of the page about the kind.
func (e *exam) page(section string) string {
	if section != "" {
		section = "#" + section
	}
	return "client/contract/" + e.o.Kind.Page() + section
}

// Checks are repeated while the API answers 429 to the app, because the calls of the doctor use its bucket as well. The
// pause before doubles, until most of the bucket has drained.
const (
	mostRepeats = 3
	drained     = 2 * time.Second
)

// examine makes a check. A finding also has the call of the API that was refused meanwhile, which may be its cause.
func (e *exam) examine(ctx context.Context, c check) (outcome, error) {
	for repeats := 0; ; repeats++ {
		o, refused, err := e.tried(ctx, c)
		if err != nil || refused == nil {
			return o, err
		}
		if refused.Status != http.StatusTooManyRequests || repeats == mostRepeats {
			if o.state == Failed {
				o.got += "; " + refused.refused()
			}
			return o, nil
		}
		if err := pause(ctx, drained<<repeats); err != nil {
			return outcome{}, err
		}
		if e.first.ex.method != "" && c.ends { // a check of the first call
			if e.first, err = e.kind.call(ctx, e); err != nil {
				return outcome{}, err
			}
		}
	}
}

// tried makes a check once. If it has failed or was skipped, tried returns a call of the API that was refused
// meanwhile: one that was answered 429, or else the first.
func (e *exam) tried(ctx context.Context, c check) (outcome, *apiCallJSON, error) {
	e.timed = c.timed
	if !c.ends || c.name == "https" { // the checks at the beginning look at one call
		before, err := apiCalls(ctx, e, "order=newest&limit=1")
		if err != nil {
			return outcome{}, nil, err
		}
		for _, r := range before {
			e.since = r.Seq
		}
	}
	o, err := c.run(ctx, e)
	if err != nil || o.state != Failed && o.state != Skipped {
		return o, nil, err
	}
	made, err := apiCalls(ctx, e, fmt.Sprintf("after=%d&limit=200", e.since))
	var refused *apiCallJSON
	for _, r := range made {
		if r.Status == http.StatusTooManyRequests || r.Status >= 400 && refused == nil {
			refused = &r
		}
	}
	return o, refused, err
}

// apiCallJSON is a call of the API as the control API shows it.
type apiCallJSON struct {
	Seq    int64           `json:"seq"`
	Method string          `json:"method"`
	Path   string          `json:"path"`
	Body   json.RawMessage `json:"body"`
	Status int             `json:"status"`
	Answer json.RawMessage `json:"answer"`
}

// refused is a call with the answer of the API, in words.
func (r apiCallJSON) refused() string {
	return fmt.Sprintf("the API answered %d to %s %s: %s", r.Status, r.Method, r.Path, shown(r.Answer))
}

// apiCalls returns a page of the calls of the API.
func apiCalls(ctx context.Context, e *exam, query string) ([]apiCallJSON, error) {
	page, err := get[struct {
		Items []apiCallJSON `json:"items"`
	}](ctx, e.platform, "requests?"+query)
	return page.Items, err
}

// call has the platform make one genuine call, and once more if the answer was late by chance.
func (e *exam) call(ctx context.Context) (verdict, error) {
	return e.twice(ctx, func() (verdict, error) { return e.kind.call(ctx, e) })
}

// twice makes a call, and once more if the answer was late by chance.
func (e *exam) twice(ctx context.Context, call func() (verdict, error)) (verdict, error) {
	v, err := call()
	if err == nil && v.late && e.catchesUp(ctx, v) {
		v, err = call()
	}
	return v, err
}

// catchesUp reports whether a call that was answered late is answered in time if it comes again.
func (e *exam) catchesUp(ctx context.Context, v verdict) bool {
	ctx, cancel := context.WithTimeout(ctx, e.kind.limit())
	defer cancel()
	return e.once(ctx, v.ex).err == nil
}

// patience is how long the doctor waits for what an app may report later.
const patience = 3 * time.Second

// settling is how long an app may take to report something after its answer.
const settling = 200 * time.Millisecond

// await looks until done reports true, for as long as the doctor has patience.
func await(ctx context.Context, done func() (bool, error)) error {
	for begun := time.Now(); ; {
		ok, err := done()
		if err != nil || ok || time.Since(begun) > patience {
			return err
		}
		if err := pause(ctx, 50*time.Millisecond); err != nil {
			return err
		}
	}
}

// pause waits, or until ctx ends.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// remember keeps an answer for the check of what answers leak.
func (e *exam) remember(x exchange) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.answers = append(e.answers, x)
}

// masked is a text without the secret, which an endpoint may answer.
func (e *exam) masked(s string) string {
	if e.platform.secret == "" {
		return s
	}
	return strings.ReplaceAll(s, e.platform.secret, "***")
}

// oneLine is a text of the endpoint as it can be printed: on one line, without what moves a cursor, and not too long.
func oneLine(s string) string {
	const most = 300
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}
