package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/internal/proctest"
)

// The platform finds nothing wrong with a process of the app, whatever it is called for.
func TestDoctor(t *testing.T) {
	t.Parallel()
	w := newWorld(t, filepath.Join(t.TempDir(), "app.db"))
	r := w.start()
	s := &merchant{world: w}
	s.fill(8, 2)
	w.installs(1)
	w.until(w.equal)
	w.must(w.platform.Forward(public, r.address))
	d, control := proctest.BuildDoctor(t), w.platform.Control()
	d.Examine(t, control, r.address+"/carts", "--as", "discounts", "--origin", public)
	for c, err := range v202503.Carriers(w.client).List().All(t.Context()) {
		w.must(err)
		d.Examine(t, control, r.address+strings.TrimPrefix(c.CallbackURL, public), "--as", "carrier", "--origin", public)
	}
	d.Examine(t, control, r.address+"/hooks", "--as", "webhooks", "--origin", public)
}
