package apptables

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/commerceplatform/commerce-go/oauth"
	"github.com/commerceplatform/commerce-go/oauth/sqlstore"
)

// An install is stored, and its key is changed while the store is in use.
func Example_tokens() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	db, err := connect(filepath.Join(dir, "app.db"))
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = db.Close() }()

	// In an app: sqlstore.ParseKeys(os.Getenv("TOKEN_KEYS"))
	keys, err := sqlstore.ParseKeys("Y291bnRpbmctc2hlZXAtaXMtbm90LXJhbmRvbeKApi4=" +
		" 5f1d3a0c6b9e482711d0c3a7f85e6b204c9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f")
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	set := &sqlstore.KeySet{}
	store := &sqlstore.Store{DB: db, KeySet: set}
	if err := errors.Join(set.Set(keys[1]), store.Migrate(ctx), store.Check(ctx)); err != nil {
		log.Fatal(err)
	}
	in := &oauth.Install{StoreID: 817495, Token: "token", Scopes: oauth.ParseScopes("read_orders"), Generation: 5}
	if _, err := store.Swap(ctx, in.StoreID, 0, in); err != nil { // oauth.Handler does it
		log.Fatal(err)
	}

	if err := set.Set(keys...); err != nil {
		log.Fatal(err)
	}
	sealed, err := store.Reseal(ctx)
	fmt.Println(sealed, err)
	for id, err := range store.Stores(ctx) {
		in, failed := store.Load(ctx, id)
		fmt.Println(id, in.Scopes, errors.Join(err, failed))
	}
	// Output:
	// 1 <nil>
	// 817495 read_orders <nil>
}
