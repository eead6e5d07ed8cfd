package control

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite api.md")

// preface is what is true of every call.
const preface = `# Control API

This page is generated from the table in acts.go by "go test ./internal/refserver/control -update".

"go run ./internal/cmd/refserver serve --demo --control 127.0.0.1:0 --json" prints control_url. The paths below follow
the origin of that address. Bodies are JSON with "Content-Type: application/json", of at most 1 MiB. Times are RFC 3339,
durations are texts such as "48h", and amounts are texts such as "12.50".

"refserver do ACT" makes the same call: the table has the name of each act, except of the streams. "refserver do ACT
--help" lists all members of a body, and [Settings](#settings) explains the members that change the behaviour of the
platform. A partner is a program of an app that the platform calls. The kinds of entries for /series are webhooks,
carts, rates, rules, labels, payments, requests, acts (calls of this API that may change something) and clocks (calls
that move the clock). /series, /log and /registrations accept a kind in the singular and in the plural.

Lists have the parameters limit (1 to 200, by default 50), order (oldest or newest first, by default oldest, and newest
for /log) and after (the member next of the previous page). A call looks at no more than 12,000 records, and at no more
than 5,000 of a list with the parameter filter. The page may then be short or empty and still have a next page. /log
searches all entries that the server has kept.

An error is {"error": …, "hint": …}, with field, value and rule if it concerns one member. The ids in the examples are
those of records of another server.

| Call | Act | What it does |
|---|---|---|
`

// settings explains the members that change the behaviour of the platform, and the answers about a cart.
const settings = `
## Settings

Without these members the platform does what the contract says.

| Call | Member | Meaning |
|---|---|---|
| /rule-settings | keep | the options in an answer are kept and all others are hidden. By default the options in an answer are hidden. The contract allows both readings |
| /rule-settings | fewest_places | the merchant ships from as few locations as possible: a location that has everything comes first, whatever an app answers |
| /rule-settings | timeout | how long an app may take; 0s means 800 ms |
| /shipping-rules | require_reference | rates without a reference are hidden |
| /shipping-rules | refusals_succeed | an answer 4xx is a success for the circuit of the carrier. By default it does not count |
| /shipping-rules | plain_cost | additional_cost of an option is sent as a number, not as an object of amount and currency |
| /shipping-rules | no_carrier | requests have no member carrier |
| /storefront | late_removes | an answer after more than 800 ms removes all discounts. By default the cart is unchanged. The contract has both |
| /storefront | seed | determines the order in which the commands of an answer are executed |
| /storefront | signed | carts have the announced signature, whose form is assumed and which the platform does not send yet |
| /storefront | source | the IP address from which an app in the process of the server receives carts |
| /storefront | loose_forms | carts have the rarer of two documented forms: installments as text, missing properties as [], no promotions as {} |
| /storefront | stragglers | the number of carts that are still sent to an app after it was uninstalled |
| all three | delay | is added to the time of each answer, as by a slow network |

In the answer to a change of a cart, runs has the carts that were sent to apps. vanished has the lines, discounts and
coupons that are gone after the change, and why.
`

// documentation makes the page about the calls.
func documentation() string {
	var b strings.Builder
	b.WriteString(preface)
	for _, r := range routes() {
		name := r.name
		if strings.HasPrefix(r.takes, "stream") {
			name = ""
		}
		fmt.Fprintf(&b, "| `%s %s%s` | %s | %s |\n", r.method, Prefix, r.path, name, r.does)
	}
	b.WriteString(settings)
	b.WriteString("\n## Examples\n")
	for _, r := range routes() {
		fmt.Fprintf(&b, "\n### %s %s%s\n\n", r.method, Prefix, r.path)
		if names := r.parameters(); len(names) > 0 {
			fmt.Fprintf(&b, "Parameters: `%s`.\n\n", strings.Join(names, "`, `"))
		}
		if r.body != "" {
			fmt.Fprintf(&b, "Body:\n\n    %s\n\n", r.body)
		}
		fmt.Fprintf(&b, "Answer:\n\n    %s\n", strings.ReplaceAll(r.answer, "\n", "\n    "))
	}
	return b.String()
}

// The mux, the list that the API answers and the page have the same calls, which are those of the table.
func TestTable(t *testing.T) {
	d := open(t)
	if *update {
		if err := os.WriteFile("api.md", []byte(documentation()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	page, err := os.ReadFile("api.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(page) != documentation() {
		t.Error("api.md is not that of the table: go test ./internal/refserver/control -update")
	}
	_, answer := d.call("GET", "", "")
	listed, _ := get(answer, "calls").([]any)
	if len(listed) != len(routes()) {
		t.Errorf("GET / lists %d calls, the table has %d", len(listed), len(routes()))
	}
	for i, r := range routes() {
		path := r.path
		path = regexp.MustCompile(`\{\w+\}`).ReplaceAllString(path, "7")
		if _, pattern := d.mux.Handler(local(r.method, path, "")); pattern != r.pattern() {
			t.Errorf("the mux has %q for %s %s, want %q", pattern, r.method, path, r.pattern())
		}
		for name, want := range map[string]string{"method": r.method, "path": Prefix + r.path, "does": r.does} {
			if i < len(listed) && get(listed[i], name) != want {
				t.Errorf("GET / lists %v, want %s %s", listed[i], r.method, r.path)
			}
		}
		if r.does == "" || r.answer == "" || (r.body != "") != (r.do.body != nil) {
			t.Errorf("%s %s: want a text, an answer and, if the call takes one, a body", r.method, r.path)
		}
		if r.body != "" {
			if err := decode([]byte(r.body), r.do.body()); err != nil {
				t.Errorf("%s %s: the example of a body: %v", r.method, r.path, err)
			}
		}
		if r.method == http.MethodGet && r.body != "" {
			t.Errorf("GET %s takes a body", r.path)
		}
	}
}

// compare reports members of the example in the table that the answer does not have, or has in another kind.
func (w *watched) compare(r *http.Request, answer any) {
	w.Helper()
	_, pattern := w.mux.Handler(r)
	for _, row := range routes() {
		if row.pattern() != pattern {
			continue
		}
		var example any
		if err := json.Unmarshal([]byte(row.answer), &example); err != nil {
			w.Errorf("%s: the answer in the table is not JSON: %v", pattern, err)
		}
		if path := lacks(example, answer, "answer"); path != "" {
			w.Errorf("%s: the table has %s, the answer does not, or has another kind", pattern, path)
		}
	}
}

// lacks is a path in the example that the answer does not have. null, and an empty array, match anything.
func lacks(example, answer any, path string) string {
	switch e := example.(type) {
	case nil:
		return ""
	case map[string]any:
		a, ok := answer.(map[string]any)
		if !ok {
			return path
		}
		for name, value := range e {
			got, ok := a[name]
			if !ok {
				return path + "." + name
			}
			if at := lacks(value, got, path+"."+name); at != "" {
				return at
			}
		}
		return ""
	case []any:
		a, ok := answer.([]any)
		if !ok {
			return path
		}
		if len(e) > 0 && len(a) > 0 {
			return lacks(e[0], a[0], path+"[0]")
		}
		return ""
	case float64:
		if _, ok := answer.(json.Number); !ok {
			return path
		}
		return ""
	}
	if answer != nil && fmt.Sprintf("%T", example) != fmt.Sprintf("%T", answer) {
		return path
	}
	return ""
}
