package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/doctor"
	"github.com/commerceplatform/commerce-go/internal/tier"
)

// Each program that init writes has at most 80 lines, one of labels 95, one of a payment app 130, and the doctor has no
// finding.
func TestProofStarters(t *testing.T) {
	at := began(t)
	for _, l := range languages[:tier.Size(1, len(languages), len(languages))] {
		for _, kind := range kindsIn(l.suffix) {
			t.Run(l.name+" "+kind, func(t *testing.T) {
				program := strings.Fields(strings.ReplaceAll(l.start, "PHP_CLI_SERVER_WORKERS=8 ", ""))[0]
				if _, err := exec.LookPath(program); err != nil {
					t.Skip(err)
				}
				dir := t.TempDir()
				file := filepath.Join(dir, kind+l.suffix)
				if err := run(t.Context(), []string{"init", l.name, kind, file}, io.Discard, io.Discard); err != nil {
					t.Fatal(err)
				}
				raw, err := os.ReadFile(file)
				most := map[string]int{
					"labels":   95,  // they report each label to the API, also after a restart
					"payments": 130, // they look for what an earlier call has done before they move money
				}[kind]
				most = cmp.Or(most, 80)
				if n := bytes.Count(raw, []byte("\n")); err != nil || n > most {
					t.Errorf("%d lines, %v; want %d or less", n, err, most)
				}
				at.examine(t, dir, l.start, file, kind)
			})
		}
	}
}

// demo is where a server with a demo store listens, and the variables of its app.
type demo struct {
	control string
	env     []string
}

// began starts a server with --partner, to whose address the programs are connected later.
func began(t *testing.T) demo {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	out, w := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- run(ctx, []string{"serve", "--addr", "127.0.0.1:0", "--control", "127.0.0.1:0", "--demo", "--json",
			"--feature", "fulfillment_order_label_api"}, w, io.Discard)
	}()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	var in info
	if err := json.NewDecoder(out).Decode(&in); err != nil {
		t.Fatal(err)
	}
	var printed bytes.Buffer
	if err := run(t.Context(), []string{"env", "--json", "--control", in.ControlURL}, &printed, io.Discard); err != nil {
		t.Fatal(err)
	}
	variables := map[string]string{}
	if err := json.Unmarshal(printed.Bytes(), &variables); err != nil {
		t.Fatal(err)
	}
	d := demo{control: in.ControlURL, env: append(os.Environ(), "PHP_CLI_SERVER_WORKERS=8")}
	for name, value := range variables {
		d.env = append(d.env, name+"="+value)
	}
	return d
}

// open starts a program and returns its address.
func (d demo) open(t *testing.T, dir, start, file, kind string) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address = l.Addr().String()
	_, port, _ := net.SplitHostPort(address)
	l.Close()
	words := strings.Fields(strings.NewReplacer("PHP_CLI_SERVER_WORKERS=8 ", "", "FILE", file, "PORT", port).Replace(start))
	if words[0] == "php" && kind == "discounts" {
		d.start(t, dir, []string{"php", file}).Wait()
	}
	program := d.start(t, dir, words)
	t.Cleanup(func() {
		_ = program.Process.Kill()
		_ = program.Wait()
	})
	for began := time.Now(); ; <-time.After(20 * time.Millisecond) {
		if conn, err := net.Dial("tcp", address); err == nil {
			conn.Close()
			break
		}
		if time.Since(began) > time.Minute {
			t.Fatalf("%q does not listen", words)
		}
	}
	return address
}

// examine starts a program, and has the doctor examine it. How fast it is, the machine decides.
func (d demo) examine(t *testing.T, dir, start, file, kind string) {
	t.Helper()
	address := d.open(t, dir, start, file, kind)
	var out bytes.Buffer
	err := run(t.Context(), []string{"doctor", "--json", "http://" + address, "--as", kind, "--origin", "https://app.example",
		"--control", d.control, "--fail-skipped"}, &out, io.Discard)
	var report doctor.Report
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatalf("%v: %s", err, &out)
	}
	if found := len(report.In(doctor.Failed)) + len(report.In(doctor.Skipped)); errors.Is(err, errFound) != (found > 0) {
		t.Errorf("%v with %d checks that failed or were skipped", err, found)
	}
	for _, f := range report.In(doctor.Failed) {
		if f.Check != "at once" && f.Check != "in time" {
			t.Errorf("%s: %s", f.Check, f.Got)
		}
	}
	if len(report.In(doctor.Passed)) < 15 {
		t.Errorf("only %d checks passed: %+v", len(report.In(doctor.Passed)), report.Results)
	}
}

// A payment app that init writes moves money once: if the platform's answer to it was lost, if a call is repeated, and
// if an attempt is cancelled twice.
func TestProofStartersMoveMoneyOnce(t *testing.T) {
	for _, l := range languages[:tier.Size(1, len(languages), len(languages))] {
		t.Run(l.name, func(t *testing.T) {
			if _, err := exec.LookPath(strings.Fields(strings.ReplaceAll(l.start, "PHP_CLI_SERVER_WORKERS=8 ", ""))[0]); err != nil {
				t.Skip(err)
			}
			at, dir := began(t), t.TempDir()
			file := filepath.Join(dir, "payments"+l.suffix)
			do := func(words ...string) string {
				t.Helper()
				var out bytes.Buffer
				if err := run(t.Context(), append(words, "--control", at.control), &out, &out); err != nil {
					t.Fatalf("%q: %v\n%s", words, err, &out)
				}
				return out.String()
			}
			if err := run(t.Context(), []string{"init", l.name, "payments", file}, io.Discard, io.Discard); err != nil {
				t.Fatal(err)
			}
			to := "http://" + at.open(t, dir, l.start, file, "payments")
			do("do", "partners.set", "--origin", "https://app.example", "--targets", to)
			do("sale", "60.00") // makes a provider
			do("cart", "add")
			order := strings.Trim(strings.Fields(do("buy"))[1], ",")
			do("fault", "POST /orders/{order_id}/transactions", "--reset", "--after", "--count", "1")
			do("pay", "--to", to, order)
			do("pay", "again", "1")
			at.moved(t, order, "sale 15000.00")
			if l.name == "go" { // which has no refunds
				return
			}
			do("refund", "10.00")
			do("pay", "again", "3")
			do("fault", "POST /orders/{order_id}/transactions/{id}/events", "--reset", "--after", "--count", "1")
			do("refund", "20.00")
			do("pay", "again", "5")
			at.moved(t, order, "sale 15000.00", "refund 10.00", "refund 20.00")
			do("cart", "new")
			do("cart", "add")
			order = strings.Trim(strings.Fields(do("buy"))[1], ",")
			attempt := attemptShape.FindStringSubmatch(do("pay", order))[1]
			do("pay", "cancel", attempt)
			do("pay", "cancel", attempt)
			at.moved(t, order, "sale 15000.00", "refund 15000.00")
			do("cart", "new")
			do("cart", "add")
			order = strings.Trim(strings.Fields(do("buy"))[1], ",")
			attempt = attemptShape.FindStringSubmatch(do("pay", order))[1]
			do("refund", "100.00")
			do("pay", "cancel", attempt)
			at.moved(t, order, "sale 15000.00", "refund 100.00", "refund 14900.00") // the rest
		})
	}
}

var attemptShape = regexp.MustCompile(`(?m)^attempt (\S+)$`)

// moved compares the events of the transactions of an order.
func (d demo) moved(t *testing.T, order string, want ...string) {
	t.Helper()
	variable := func(name string) string {
		for _, v := range d.env {
			if value, ok := strings.CutPrefix(v, name+"="); ok {
				return value
			}
		}
		return ""
	}
	path := variable("COMMERCE_BASE_URL") + "/v1/" + variable("COMMERCE_STORE_ID") + "/orders/" + order + "/transactions"
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{"User-Agent": {"Test (a@b.example)"}, "Authorization": {"Bearer " + variable("COMMERCE_TOKEN")}}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var all []struct {
		Events []struct {
			Type   string
			Amount struct{ Value string }
		}
	}
	if err := json.NewDecoder(answer.Body).Decode(&all); err != nil {
		t.Fatal(answer.Status, err)
	}
	var got []string
	for _, tx := range all {
		for _, e := range tx.Events {
			got = append(got, e.Type+" "+e.Amount.Value)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("order %s has %q, want %q", order, got, want)
	}
}

// start starts a program.
func (d demo) start(t *testing.T, dir string, words []string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), words[0], words[1:]...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, d.env, time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// A file that exists is kept, and what there is no program for is named.
func TestInitRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "app.py")
	if err := os.WriteFile(file, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"python webhooks " + file: "file exists",
		"pyhton webhooks":         "the nearest is python",
		"ruby webhooks":           "must be one of node, python, php, go",
		"go carrier":              "must be one of payments, webhooks",
		"node webhook":            "the nearest is webhooks",
		"node":                    "KIND is missing",
	} {
		err := run(t.Context(), append([]string{"init"}, strings.Fields(args)...), io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("init %s: got %v, want %q", args, err, want)
		}
	}
	if raw, err := os.ReadFile(file); err != nil || string(raw) != "mine" {
		t.Errorf("%q, %v", raw, err)
	}
}

// The programs that init writes for discounts register with the token that --start gives them. They pass the scenarios
// of their part, and the others are skipped, with one report in each language.
func TestProofStartersPlay(t *testing.T) {
	reports := map[string]string{}
	for _, l := range languages[:tier.Size(2, len(languages), len(languages))] {
		if words := strings.Fields(l.start); !slices.Contains(kindsIn(l.suffix), "discounts") || words[0] != "node" && words[0] != "python3" {
			continue // php registers by another command
		} else if _, err := exec.LookPath(words[0]); err != nil {
			continue
		}
		file := filepath.Join(t.TempDir(), "discounts"+l.suffix)
		if err := run(t.Context(), []string{"init", l.name, "discounts", file}, io.Discard, io.Discard); err != nil {
			t.Fatal(err)
		}
		start := strings.NewReplacer("FILE", "'"+file+"'", "PORT", "$PORT").Replace(l.start)
		var out, problems bytes.Buffer
		err := run(t.Context(), []string{"test", "--addr", "127.0.0.1:0", "--start", start}, &out, &problems)
		if err != nil || !strings.Contains(out.String(), "ok    discount: 9 steps\n") {
			t.Errorf("%s: %v\n%s%s", l.name, err, &out, &problems)
		}
		reports[out.String()] = l.name
	}
	if len(reports) == 0 {
		t.Skip("neither node nor python3 is here")
	}
	if len(reports) > 1 {
		t.Errorf("reports differ: %q", reports)
	}
}
