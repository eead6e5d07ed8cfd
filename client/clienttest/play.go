package clienttest

import (
	"io/fs"
	"net/http"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/refserver/scenario"
)

// Scenarios are scenarios that Play runs. The zero value has the scenarios that ship.
type Scenarios struct {
	// Files has the scenarios as *.json. Nil has the scenarios that ship.
	Files fs.FS
	// Names are the files that are played, without ".json". A scenario that is named must not be skipped. Empty plays
	// all.
	Names []string
	// Set replaces variables of the scenarios.
	Set map[string]string
	// RedirectURL is where installations of the app end. Empty means https://app.example/oauth/callback.
	RedirectURL string
	// Begin is the address of the app at which a merchant begins an installation, as at that of an oauth.Handler. Empty
	// means that installations begin at the platform.
	Begin string
	// Protection is the address below which privacy requests arrive. The name of the event follows it, as with
	// webhook.Handler.Mount. Empty means the addresses of the demo app.
	Protection string
}

// Play runs scenarios against an app, each on a platform of its own. The function app returns the app's handlers by
// https origin. A failed step fails the test, with the text of the command "refserver test". A scenario that requires a
// part that the app has not registered when it was installed is logged as skipped. Requests come from 127.0.0.1, as
// for a program.
//
// The platform listens on an address of this machine. Its clock begins at the time of the machine, and only steps of
// the scenario move it.
func Play(t testing.TB, of Scenarios, app func(*Server) map[string]http.Handler) {
	t.Helper()
	files := of.Files
	if files == nil {
		files = scenario.Files()
	}
	all, err := scenario.Read(files)
	if err == nil {
		all, err = scenario.Named(all, of.Names)
	}
	if err != nil {
		t.Errorf("clienttest: scenarios: %v", err)
		return
	}
	for _, one := range all {
		r, err := of.play(t, one, app)
		var text strings.Builder
		_ = r.Write(&text) // to memory
		switch {
		case err != nil:
			t.Errorf("clienttest: %s: %v", one.Name, err)
		case r.Failed != "", r.Skipped != "" && len(of.Names) > 0:
			t.Errorf("%s", text.String())
		default:
			t.Logf("%s", text.String())
		}
	}
}

func (of Scenarios) play(t testing.TB, one scenario.Scenario, app func(*Server) map[string]http.Handler) (scenario.Result, error) {
	t.Helper()
	p, err := scenario.Start(scenario.Options{RedirectURL: of.RedirectURL, Begin: of.Begin, Protection: of.Protection})
	if err != nil {
		return scenario.Result{}, err
	}
	defer p.Close()
	s := &Server{
		platform: p.Server, clock: &Clock{p.Clock}, place: &place{base: p.Base}, app: p.Shop.App, store: p.Shop.Store.ID,
		token: client.Secret(p.Shop.Install.Token),
	}
	if err := p.Mount(app(s)); err != nil {
		return scenario.Result{}, err
	}
	return p.Run(t.Context(), one, of.Set), nil
}
