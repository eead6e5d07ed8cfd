package multistore_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/multistore"
	"github.com/commerceplatform/commerce-go/oauth/sqlstore"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
)

// An address at which the platform cannot call the app is refused before the app serves, without its password.
func TestCheckRequiresAnAddressForCalls(t *testing.T) {
	for _, address := range []string{"", "http://127.0.0.1:3000", "app.example", "https://me:canary@app.example"} {
		a := multistore.New(multistore.Config{PublicURL: "http://127.0.0.1:3000", CallbackURL: address})
		a.Tokens, a.Hooks.Inbox = new(sqlstore.Store), new(inboxmem.Inbox)
		err := a.Check(t.Context())
		if !errors.Is(err, client.ErrValidation) || !strings.Contains(err.Error(), "Config.CallbackURL") || strings.Contains(err.Error(), "canary") {
			t.Errorf("%q: %v", address, err)
		}
	}
}
