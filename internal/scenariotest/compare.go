package scenariotest

import (
	"cmp"
	"crypto/rsa"
	"errors"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/internal/proctest"
)

// Case is an app, and the scenarios that it must pass.
type Case struct {
	App App
	// Origin is where the platform calls the app. Empty means proctest.Origin.
	Origin string
	// Scenarios has the addresses and the variables.
	Scenarios clienttest.Scenarios
	// Passed are the scenarios that the app passes, in order, separated by spaces, and Failed the scenarios that it
	// fails. All others must be skipped.
	Passed, Failed string
}

// Compare fails the test if the reports of clienttest.Play and of "refserver test" differ in more than generated ids,
// or are not the expected one.
func Compare(t *testing.T, c Case) {
	t.Helper()
	c.Origin = cmp.Or(c.Origin, proctest.Origin)
	inGo, byCommand := c.play(t), c.command(t)
	if generated.ReplaceAllString(inGo, "ID") != generated.ReplaceAllString(byCommand, "ID") {
		t.Errorf("the reports differ; clienttest.Play:\n%s\nrefserver test:\n%s", inGo, byCommand)
	}
	for prefix, want := range map[string]string{"ok    ": c.Passed, "FAIL  ": c.Failed} {
		var got []string
		for line := range strings.Lines(inGo) {
			if rest, found := strings.CutPrefix(line, prefix); found {
				name, _, _ := strings.Cut(rest, ":")
				got = append(got, name)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: got %q, want %q; the report:\n%s", strings.TrimSpace(prefix), got, want, inGo)
		}
	}
}

// generated are UUIDs, and ids of records.
var generated = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b1\d{6}\b`)

// play runs the scenarios in this process.
func (c Case) play(t *testing.T) string {
	t.Helper()
	r := &Report{Test: t}
	clienttest.Play(r, c.Scenarios, func(s *clienttest.Server) map[string]http.Handler {
		key, err := s.PaymentKey()
		token, notInstalled := s.Install()
		if err := errors.Join(err, notInstalled); err != nil {
			t.Fatal(err)
		}
		known := s.App()
		h, err := c.App(t.Context(), Platform{
			Client: s.Client(), URL: s.URL(), AuthURL: known.AuthURL, AppID: known.ID, StoreID: s.StoreID(),
			Secret: known.Secret, Token: token, PaymentKeys: []*rsa.PublicKey{key},
		})
		if err != nil {
			t.Fatal(err)
		}
		return map[string]http.Handler{c.Origin: h}
	})
	return r.All.String()
}

// command runs the scenarios by the command, which starts this test binary as the app.
func (c Case) command(t *testing.T) string {
	t.Helper()
	args := []string{
		"--start", proctest.Variable + "=" + Role + " '" + os.Args[0] + "'", "--partner", c.Origin + "=http://127.0.0.1:0",
		"--redirect-url", c.Scenarios.RedirectURL, "--begin", c.Scenarios.Begin, "--protection", c.Scenarios.Protection,
	}
	for name, value := range c.Scenarios.Set {
		args = append(args, "--set", name+"="+value)
	}
	report, passed := proctest.Scenarios(t, append(args, c.Scenarios.Names...)...)
	if passed != (c.Failed == "") {
		t.Errorf("refserver test says by its status that the app passes: %v", passed)
	}
	return report
}
