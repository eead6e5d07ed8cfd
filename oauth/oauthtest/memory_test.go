package oauthtest

import (
	"slices"
	"testing"

	"github.com/commerceplatform/commerce-go/oauth"
)

func TestMemoryStore(t *testing.T) {
	Tokens(t, func(_ *testing.T, n int) []oauth.TokenStore {
		return slices.Repeat([]oauth.TokenStore{&oauth.MemoryStore{}}, n)
	})
}

func TestMemoryStates(t *testing.T) {
	States(t, func(_ *testing.T, n int) []oauth.StateStore {
		return slices.Repeat([]oauth.StateStore{&oauth.MemoryStates{}}, n)
	})
}
