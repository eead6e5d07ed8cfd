package contract

import (
	"fmt"
	"go/doc"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// skillFile is what coding agents read first about this module.
const skillFile = ".agents/skills/commerce-go/SKILL.md"

// skillTasks are the tasks of an app, each with the symbol to call first and the program that shows it.
var skillTasks = []struct{ task, first, program string }{
	{"Get a token: install the app in a store", "oauth.Handler", "examples/quickstart"},
	{"Call the API of one store", "client.New", "examples/callsites"},
	{"Call the API of many stores", "client.Stores", "examples/flagship"},
	{"Page through a list", "client.List", "examples/callsites"},
	{"Create a record once, after crashes too", "client.Once", "examples/callsites"},
	{"Keep a copy of the records of a store", "client.Copy", "examples/catalogsync"},
	{"Receive webhooks", "webhook.Handler", "examples/receiver"},
	{"Store webhooks before they are handled", "webhook.Worker", "examples/receiver"},
	{"Answer privacy requests", "webhook.OnStore", "examples/flagship"},
	{"Discount carts", "discounts.Handler", "examples/discountapp"},
	{"Hide options of the checkout, or block a purchase", "rules.Handler", "examples/callsites"},
	{"Return shipping rates", "shipping.Handler", "examples/carrier"},
	{"Report chargebacks", "disputes.Service", "examples/chargebacks"},
	{"Take payments", "payments.Cashier", "examples/paymentapp"},
	{"Build a complete app for many stores", "multistore.New", "examples/flagship"},
	{"Export traces and metrics", "otelcommerce.Telemetry", "examples/flagship"},
	{"Test any of these", "clienttest.New", "examples/callsites"},
}

const skillRules = `1. Choose the version of the API by its package: ` + "`v202503.Products(c)`" + `. A method that the version lacks does not compile.
2. Pass the context of the request. Its deadline ends calls, waits and retries.
3. Never send a create again after ` + "`client.ErrOutcomeUnknown`" + `. Call ` + "`CreateOrGet`, `Ensure` or `client.Once`" + `.
4. Use ` + "`client.Money` for amounts and `client.ID` for ids" + `. Never convert either to float64.
5. Branch with ` + "`errors.Is` and the sentinels; read fields from `*client.Error`" + `. Do not compare texts.
6. Hold secrets in ` + "`client.Secret`" + `. Never log them or write them into errors.
7. Read lists with ` + "`All`, `Ahead`, `Since` or `Crawl`" + `. Do not build the addresses of pages.
8. Mount handlers as plain ` + "`http.Handler`" + ` values, and call their ` + "`Check`" + ` when the process starts.
9. Return nil from a webhook handler only after its effect is durable. Key the effect by its record.
10. Test with ` + "`clienttest.New(t)`" + `, its faults and its clock. Do not mock HTTP.
`

const skillCommands = `Install the reference server, which is the platform on your machine:
` + "`go install github.com/commerceplatform/commerce-go/internal/cmd/refserver@latest`" + `.

| Command | Result |
|---|---|
| ` + "`refserver help`" + ` | List the commands |
| ` + "`refserver serve --demo --control 127.0.0.1:8082`" + ` | Run the platform, with a store and an installed app, for the commands below |
| ` + "`refserver doctor URL --as webhooks`" + ` | Examine an endpoint of an app |
| ` + "`refserver mcp`" + ` | Serve the platform and its contract as tools of the Model Context Protocol |
`

// The skill is made of the documentation of the packages and the names of the examples. Run this test with -update
// after one of them has changed.
func TestSkillIsCurrent(t *testing.T) {
	want, file := skill(t), filepath.Join(root, skillFile)
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got := text(t, skillFile); got != want {
		t.Errorf("%s is stale: run this test with -update", skillFile)
	}
}

func skill(t *testing.T) string {
	t.Helper()
	packages, exported := map[string]string{}, map[string]bool{}
	for _, s := range allSources(t) {
		if s.test() || !public(s.dir) {
			continue
		}
		if s.name == "doc.go" {
			packages[s.dir] = s.file.Doc.Text()
		}
		for _, sym := range symbols(s.file) {
			exported[s.file.Name.Name+"."+sym.name] = true
		}
	}
	var b strings.Builder
	b.WriteString(`---
name: commerce-go
description: Write Go programs for a multi-store commerce platform with commerce-go. Use it for API calls, webhooks, discounts, business rules, shipping rates, disputes, payments and tests without a network.
---

# commerce-go

Run ` + "`go doc PACKAGE`" + ` before you use a package. Its first block of code shows the first call.

## First call of each task

The programs are in the repository, https://github.com/commerceplatform/commerce-go.

| Task | First call | Program to copy |
|---|---|---|
`)
	for _, task := range skillTasks {
		if !exported[task.first] {
			t.Errorf("the skill names %s, which is not exported", task.first)
		}
		if _, err := os.Stat(filepath.Join(root, task.program)); err != nil {
			t.Error(err)
		}
		fmt.Fprintf(&b, "| %s | `%s` | `%s` |\n", task.task, task.first, task.program)
	}
	b.WriteString("\n## Rules\n\n" + skillRules + "\n## Commands\n\n" + skillCommands)
	b.WriteString("\n## Packages\n")
	for _, dir := range slices.Sorted(maps.Keys(packages)) {
		fmt.Fprintf(&b, "\n### %s\n\n%s\n", dir, new(doc.Package).Synopsis(packages[dir]))
		if first := firstCode(packages[dir]); first != "" {
			fmt.Fprintf(&b, "\n```go\n%s```\n", first)
		}
	}
	if len(packages) < 25 {
		t.Errorf("%d packages", len(packages))
	}
	return b.String()
}

// firstCode returns the first indented block of a package's documentation, without a shell command or a table.
func firstCode(comment string) string {
	for block := range strings.SplitSeq(regexp.MustCompile(`\n(\n\t)`).ReplaceAllString(comment, "\n\x00$1"), "\x00") {
		var code strings.Builder
		for line := range strings.Lines(strings.TrimLeft(block, "\n")) {
			if rest, ok := strings.CutPrefix(line, "\t"); ok {
				code.WriteString(rest)
			} else if code.Len() > 0 {
				break
			}
		}
		if got := code.String(); strings.Contains(got, ":=") || strings.Contains(got, " = ") || strings.Contains(got, "func ") {
			return got
		}
	}
	return ""
}
