package oauthtest_test

import (
	"slices"
	"testing"

	"github.com/commerceplatform/commerce-go/oauth"
	"github.com/commerceplatform/commerce-go/oauth/oauthtest"
)

func ExampleTokens() {
	var t *testing.T // of TestTokens in your package

	oauthtest.Tokens(t, func(_ *testing.T, n int) []oauth.TokenStore {
		return slices.Repeat([]oauth.TokenStore{&oauth.MemoryStore{}}, n) // in memory, replicas share one
	})
}
