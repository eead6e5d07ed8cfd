package main

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/internal/proctest"
)

// The platform finds nothing wrong with a process of the app.
func TestDoctor(t *testing.T) {
	t.Setenv(proctest.Program, "1")
	platform := clienttest.New(t)
	token, err := platform.Install()
	if err := errors.Join(err, platform.Listen("127.0.0.1:0")); err != nil {
		t.Fatal(err)
	}
	for _, e := range names {
		in := client.WebhookInput{Event: e.Name, URL: public + "/hooks"}
		if _, err := v202503.Webhooks(platform.Client()).Create(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	o := options{
		baseURL: platform.URL(), storeID: int64(platform.StoreID()), database: filepath.Join(t.TempDir(), "mirror.db"),
		token: token, secret: platform.App().Secret,
	}
	p, err := start(t.Context(), o, os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	proctest.BuildDoctor(t).Examine(t, platform.Control(), p.address+"/hooks", "--as", "webhooks", "--origin", public)
	if err := p.stop(); err != nil {
		t.Error(err)
	}
}
