package appdb_test

import (
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client/appdb"
	"github.com/commerceplatform/commerce-go/client/sqlcopy"
	"github.com/commerceplatform/commerce-go/oauth/sqlstore"
)

// Package internal/proof/restores tests the calls on databases.
func TestSchema(t *testing.T) {
	text := appdb.Tables{Prefix: "shop_", Parts: []appdb.Part{sqlstore.Tables, sqlcopy.Tables}}.Schema()
	for _, name := range []string{"shop_version", "shop_install", "shop_state", "shop_copy"} {
		if !strings.Contains(text, "CREATE TABLE IF NOT EXISTS "+name+" (") {
			t.Errorf("%q is not in %s", name, text)
		}
	}
	if strings.Contains(text, "commerce_") || strings.Contains(text, "shop_intent") {
		t.Errorf("another prefix or another package is in %s", text)
	}
}

func TestNoDB(t *testing.T) {
	var none appdb.Tables
	if none.Migrate(t.Context()) == nil || none.Check(t.Context()) == nil || none.Settle(t.Context()) == nil {
		t.Error("got nil without a DB")
	}
}
