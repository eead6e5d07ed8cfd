package oauth

import (
	"context"

	"golang.org/x/oauth2"

	"github.com/commerceplatform/commerce-go/client"
)

// TokenSource returns the token of one store as an oauth2.TokenSource, safe for concurrent use. Each call of Token loads
// the record anew, so that a new install is seen at once; it fails with ErrNotInstalled when there is none. ctx is the
// context of those loads and should live as long as the source.
//
// Do not give the source to oauth2.ReuseTokenSource or oauth2.NewClient: tokens do not expire, so those would keep a dead
// one for ever. And do not print an oauth2.Token, which hides nothing.
func TokenSource(ctx context.Context, tokens TokenStore, storeID client.ID) oauth2.TokenSource {
	return &source{ctx, tokens, storeID}
}

type source struct {
	ctx     context.Context
	tokens  TokenStore
	storeID client.ID
}

func (s *source) Token() (*oauth2.Token, error) {
	in, err := s.tokens.Load(s.ctx, s.storeID)
	if err != nil {
		return nil, err
	}
	return &oauth2.Token{AccessToken: string(in.Token), TokenType: "Bearer"}, nil
}
