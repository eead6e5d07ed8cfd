package inboxops_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/webhook"
)

// The commands of the page for operators do what it says, one after another.
func TestOperatorsCommands(t *testing.T) {
	page, err := os.ReadFile("../docs/runbook.md")
	if err != nil {
		t.Fatal(err)
	}
	in := memory(t)
	for n := range 5 {
		e := webhook.Entry{
			Key: fmt.Sprintf(":1234:order/paid:%d",
				7+n), Lane: fmt.Sprint(n), Kind: webhook.KindSignal, Event: "order/paid", StoreID: 1234,
			Body: []byte("{}"), Unhandled: "event without a handler",
		}
		if n > 3 {
			e.Event = "order/created"
		}
		if _, err := in.Accept(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	for n := range 2 {
		e := webhook.Entry{Key: fmt.Sprintf("old %d", n), Lane: "old", Kind: webhook.KindSignal,
			Unhandled: fmt.Sprintf("GET /orders/%d: 404", 1_000_000+n)}
		if n == 0 {
			e.Unhandled = "GET /orders/1: 404"
		}
		if _, err := in.Accept(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	word := regexp.MustCompile(`"[^"]*"|\S+`)
	commands := 0
	for line := range strings.Lines(string(page)) {
		command, comment, _ := strings.Cut(strings.TrimSpace(line), " #")
		command, found := strings.CutPrefix(command, "myapp inbox ")
		if !found {
			continue
		}
		commands++
		var args []string
		for _, arg := range word.FindAllString(command, -1) {
			args = append(args, strings.Trim(arg, `"`))
		}
		want := 0
		if strings.Contains(comment, "exit status 3") {
			want = 3
		}
		if status, stdout, stderr := run(in, args...); status != want || stdout+stderr == "" {
			t.Errorf("%s: status %d, want %d: %s%s", command, status, want, stdout, stderr)
		}
	}
	if s, err := in.Stats(t.Context()); err != nil || commands < 9 || s.Pending != 4 {
		t.Errorf("%d commands, %+v, %v: want 9 or more, and 4 entries replayed", commands, s, err)
	}
}
