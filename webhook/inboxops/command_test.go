package inboxops_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
	"github.com/commerceplatform/commerce-go/webhook/inboxops"
)

func filled(t *testing.T) *inboxmem.Inbox {
	t.Helper()
	in := memory(t)
	for n := range 6 {
		e := webhook.Entry{Key: fmt.Sprintf(":1:order %d", n), Lane: fmt.Sprint(n), Kind: webhook.KindSignal,
			Event: "order/paid", StoreID: 1, Body: []byte(`{"marker":1}`)}
		if n > 0 {
			e.Unhandled = fmt.Sprintf("GET /orders/%d: 503", 100_000+n)
		}
		e.Protected = n == 5
		if _, err := in.Accept(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	return in
}

func run(in webhook.Inbox, args ...string) (status int, stdout, stderr string) {
	var out, problems bytes.Buffer
	status = inboxops.Main(context.Background(), in, args, &out, &problems)
	return status, out.String(), problems.String()
}

func TestCommandArguments(t *testing.T) {
	in := filled(t)
	for args, want := range map[string]string{
		"":                                     "0 usage: inbox COMMAND",
		"--help":                               "0 usage: inbox COMMAND",
		"help":                                 "0 usage: inbox COMMAND",
		"dead --help":                          "0 usage: inbox COMMAND",
		"burn":                                 `2 unknown command "burn"`,
		"stats now":                            `2 argument "now"`,
		"dead --colour":                        "2 not defined: -colour",
		"list --state odd":                     `2 state "odd": must be one of`,
		"dead --state due":                     "2 --state must be used with list only",
		"list --limit -1":                      "2 must be 0 or more",
		"list --yes 1":                         "2 must be used with replay or purge only",
		"show":                                 "2 0 keys: must be one",
		"show none":                            "1 no such entry",
		"purge":                                "2 no entry is selected",
		"purge --yes 4":                        "2 no entry is selected",
		"purge --all a":                        "2 both keys and selecting flags",
		"purge a --all":                        "2 flags come before keys",
		"replay --state due":                   "2 must be dead or missing",
		"replay --store x":                     `2 store "x": must be a number`,
		"replay none":                          "1 no such entry",
		"purge --all":                          "3 4 entries match: repeat the command with --yes 4 to purge them",
		"replay --all --yes 4":                 "3 5 entries match: repeat the command with --yes 5 to replay them",
		"purge --cause 404":                    "0 0 entries purged",
		"purge --cause 404 --yes 9":            "3 no entry matches",
		"dead --limit 1 --json --older 0s":     `0 "next":"r::1:order 1"`,
		"stats":                                "0 Oldest privacy request",
		"groups":                               "0 dead   order/paid  4        1",
		"list --state pending --store 1":       "0 :1:order 0",
		"list --event (unknown)":               "0 STATE",
		"show --body --json nothing \x1b[31mX": "2 2 keys",
	} {
		status, stdout, stderr := run(in, strings.Fields(args)...)
		code, text, _ := strings.Cut(want, " ")
		if fmt.Sprint(status) != code || !strings.Contains(stdout+stderr, text) || strings.Contains(stderr, "\x1b") {
			t.Errorf("%s: status %d, want %s\n%s%s", args, status, want, stdout, stderr)
		}
		if (status == 0) != (stderr == "") {
			t.Errorf("%s: status %d with %q on stderr", args, status, stderr)
		}
	}
	if s, err := in.Stats(t.Context()); err != nil || s.Dead != 5 || s.Pending != 1 {
		t.Errorf("stats %+v, %v: want nothing changed", s, err)
	}
}

func TestCommandActs(t *testing.T) {
	in := filled(t)
	if status, out, _ := run(in, "show", "--body", ":1:order 1"); status != 0 || !strings.Contains(out, "marker") ||
		!strings.Contains(out, "GET /orders/100001: 503") {
		t.Errorf("status %d: %s", status, out)
	}
	if status, out, _ := run(in, "show", "--body", "--json", ":1:order 5"); status != 0 ||
		strings.Contains(out, "marker") || !strings.Contains(out, `"protected":true`) {
		t.Errorf("status %d, want no body of a privacy request: %s", status, out)
	}
	if status, out, problems := run(in, "replay", ":1:order 1", "none", ":1:order 0", ":1:order 2"); status != 1 ||
		out != "2 entries replayed\n" ||
		!strings.Contains(problems, "no such entry") || !strings.Contains(problems, "not dead") {
		t.Errorf("status %d: %s%s", status, out, problems)
	}
	if status, out, _ := run(in, "purge", "--cause", "GET /orders/7654321: 503", "--yes", "2", "--json"); status != 0 ||
		out != "{\"done\":2}\n" {
		t.Errorf("status %d: %s", status, out)
	}
	if status, out, _ := run(in, "purge", ":1:order 5"); status != 0 || out != "1 entry purged\n" {
		t.Errorf("status %d, want a privacy request purged by its key: %s", status, out)
	}
	var s struct{ Pending, Dead int }
	if status, out, _ := run(in, "stats", "--json"); status != 0 || json.Unmarshal([]byte(out), &s) != nil ||
		s.Pending != 3 || s.Dead != 0 {
		t.Errorf("status %d: %s", status, out)
	}
}

func TestCommandFailures(t *testing.T) {
	in := &fake{inboxes: memory(t), err: errors.New("connection\x1b refused")}
	for _, name := range []string{"stats", "list"} {
		if status, out, problems := run(in, name); status != 1 || out != "" ||
			problems != "inbox: connection\\x1b refused\n" {
			t.Errorf("%s: status %d: %q %q", name, status, out, problems)
		}
	}
	if status, _, problems := run(struct{ webhook.Inbox }{in}, "stats"); status != 1 ||
		!strings.Contains(problems, "must implement") {
		t.Errorf("status %d: %s", status, problems)
	}
	if status, _, problems := run(nil, "stats"); status != 1 || !strings.Contains(problems, "no Inbox") {
		t.Errorf("status %d: %s", status, problems)
	}
}
