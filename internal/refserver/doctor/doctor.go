package doctor

import (
	"cmp"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// Kind is what an endpoint is for.
type Kind string

// The kinds of endpoints.
const (
	Webhooks  Kind = "webhooks"
	Discounts Kind = "discounts"
	Carrier   Kind = "carrier"
	Labels    Kind = "labels"
	Payments  Kind = "payments"
	Rules     Kind = "rules"
)

// Kinds are all kinds.
func Kinds() []Kind { return []Kind{Webhooks, Discounts, Carrier, Labels, Payments, Rules} }

// Page is the page of package client/contract about the calls of a kind.
func (k Kind) Page() string {
	if k == Carrier {
		return "rates.md"
	}
	return string(k) + ".md"
}

// Features are the features that a store must have for all checks of a kind.
func (k Kind) Features() []string {
	if k == Labels {
		return []string{reporting}
	}
	return nil
}

// Options say what is examined. URL and Kind are required.
type Options struct {
	// URL is where the endpoint listens: https, or http on this machine. For payments it is the address below which
	// /process, /cancel and /status are, unless the app has addresses at the platform already. For labels it is the one
	// below which /generate, /cancel, /suspension and /reactivate are.
	URL  string
	Kind Kind
	// Secret is the app's. It is required for webhooks without Control. Carts are signed if it is set.
	Secret string
	// Origin is the https origin that the platform knows the app by. It is what Host names, and part of what a payment
	// call signs. Empty is the origin of URL if that is https at the usual port, then the origin that the server
	// forwards to the host of URL, and otherwise https://desk.example.
	Origin string
	// Control is the address of the control API of a reference server where the app is installed. If it is empty,
	// Examine starts a platform of its own, which ends with it.
	Control string
	// Store is the store of the app, 0 for the one of the server's demo.
	Store int64
	// Replicas are other processes of the app, as URL is, that the same payment call is sent to.
	Replicas []string
	// OldKey says that the app has the old key of the platform's payment calls too, as it must while a key is being
	// changed.
	OldKey bool
	// Program is the process of the app. It is started again to examine its first call, its memory and repeated calls.
	// Nil leaves these checks out.
	Program Program
	// Roots verify certificates; nil means those of this machine.
	Roots *x509.CertPool
	// Check limits the examination to the check of this name, the checks of the first call, and the checks that must
	// pass before it. Empty means all checks.
	Check string
	// Bound is how long it may take in total; 0 means two minutes.
	Bound time.Duration
	// Progress is called before each check; nil is not called.
	Progress func(check string)
}

// State is how a check ended.
type State string

// The states of a check.
const (
	Passed State = "passed"
	// Noted is for what the standards allow, but costs time or confuses: the platform works with it.
	Noted   State = "noted"
	Failed  State = "failed"
	Skipped State = "skipped"
)

// Result is a check and how it ended.
type Result struct {
	Check string `json:"check"`
	State State  `json:"state"`
	// Sent is what was sent, Got what came back or why the check was skipped.
	Sent string `json:"sent"`
	Got  string `json:"got"`
	// Rule is the rule of the platform, Page the page about it with the section, and Fix says how to keep it.
	Rule string `json:"rule"`
	Page string `json:"page"`
	Fix  string `json:"fix"`
}

// Report is what was found, in the order of the checks.
type Report struct {
	Kind    Kind     `json:"kind"`
	URL     string   `json:"url"`
	Results []Result `json:"results"`
}

// In returns the results in a state.
func (r Report) In(s State) []Result {
	var out []Result
	for _, one := range r.Results {
		if one.State == s {
			out = append(out, one)
		}
	}
	return out
}

// ErrOptions is wrapped by the error of options that cannot be meant.
var ErrOptions = errors.New("cannot be examined")

// desk is the origin of an app whose address the platform would not register.
const desk = "https://desk.example"

// usualBound is how long an examination may take.
const usualBound = 2 * time.Minute

// Examine makes the checks of a kind. Findings are no error: an error means that the examination could not be made or
// not be finished, for example because no control API answers. Examinations at one server wait for each other.
//
// On a running server Examine leaves the carts, the orders and other records that it made. The addresses, routes and
// settings that it changed are restored. The address of a domain of business rules that had none stays, because the
// platform has no deletion of it.
func Examine(ctx context.Context, o Options) (_ Report, err error) {
	to, err := o.check()
	if err != nil {
		return Report{}, err
	}
	p, err := connect(ctx, o)
	if err != nil {
		return Report{}, err
	}
	defer p.close()
	e, err := newExam(o, to, p)
	if err != nil {
		return Report{}, err
	}
	defer func() { err = errors.Join(err, e.end(ctx)) }()
	if err := e.takeTurn(ctx); err != nil {
		return Report{}, err
	}
	bounded, cancel := context.WithTimeoutCause(ctx, cmp.Or(o.Bound, usualBound), errBound)
	defer cancel()
	results, err := e.run(bounded)
	if cause := context.Cause(bounded); err != nil && cause != nil {
		err = cause // whichever step ended with the context
	}
	return Report{o.Kind, o.URL, results}, err
}

var errBound = errors.New("doctor: the examination took too long; raise its bound, or see which check it ended at")

// check returns the parsed address, or what is wrong with the options.
func (o *Options) check() (*url.URL, error) {
	for _, address := range append([]string{o.URL}, o.Replicas...) {
		u, err := url.Parse(address)
		if err != nil || u.Host == "" || u.User != nil || u.Fragment != "" || u.Scheme != "http" && u.Scheme != "https" {
			return nil, fmt.Errorf("address %q: must be like https://app.example/hooks or http://127.0.0.1:3000/hooks: %w",
				address, ErrOptions)
		}
	}
	u, _ := url.Parse(o.URL)     // checked
	u.Path = cmp.Or(u.Path, "/") // as the platform calls it
	switch {
	case o.kind() == nil:
		return nil, fmt.Errorf("kind %q: must be one of %v: %w", o.Kind, Kinds(), ErrOptions)
	case o.Kind == Webhooks && o.Control == "" && o.Secret == "":
		return nil, fmt.Errorf("webhooks: the secret must be set, since the app verifies signatures with it: %w", ErrOptions)
	case o.Kind == Payments && o.Control == "":
		return nil, fmt.Errorf("payments: must be examined at a running server, whose public key the app has: %w", ErrOptions)
	}
	if o.Origin == "" {
		if u.Scheme == "https" && u.Port() == "" && strings.Contains(u.Host, ".") && !loopback(u.Hostname()) {
			o.Origin = "https://" + u.Host
		}
		return u, nil
	}
	at, err := url.Parse(o.Origin)
	if err != nil || at.Scheme != "https" || at.Host == "" || strings.Trim(at.Path, "/") != "" {
		return nil, fmt.Errorf("origin %q: must be like https://app.example: %w", o.Origin, ErrOptions)
	}
	o.Origin = "https://" + at.Host
	return u, nil
}

// kind is the one that is examined, nil if there is none of the name.
func (o *Options) kind() kind {
	switch o.Kind {
	case Webhooks:
		return &webhooks{}
	case Discounts:
		return &discounts{}
	case Carrier:
		return &carrier{}
	case Labels:
		return &labels{}
	case Payments:
		return &payments{}
	case Rules:
		return &businessRules{}
	}
	return nil
}
