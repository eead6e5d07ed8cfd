package oauth

import (
	"context"

	"golang.org/x/oauth2"

	"github.com/commerceplatform/commerce-go/client"
)

// Sources returns the function Tokens of client.Stores, and of Stores in the packages of the versions: the token of
// each store is loaded from tokens for each call, with the context of that call. So a new install is seen at once, and
// a handler that goes on while the program shuts down still has its token. Calls fail with ErrNotInstalled if there is
// none.
//
//	stores := &v202503.Stores{
//		Config: client.Config{BaseURL: base, UserAgent: "My App (dev@my.app)"},
//		Tokens: oauth.Sources(tokens),
//	}
func Sources(tokens TokenStore) func(ctx context.Context, storeID client.ID) (oauth2.TokenSource, error) {
	return func(_ context.Context, storeID client.ID) (oauth2.TokenSource, error) {
		return &source{nil, tokens, storeID}, nil
	}
}

// TokenSource returns the token of one store as an oauth2.TokenSource, safe for concurrent use. Each call of Token
// loads the record, so that a new install is seen at once; it fails with ErrNotInstalled when there is none. The client
// loads with the context of each call, and ends the load early if ctx ends. For many stores, see Sources.
//
// Do not give the source to oauth2.ReuseTokenSource or oauth2.NewClient: tokens do not expire, so those would keep a
// dead one for ever. And do not print an oauth2.Token, which hides nothing.
func TokenSource(ctx context.Context, tokens TokenStore, storeID client.ID) oauth2.TokenSource {
	return &source{ctx, tokens, storeID}
}

// source is a client.ContextTokenSource.
type source struct {
	ctx     context.Context // ends all loads; nil for the context of each call alone
	tokens  TokenStore
	storeID client.ID
}

func (s *source) Token() (*oauth2.Token, error) {
	if s.ctx == nil {
		return s.load(context.Background())
	}
	return s.load(s.ctx)
}

func (s *source) TokenContext(ctx context.Context) (*oauth2.Token, error) {
	if s.ctx == nil {
		return s.load(ctx)
	}
	if s.ctx.Err() != nil {
		return nil, context.Cause(s.ctx)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(s.ctx, func() { cancel(context.Cause(s.ctx)) })()
	return s.load(ctx)
}

func (s *source) load(ctx context.Context) (*oauth2.Token, error) {
	in, err := s.tokens.Load(ctx, s.storeID)
	if err != nil {
		return nil, err
	}
	return &oauth2.Token{AccessToken: string(in.Token), TokenType: "Bearer"}, nil
}
