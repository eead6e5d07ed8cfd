package statetest

import (
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/oauth"
	"github.com/commerceplatform/commerce-go/oauth/sqlstore"
)

// key returns a key that is always the same for a number.
func key(n int) sqlstore.Key {
	sum := sha256.Sum256([]byte(fmt.Sprint("key ", n)))
	return must(sqlstore.NewKey(sum[:]))
}

// made returns an install whose fields follow from store and generation.
func made(id client.ID, generation int64) *oauth.Install {
	return &oauth.Install{
		StoreID: id, Generation: generation, Token: token(id, generation),
		Scopes:      oauth.ParseScopes("read_products,write_orders"),
		InstalledAt: time.Unix(1_700_000_000, 123_456_000).UTC(),
	}
}

// token returns a token that is found if it is anywhere.
func token(id client.ID, generation int64) client.Secret {
	return client.Secret(fmt.Sprintf("canary-token-of-%d-%d", id, generation))
}
