package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/proctest"
)

// tested runs scenarios by the command against a program.
func tested(t *testing.T, app *proctest.App, args ...string) (string, error) {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := free.Addr().String()
	free.Close()
	app.Base, app.Secret, app.ID, app.Transport = "http://"+addr, "s3cret", 2001, new(http.Transport)
	if app.Parts == nil {
		app.Parts = []string{"webhooks", "discounts", "carrier", "payments"}
	}
	program := httptest.NewServer(app)
	t.Cleanup(program.Close)
	t.Cleanup(app.Transport.(*http.Transport).CloseIdleConnections)
	var out, problems bytes.Buffer
	args = append([]string{"test", "--addr", addr, "--secret", app.Secret, "--partner", program.URL}, args...)
	err = run(t.Context(), args, &out, &problems)
	return out.String(), err
}

// The command passes a correct program in every scenario that ships, and writes JUnit.
func TestTest(t *testing.T) {
	file := filepath.Join(t.TempDir(), "junit.xml")
	out, err := tested(t, new(proctest.App), "--junit", file)
	if err != nil || strings.Contains(out, "FAIL") || strings.Contains(out, "skip") {
		t.Errorf("%v\n%s", err, out)
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var suite struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
	}
	if err := xml.Unmarshal(raw, &suite); err != nil || suite.Tests != strings.Count(out, "\n") || suite.Failures != 0 {
		t.Errorf("%v: %s", err, raw)
	}
}

// The command reports a failed step in the words of clienttest.Play, whose test has the same file.
func TestTestReports(t *testing.T) {
	out, err := tested(t, &proctest.App{Defect: "never removes a discount"}, "discount")
	if !errors.Is(err, errFound) {
		t.Errorf("got %v, want status 1", err)
	}
	want, err := os.ReadFile("../../refserver/scenario/testdata/discount.txt")
	if err != nil || out != string(want) {
		t.Errorf("%v: got\n%s\nwant\n%s", err, out, want)
	}
}

// Without names, scenarios of parts that the program lacks are skipped. One that is named must run.
func TestTestSkips(t *testing.T) {
	out, err := tested(t, &proctest.App{Parts: []string{"webhooks"}})
	if err != nil || !strings.Contains(out, "skip  rates: the app has no carrier") {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err = tested(t, &proctest.App{Parts: []string{"webhooks"}}, "rates"); !errors.Is(err, errFound) {
		t.Errorf("got %v, want status 1\n%s", err, out)
	}
}

// Files with a program of their own run in parallel, each on a free port, with the variables of the command line.
func TestTestFiles(t *testing.T) {
	program := httptest.NewServer(&proctest.App{Secret: "s3cret"})
	t.Cleanup(program.Close)
	args := []string{"test", "--addr", "127.0.0.1:0", "--secret", "s3cret", "--set", "price=12.50"}
	for _, name := range []string{"one", "two"} {
		file := filepath.Join(t.TempDir(), name+".json")
		text := `{"partners": {"https://app.example": "` + program.URL + `"}, "vars": {"price": "1.00"}, "steps": [
			{"act": "call", "with": {"call": "POST /webhooks",
				"body": {"event": "product/created", "url": "https://app.example/hooks"}}},
			{"act": "call", "as": "made", "with": {"call": "POST /products",
				"body": {"name": {"en": "` + name + `"}, "variants": [{"price": "${price}"}]}}},
			{"act": "entities", "with": {"resource": "variants", "order": "newest"}, "expect": {"items.0.price": "12.5"}},
			{"act": "deliveries", "expect": {"items.*.state": "delivered", "items.0.body.id": "${made.answer.id}"}}]}`
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, file)
	}
	var out bytes.Buffer
	if err := run(t.Context(), args, &out, new(bytes.Buffer)); err != nil || out.String() != "ok    one: 4 steps\nok    two: 4 steps\n" {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// A wrong command line has status 2 and names what is nearest.
func TestTestUsage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "own.json")
	for text, want := range map[string]string{
		`{"steps":[{"act":"carts.ad"}]}`:                                 `own.json: step 1: act "carts.ad" does not exist; the nearest is carts.add`,
		`{"steps":[{"act":"carts.add","with":{"cart":1,"quantiti":1}}]}`: `the nearest is quantity`,
		`{"steps":[{"act":"carts.show"}]}`:                               "carts.show: cart is missing",
		`{"steps":[{"act":"info","expekt":{}}]}`:                         `member "expekt" does not exist; the nearest is expect`,
		`{"steps":[{"act":"info","expect":{"app_id":{"min":1}}}]}`:       `condition "min" does not exist`,
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		err := run(t.Context(), []string{"test", file}, new(bytes.Buffer), new(bytes.Buffer))
		if _, usage := errors.AsType[*usageError](err); !usage || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
	err := run(t.Context(), []string{"test", "instal"}, new(bytes.Buffer), new(bytes.Buffer))
	if err == nil || !strings.Contains(err.Error(), "the nearest is install") {
		t.Errorf("got %v", err)
	}
}
