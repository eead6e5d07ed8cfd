package clienttest

import (
	"io/fs"
	"net/http"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/refserver/scenario"
)

// Play runs the scenarios of the files *.json against an app, each on a platform of its own. Nil files are the
// scenarios that ship. The function app returns the handlers of the app by https origin. The app is installed at
// https://app.example/oauth/callback. A failed step fails the test, with the text of the command "refserver test". A scenario
// that requires a part that the app has not registered when it was installed is logged as skipped.
//
// The platform listens on an address of this machine. Its clock begins at the time of the machine, and only steps of
// the scenario move it.
func Play(t testing.TB, files fs.FS, app func(*Server) map[string]http.Handler) {
	t.Helper()
	if files == nil {
		files = scenario.Files()
	}
	all, err := scenario.Read(files)
	if err == nil && len(all) == 0 {
		err = fs.ErrNotExist
	}
	if err != nil {
		t.Errorf("clienttest: scenarios: %v", err)
	}
	for _, one := range all {
		r, err := play(t, one, app)
		var text strings.Builder
		_ = r.Write(&text) // to memory
		switch {
		case err != nil:
			t.Errorf("clienttest: %s: %v", one.Name, err)
		case r.Failed != "":
			t.Errorf("%s", text.String())
		default:
			t.Logf("%s", text.String())
		}
	}
}

func play(t testing.TB, one scenario.Scenario, app func(*Server) map[string]http.Handler) (scenario.Result, error) {
	t.Helper()
	p, err := scenario.Start(scenario.Options{})
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
	return p.Run(t.Context(), one, nil), nil
}
