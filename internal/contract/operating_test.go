package contract

import (
	"fmt"
	"go/ast"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/discounts"
	checkout "github.com/commerceplatform/commerce-go/discounts/rules"
	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/shipping"
	"github.com/commerceplatform/commerce-go/webhook"
)

// The page for operators has each setting of an inbox: numbers, durations, texts and switches; functions are for
// those who write programs.
func TestOperatorsKnowEverySetting(t *testing.T) {
	page, err := os.ReadFile(root + "/webhook/docs/settings.md")
	if err != nil {
		t.Fatal(err)
	}
	text, settings := string(page), 0
	types := map[string]bool{
		"webhook.Handler": true, "webhook.Worker": true, "webhook.Sweep": true, "webhook/sqlite.Options": true, "webhook/postgres.Options": true,
	}
	for _, s := range allSources(t) {
		ast.Inspect(s.file, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok || !types[s.dir+"."+spec.Name.Name] || s.test() {
				return true
			}
			for _, f := range spec.Type.(*ast.StructType).Fields.List {
				for _, name := range f.Names {
					if !name.IsExported() || !isSetting(f.Type) {
						continue
					}
					settings++
					if !strings.Contains(text, "| `"+name.Name+"` ") {
						t.Errorf("settings.md has no row for %s of %s.%s", name.Name, s.dir, spec.Name.Name)
					}
				}
			}
			return false
		})
	}
	if settings < 20 {
		t.Errorf("found %d settings", settings)
	}
	for row, of := range map[string]any{
		"`Budget`": webhook.DefaultBudget, "`AcceptTime`": webhook.DefaultAcceptTime, "`MaxRuns`": webhook.DefaultMaxRuns,
		"`Concurrency`": webhook.DefaultConcurrency, "`Lease`": webhook.DefaultLease, "`Timeout`": webhook.DefaultTimeout,
		"`Grace`": webhook.DefaultGrace, "`MaxAttempts`": webhook.DefaultMaxAttempts, "`MaxAge`": webhook.DefaultMaxAge, "`Poll`": webhook.DefaultPoll,
		"`Every`": webhook.DefaultEvery, "`Reach`": webhook.DefaultReach, "`Rate`": webhook.DefaultRate,
	} {
		if want := "| " + row + " | " + written(of); !strings.Contains(text, want+" ") {
			t.Errorf("settings.md does not say %q", want)
		}
	}
}

// The numbers of the other pages are those of the programs.
func TestPagesHaveTheNumbersOfPrograms(t *testing.T) {
	transport, most := client.NewTransport(), client.MaxImageBytes>>20
	for number, page := range map[string]string{
		"closed after " + written(transport.IdleConnTimeout):                                                  "client/docs/http.md",
		written(transport.TLSHandshakeTimeout) + ", " + written(transport.ResponseHeaderTimeout) + " |":       "client/docs/http.md",
		fmt.Sprintf("smaller than %d MiB", most):                                                              "client/docs/calling.md",
		fmt.Sprintf("[discounts](../../discounts) | %d ms |", discounts.AnswerTime.Milliseconds()):            "client/docs/callbacks.md",
		fmt.Sprintf("[discounts/rules](../../discounts/rules) | %d ms |", checkout.AnswerTime.Milliseconds()): "client/docs/callbacks.md",
		"[shipping](../../shipping) | " + written(shipping.AnswerTime) + " |":                                 "client/docs/callbacks.md",
		"[payments](../../payments) | " + written(payments.AnswerTime) + " |":                                 "client/docs/callbacks.md",
		fmt.Sprintf("the plans that run at the same time (%d)", discounts.DefaultMaxRuns):                     "client/docs/callbacks.md",
		fmt.Sprintf("`webhook.MaxUnfinished` (%d)", webhook.MaxUnfinished):                                    "webhook/docs/runbook.md",
		"`Ready.Wait`, " + written(webhook.DefaultWait):                                                       "webhook/docs/production.md",
		"`Worker.Grace` (" + written(webhook.DefaultGrace) + ")":                                              "webhook/docs/production.md",
		"The platform waits " + written(webhook.AnswerTime):                                                   "webhook/docs/receiving.md",
		"| time for a handler | " + written(webhook.DefaultBudget) + " | " + written(webhook.DefaultTimeout):  "webhook/docs/receiving.md",
		fmt.Sprintf("attempts | the platform's | %d in", webhook.DefaultMaxAttempts):                          "webhook/docs/receiving.md",
	} {
		if !strings.Contains(strings.Join(strings.Fields(text(t, page)), " "), number) {
			t.Errorf("%s does not say %q", page, number)
		}
	}
}

// external are symptoms that another program reports.
var external = []string{"25006", "database disk image is malformed"}

// A symptom that the runbook quotes is a text of a program or the name of an error.
func TestSymptomsAreTextsOfPrograms(t *testing.T) {
	var all strings.Builder
	for _, s := range allSources(t) {
		if !s.test() && (strings.HasPrefix(s.dir, "webhook") || s.dir == "internal/callback") {
			all.WriteString(text(t, s.dir+"/"+s.name))
		}
	}
	programs, quotes := all.String(), 0
	for _, symptom := range firsts(`(?m)^\| ([^|]+) \| [^|]+ \| [^|]+ \|$`, text(t, "webhook/docs/runbook.md")) {
		for _, quote := range firsts("`([^`]+)`", symptom) {
			_, name, found := strings.Cut(quote, ".Err")                              // of a package
			quote = strings.TrimLeft(strings.TrimPrefix(quote, "Inbox.Accept"), ": ") // a call that the guard names
			if quotes++; !strings.Contains(programs, quote) && !(found && strings.Contains(programs, "Err"+name)) &&
				!slices.Contains(external, quote) {
				t.Errorf("runbook.md has the symptom %q, which no program reports", quote)
			}
		}
	}
	if quotes < 15 {
		t.Errorf("the runbook quotes %d texts", quotes)
	}
}

// isSetting reports whether an operator can choose a value of a type.
func isSetting(typ ast.Expr) bool {
	switch typ := typ.(type) {
	case *ast.Ident:
		return typ.Name != "Inbox" && typ.Name != "Sink" && typ.Name != "Marks" && typ.Name != "Name"
	case *ast.SelectorExpr:
		return typ.Sel.Name == "Duration"
	}
	return false
}

// written is a default as people write it: 2.5 s, 1 min, 48 h.
func written(v any) string {
	d, ok := v.(time.Duration)
	switch {
	case !ok:
		return fmt.Sprint(v)
	case d < time.Minute:
		return fmt.Sprint(d.Seconds(), " s")
	case d < time.Hour:
		return fmt.Sprint(d.Minutes(), " min")
	}
	return fmt.Sprint(d.Hours(), " h")
}
