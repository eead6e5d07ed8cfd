package doctor_test

import (
	"bytes"
	"cmp"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/control"
	"github.com/commerceplatform/commerce-go/internal/refserver/doctor"
	"github.com/commerceplatform/commerce-go/internal/refserver/seed"
	"github.com/commerceplatform/commerce-go/internal/tier"
)

// specimen is a partner with a bug, or a correct one, and the one check that must fail.
type specimen struct {
	kind doctor.Kind
	bug  string
	want string
	in   string // the language of a starter in which the bug is planted; empty is the partner of the kind
}

func (s specimen) name() string {
	return strings.TrimSpace(string(s.kind) + " " + cmp.Or(s.bug, "correct") + " " + s.in)
}

// place starts the partner and returns the options to examine it with.
func (s specimen) place(t *testing.T) doctor.Options {
	t.Helper()
	if s.in != "" {
		return newWorld(t).payments(t, s)
	}
	return place(t, s.kind, s.bug)
}

// gallery has a broken partner a row.
var gallery = []specimen{
	// They take time, but no processor, so they begin first.
	{doctor.Webhooks, "slow", "in time", ""},
	{doctor.Discounts, "slow", "in time", ""},
	{doctor.Carrier, "slow", "in time", ""},

	{doctor.Webhooks, "", "", ""},
	{doctor.Webhooks, "checks no signature", "unsigned", ""},
	{doctor.Webhooks, "checks a signature if there is one", "unsigned", ""},
	{doctor.Webhooks, "checks that there is a signature", "wrong signature", ""},
	{doctor.Webhooks, "remembers signatures", "another body", ""},
	{doctor.Webhooks, "compares a prefix", "whole signature", ""},
	{doctor.Webhooks, "has an empty secret", "empty secret", ""},
	{doctor.Webhooks, "signs what it parsed", "raw bytes", ""},
	{doctor.Webhooks, "redirects", "no redirect", ""},
	{doctor.Webhooks, "always 500", "status", ""},
	{doctor.Webhooks, "closes connections", "keep-alive", ""},
	{doctor.Webhooks, "closes on Expect", "expect", ""},
	{doctor.Webhooks, "trusts Content-Length", "chunks", ""},
	{doctor.Webhooks, "accepts GET", "GET", ""},
	{doctor.Webhooks, "breaks on another type", "content type", ""},
	{doctor.Webhooks, "500 for a large body", "large body", ""},
	{doctor.Webhooks, "500 for malformed", "malformed JSON", ""},
	{doctor.Webhooks, "2xx for half a body", "cut short", ""},
	{doctor.Webhooks, "answers before the body", "cut short", ""},
	{doctor.Webhooks, "500 for an unknown event", "unknown event", ""},
	{doctor.Webhooks, "404 for an unknown event", "unknown event", ""},
	{doctor.Webhooks, "409 for a duplicate", "again", ""},
	{doctor.Webhooks, "refuses new members", "unknown members", ""},
	{doctor.Webhooks, "has no store/redact", "data protection", ""},
	{doctor.Webhooks, "leaks a stack", "nothing leaks", ""},
	{doctor.Webhooks, "leaks the signature", "nothing leaks", ""},
	{doctor.Webhooks, "leaks the secret", "nothing leaks", ""},

	{doctor.Webhooks, "compares the shorter", "whole signature", ""},
	{doctor.Webhooks, "has the secret undefined", "empty secret", ""},
	{doctor.Webhooks, "500 for what is no digit", "odd signatures", ""},
	{doctor.Webhooks, "reads headers as written", "header names", ""},
	{doctor.Webhooks, "believes a form", "unsigned types", ""},
	{doctor.Webhooks, "accepts PUT", "unsigned methods", ""},
	{doctor.Webhooks, "believes chunks", "unsigned chunks", ""},
	{doctor.Webhooks, "believes a proxy", "forwarded", ""},
	{doctor.Webhooks, "believes a parameter", "parameters", ""},
	{doctor.Webhooks, "believes an empty body", "unsigned bodies", ""},
	{doctor.Webhooks, "believes an end", "unsigned events", ""},
	{doctor.Webhooks, "500 for what is gone", "each event", ""},
	{doctor.Webhooks, "500 for an id as text", "ids", ""},
	{doctor.Webhooks, "500 for another store", "another store", ""},
	{doctor.Webhooks, "redacts once", "data protection again", ""},
	{doctor.Webhooks, "reads 100 KB", "300 KB", ""},
	{doctor.Webhooks, "reads texts", "letters", ""},
	{doctor.Webhooks, "500 for an empty object", "other JSON", ""},

	{doctor.Discounts, "", "", ""},
	{doctor.Discounts, "believes a form", "unsigned types", ""},
	{doctor.Discounts, "500 for an empty cart", "empty cart", ""},
	{doctor.Discounts, "500 for a buyer", "buyers", ""},
	{doctor.Discounts, "knows pesos alone", "other currency", ""},
	{doctor.Discounts, "500 for another language", "other language", ""},
	{doctor.Discounts, "writes amounts of a language", "other language", ""},
	{doctor.Discounts, "computes with floats", "cents", ""},
	{doctor.Discounts, "takes 20 off", "cents", ""},
	{doctor.Discounts, "500 for a coupon", "coupons", ""},
	{doctor.Discounts, "divides by pieces", "no pieces", ""},
	{doctor.Discounts, "500 for many lines", "many lines", ""},
	{doctor.Discounts, "removes all promotions", "promotions of others", ""},
	{doctor.Discounts, "500 for another tier", "other tier", ""},
	{doctor.Discounts, "shares a variable", "carts at once", ""},
	{doctor.Discounts, "checks no signature", "unsigned", ""},
	{doctor.Discounts, "compares a prefix", "whole signature", ""},
	{doctor.Discounts, "one at a time", "at once", ""},
	{doctor.Discounts, "always 500", "status", ""},
	{doctor.Discounts, "names another promotion", "commands", ""},
	{doctor.Discounts, "names another line", "commands", ""},
	{doctor.Discounts, "answers in dollars", "commands", ""},
	{doctor.Discounts, "amounts are numbers", "commands", ""},
	{doctor.Discounts, "gives more each time", "same cart twice", ""},
	{doctor.Discounts, "never removes", "removes", ""},
	{doctor.Discounts, "forgets 310", "310", ""},
	{doctor.Discounts, "commands for malformed", "malformed JSON", ""},
	{doctor.Discounts, "closes connections", "keep-alive", ""},

	{doctor.Carrier, "", "", ""},
	{doctor.Carrier, "ignores the quantity", "pieces", ""},
	{doctor.Carrier, "weighs the first item", "pieces", ""},
	{doctor.Carrier, "500 without sku", "nulls", ""},
	{doctor.Carrier, "500 without size", "no size", ""},
	{doctor.Carrier, "writes ASCII", "letters", ""},
	{doctor.Carrier, "500 without weight", "any weight", ""},
	{doctor.Carrier, "reads postal codes as numbers", "postal codes", ""},
	{doctor.Carrier, "500 without options", "options", ""},
	{doctor.Carrier, "500 for many items", "many items", ""},
	{doctor.Carrier, "adds the merchant's cost", "merchant settings", ""},
	{doctor.Carrier, "adds the merchant's days", "merchant settings", ""},
	{doctor.Carrier, "dates of yesterday", "dates to come", ""},
	{doctor.Carrier, "shares a variable", "requests at once", ""},
	{doctor.Carrier, "500 for another store", "another store", ""},
	{doctor.Carrier, "another code", "codes", ""},
	{doctor.Carrier, "repeats a code", "codes", ""},
	{doctor.Carrier, "no reference", "references", ""},
	{doctor.Carrier, "another currency", "rates", ""},
	{doctor.Carrier, "a point without hours", "rates", ""},
	{doctor.Carrier, "hours with a colon", "rates", ""},
	{doctor.Carrier, "dates the wrong way", "dates", ""},
	{doctor.Carrier, "prices by the total", "stable prices", ""},
	{doctor.Carrier, "prices by the clock", "same request twice", ""},
	{doctor.Carrier, "200 without rates", "refusals", ""},
	{doctor.Carrier, "503 for a refusal", "refusals", ""},
	{doctor.Carrier, "rates for malformed", "malformed JSON", ""},
	{doctor.Carrier, "trusts Content-Length", "chunks", ""},

	{doctor.Payments, "", "", ""},
	{doctor.Payments, "believes a form", "unsigned types", ""},
	{doctor.Payments, "believes a proxy", "forwarded", ""},
	{doctor.Payments, "believes cancellations", "unsigned calls", ""},
	{doctor.Payments, "500 for no base64", "odd signatures", ""},
	{doctor.Payments, "allows a second", "another timestamp", ""},
	{doctor.Payments, "verifies without the query", "another path", ""},
	{doctor.Payments, "looks, then writes", "twice at once", ""},
	{doctor.Payments, "cuts cents", "amounts", ""},
	{doctor.Payments, "reports a sum of money wrong", "status", ""},
	{doctor.Payments, "one list for all orders", "transactions", ""},
	{doctor.Payments, "409 for a paid attempt", "cancel again", ""},
	{doctor.Payments, "refunds all", "refunded", ""},
	{doctor.Payments, "checks no signature", "unsigned", ""},
	{doctor.Payments, "checks that there is a signature", "wrong signature", ""},
	{doctor.Payments, "remembers signatures", "another body", ""},
	{doctor.Payments, "takes its address from Host", "another address", ""},
	{doctor.Payments, "accepts stale calls", "old timestamp", ""},
	{doctor.Payments, "accepts calls of the future", "future timestamp", ""},
	{doctor.Payments, "takes every call", "paid once", ""},
	{doctor.Payments, "has a database in each replica", "replicas", ""},
	{doctor.Payments, "404 for an unknown attempt", "cancel", ""},
	{doctor.Payments, "no transactions in a status", "payment status", ""},
	{doctor.Payments, "a refund code of its own", "refunds", ""},
	{doctor.Payments, "undoes what nobody waits for", "lost answer", ""},
	{doctor.Payments, "reports again", "lost report", ""},
	{doctor.Payments, "refunds each call", "refunded once", ""},
	{doctor.Payments, "charges what is cancelled", "cancelled first", ""},
	{doctor.Payments, "404 for a refunded attempt", "cancel the rest", ""},
	{doctor.Payments, "", "", "node"},
	{doctor.Payments, "undoes what nobody waits for", "lost answer", "node"},
	{doctor.Payments, "reports again", "lost report", "node"},
	{doctor.Payments, "refunds each call", "refunded once", "node"},
	{doctor.Payments, "charges what is cancelled", "cancelled first", "node"},
	{doctor.Payments, "gives all back", "cancel the rest", "node"},
	{doctor.Payments, "ends at an odd address", "odd addresses", "node"},
	{doctor.Payments, "", "", "python3"},
	{doctor.Payments, "undoes what nobody waits for", "lost answer", "python3"},
	{doctor.Payments, "reports again", "lost report", "python3"},
	{doctor.Payments, "refunds each call", "refunded once", "python3"},
	{doctor.Payments, "charges what is cancelled", "cancelled first", "python3"},
	{doctor.Payments, "gives all back", "cancel the rest", "python3"},

	{doctor.Labels, "", "", ""},
	{doctor.Labels, "slow", "in time", ""},
	{doctor.Labels, "always 500", "status", ""},
	{doctor.Labels, "302 to a queue", "no redirect", ""},
	{doctor.Labels, "207 as an object", "labels", ""},
	{doctor.Labels, "207 with label_id", "labels", ""},
	{doctor.Labels, "207 in small letters", "labels", ""},
	{doctor.Labels, "ready before it begins", "reported", ""},
	{doctor.Labels, "ready without documents", "reported", ""},
	{doctor.Labels, "ready with a status of its own", "reported", ""},
	{doctor.Labels, "documents of an empty type", "reported", ""},
	{doctor.Labels, "reports another label", "reported", ""},
	{doctor.Labels, "makes a label for each call", "made once", ""},
	{doctor.Labels, "409 for a repeated call", "made once", ""},
	{doctor.Labels, "refuses a repeated call", "made once", ""},
	{doctor.Labels, "500 for several", "several labels", ""},
	{doctor.Labels, "makes the first label alone", "several labels", ""},
	{doctor.Labels, "cancels the first label alone", "several labels", ""},
	{doctor.Labels, "reads the list of generate", "cancel", ""},
	{doctor.Labels, "404 for cancellations", "cancel", ""},
	{doctor.Labels, "a code of its own", "cancel", ""},
	{doctor.Labels, "a reason as a text", "cancel", ""},
	{doctor.Labels, "cancellations as a list", "cancel", ""},
	{doctor.Labels, "cancels once", "cancel again", ""},
	{doctor.Labels, "500 for suspensions", "suspend", ""},
	{doctor.Labels, "500 for an unknown label", "unknown label", ""},
	{doctor.Labels, "any token", "address", ""},
	{doctor.Labels, "generates at any path", "address", ""},
	{doctor.Labels, "500 without a phone", "nulls", ""},
	{doctor.Labels, "500 without an email", "nulls", ""},
	{doctor.Labels, "500 without a street number", "nulls", ""},
	{doctor.Labels, "500 without a size", "no size", ""},
	{doctor.Labels, "500 without a weight", "no size", ""},
	{doctor.Labels, "500 for letters", "letters", ""},
	{doctor.Labels, "one after the other", "fifty labels", ""},
	{doctor.Labels, "shares a variable", "labels at once", ""},
	{doctor.Labels, "202 for malformed", "malformed JSON", ""},
	{doctor.Labels, "500 for another form", "other forms", ""},
	{doctor.Labels, "shows its stack", "nothing leaks", ""},
	{doctor.Labels, "ends at an odd address", "odd addresses", ""},

	{doctor.Rules, "", "", ""},
	{doctor.Rules, "slow", "in time", ""},
	{doctor.Rules, "always 500", "status", ""},
	{doctor.Rules, "priorities as texts", "rules", ""},
	{doctor.Rules, "a place twice", "rules", ""},
	{doctor.Rules, "a place of its own", "rules", ""},
	{doctor.Rules, "places without an order", "rules", ""},
	{doctor.Rules, "ids as numbers", "rules", ""},
	{doctor.Rules, "no code", "rules", ""},
	{doctor.Rules, "a command of its own", "rules", ""},
	{doctor.Rules, "details as a list", "rules", ""},
	{doctor.Rules, "another list", "rules", ""},
	{doctor.Rules, "no rule is null", "rules", ""},
	{doctor.Rules, "an option by its name", "offered options", ""},
	{doctor.Rules, "an option that has gone", "offered options", ""},
	{doctor.Rules, "hides every way to pay", "a way is left", ""},
	{doctor.Rules, "no place at all", "a way is left", ""},
	{doctor.Rules, "blocks each third", "same purchase twice", ""},
	{doctor.Rules, "shares a variable", "purchases at once", ""},
	{doctor.Rules, "blocks what it does not know", "other domain", ""},
	{doctor.Rules, "guests alone", "buyers", ""},
	{doctor.Rules, "an address is there", "no address", ""},
	{doctor.Rules, "counts stock", "stock", ""},
	{doctor.Rules, "categories have parents", "categories", ""},
	{doctor.Rules, "prices without cents", "amounts", ""},
	{doctor.Rules, "knows one currency", "other currency", ""},
	{doctor.Rules, "writes ASCII", "letters", ""},
	{doctor.Rules, "the first product", "no products", ""},
	{doctor.Rules, "a call for each product", "many products", ""},
	{doctor.Rules, "remembers the places", "places", ""},
	{doctor.Rules, "blocks if it fails", "malformed JSON", ""},
}

// only limits TestProofGallery to the partners whose name has a text, for the loop of editing.
var only = flag.String("gallery", "", "`text` in the names of the partners that TestProofGallery examines")

// TestProofGallery has as many platforms and partners at a time as tests run in parallel, because the machine must not
// be what is slow.
func TestProofGallery(t *testing.T) {
	t.Parallel()
	played := tier.Size(part(gallery), gallery, gallery)
	reports := make([]doctor.Report, len(played))
	t.Run("partners", func(t *testing.T) {
		for i, row := range played {
			if !strings.Contains(row.name(), *only) {
				continue
			}
			t.Run(row.name(), func(t *testing.T) {
				t.Parallel()
				o := row.place(t)
				o.Check = tier.Size(row.want, "", "") // the whole finds out that no other check fails
				report, err := doctor.Examine(t.Context(), o)
				must(t, err)
				blames(t, report, row.want)
				reports[i] = report
			})
		}
	})
	for i, row := range played {
		if row.bug == "" {
			proven(t, reports[i], played)
		}
	}
}

// part has the correct partners of a gallery and the first broken one of each check. make test plays it, each broken
// one with its check alone, because the whole takes minutes with the race detector.
func part(of []specimen) (out []specimen) {
	found := map[string]bool{}
	for _, s := range of {
		if s.bug == "" || !found[s.want] {
			out = append(out, s)
		}
		found[s.want] = true
	}
	return out
}

// The part has a partner for each check that the whole has one for, and all kinds of partners.
func TestPartCoversEveryCheck(t *testing.T) {
	t.Parallel()
	covered := func(of []specimen) map[string]int {
		out := map[string]int{}
		for _, s := range of {
			out["check "+s.want]++
			if s.bug == "" {
				out["correct "+s.name()]++
			}
		}
		return out
	}
	whole, some := covered(gallery), covered(part(gallery))
	for what := range whole {
		if some[what] == 0 || strings.HasPrefix(what, "check ") && what != "check " && some[what] > 1 {
			t.Errorf("%s: %d times in the part, want once", what, some[what])
		}
	}
	for _, s := range part(gallery) {
		if !slices.Contains(gallery, s) {
			t.Errorf("%s is not in the gallery", s.name())
		}
	}
}

// proven reports checks that no broken partner fails: they may check nothing.
func proven(t *testing.T, r doctor.Report, played []specimen) {
	t.Helper()
	var known []string
	for _, row := range slices.Concat(played, started) {
		known = append(known, row.want)
	}
	for _, row := range doors() {
		known = append(known, row.want)
	}
	for _, one := range r.Results {
		if !slices.Contains(known, one.Check) && one.Check != "old key" { // TestOldKey
			t.Errorf("%s: no partner of the gallery fails the check %q", r.Kind, one.Check)
		}
	}
}

// allowed are the checks whose finding the standards allow.
var allowed = []string{"keep-alive", "GET", "offered options", "a way is left"}

// blames compares the checks that failed, or that found what is allowed, with the one that must.
func blames(t *testing.T, r doctor.Report, want string) {
	t.Helper()
	var got []string
	for _, f := range append(r.In(doctor.Failed), r.In(doctor.Noted)...) {
		if f.State == doctor.Noted && f.Check == "chunks" {
			continue // the starter in Python answers 411, because the platform sends the length
		}
		got = append(got, f.Check)
		if (f.State == doctor.Noted) != slices.Contains(allowed, f.Check) {
			t.Errorf("%s: %s", f.Check, f.State)
		}
		if f.Check != want {
			t.Errorf("%s: got %s", f.Check, f.Got)
		}
		if f.Sent == "" || f.Got == "" || f.Rule == "" || f.Fix == "" {
			t.Errorf("%s: a finding without words: %+v", f.Check, f)
		}
	}
	if strings.Join(got, ", ") != want {
		t.Errorf("failed: %q, want %q", got, want)
	}
}

// world is a platform with the app installed, and a client of its control API.
type world struct {
	*control.Client
	control  string
	store    int64
	token    string
	platform http.Handler // of the API
	env      []string     // more variables of programs
}

func newWorld(t *testing.T, features ...string) *world {
	t.Helper()
	s := refserver.New(refserver.Options{Clock: new(clock.Ahead), Bucket: 1 << 20, Leak: 1 << 20})
	t.Cleanup(s.Close)
	shop, err := seed.Demo(s, nil)
	must(t, err)
	must(t, s.AddFeatures(shop.Store.ID, features...))
	shop.App.Secret = secret
	shop.App, err = s.AddApp(shop.App)
	must(t, err)
	a := control.New(control.Options{Server: s, Shop: shop})
	t.Cleanup(a.Close)
	w := &world{store: shop.Store.ID, platform: s, token: shop.Install.Token}
	w.control, err = a.Listen("127.0.0.1:0")
	must(t, err)
	w.dial(t, w.control)
	return w
}

// labelsFeature lets apps report labels.
const labelsFeature = "fulfillment_order_label_api"

// api listens for a program, and returns what makes a call of the API as the program does.
func (w *world) api(t *testing.T) func(method, path string, body any) error {
	t.Helper()
	base := fmt.Sprintf("%s/v1/%d", serve(t, w.platform).URL, w.store)
	return func(method, path string, body any) error {
		raw, err := json.Marshal(body)
		if err != nil {
			return err
		}
		out, err := http.NewRequest(method, base+path, bytes.NewReader(raw))
		if err != nil {
			return err
		}
		out.Header = http.Header{"Authentication": {"bearer " + w.token}, "Content-Type": {"application/json"},
			"User-Agent": {"Gallery (gallery@app.example)"}}
		answer, err := http.DefaultClient.Do(out)
		if err != nil {
			return err
		}
		defer answer.Body.Close()
		said, err := io.ReadAll(answer.Body)
		if err == nil && answer.StatusCode >= 400 {
			err = fmt.Errorf("status %d: %s", answer.StatusCode, said)
		}
		return err
	}
}

// dial connects to a control API.
func (w *world) dial(t *testing.T, address string) {
	t.Helper()
	var err error
	w.Client, err = control.Dial(address)
	must(t, err)
	t.Cleanup(w.Close)
}

// payKey is the public key of payment calls: POST draws another one.
func (w *world) payKey(t *testing.T, method string) *rsa.PublicKey {
	t.Helper()
	var key struct {
		PEM string `json:"pem"`
	}
	must(t, w.Call(t.Context(), method, "payments/key", nil, &key))
	block, _ := pem.Decode([]byte(key.PEM))
	parsed, err := x509.ParsePKIXPublicKey(block.Bytes)
	must(t, err)
	return parsed.(*rsa.PublicKey)
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// act makes a call of the API in the name of the app.
func (w *world) act(t *testing.T, method, path string, body any) error {
	record := map[string]any{"method": method, "path": path, "body": body}
	return w.Call(t.Context(), http.MethodPost, "seed", map[string]any{"records": []any{record}}, nil)
}

// place starts a partner and returns the options to examine it with.
func place(t *testing.T, kind doctor.Kind, bug string) doctor.Options {
	t.Helper()
	return placed(t, kind, bug, func(p *partner) http.Handler { return p })
}

// placed starts a partner in a handler.
func placed(t *testing.T, kind doctor.Kind, bug string, in func(*partner) http.Handler) doctor.Options {
	t.Helper()
	if program, ok := programs[kind]; ok {
		o, _ := program(t, bug)
		return o
	}
	p := &partner{kind: kind, bug: bug, attempts: new(attempts)}
	o := doctor.Options{Kind: kind, Secret: secret}
	switch kind {
	case doctor.Discounts:
		w := newWorld(t)
		o.Control, p.store, p.promotions = w.control, fmt.Sprint(w.store), map[string]string{}
		for _, tier := range []string{"line_item", "cross_items"} {
			must(t, w.act(t, http.MethodPost, "/promotions", map[string]any{"name": tier, "allocation_type": tier}))
		}
		must(t, w.Pages(t.Context(), fmt.Sprintf("stores/%d/entities/promotions", w.store), func(raw json.RawMessage) error {
			var made struct{ ID, Name string }
			err := json.Unmarshal(raw, &made)
			p.promotions[made.Name] = made.ID
			return err
		}))
	case doctor.Payments:
		w := newWorld(t)
		o.Control, o.Origin, p.key = w.control, origin, w.payKey(t, http.MethodGet)
		p.api = w.api(t)
		other := &partner{kind: kind, key: p.key, api: p.api, attempts: p.attempts}
		if bug == "has a database in each replica" {
			other.attempts = new(attempts)
		}
		o.Replicas = []string{serve(t, other).URL}
		o.URL = serve(t, in(p)).URL
		return o
	}
	o.URL = serve(t, in(p)).URL + "/calls"
	return o
}

func serve(t *testing.T, h http.Handler) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	if p, ok := h.(*partner); ok && p.has("reads headers as written") {
		s.Listener = asWritten{s.Listener}
	}
	s.Start()
	t.Cleanup(s.Close)
	return s
}

// asWritten is a listener that knows the header of the signature in the spelling of the platform alone.
type asWritten struct{ net.Listener }

func (l asWritten) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	return strict{c}, err
}

type strict struct{ net.Conn }

func (s strict) Read(p []byte) (int, error) {
	n, err := s.Conn.Read(p)
	name := []byte("x-platform-hmac-sha256")
	copy(p[:n], bytes.ReplaceAll(p[:n], name, bytes.Repeat([]byte("n"), len(name))))
	return n, err
}
