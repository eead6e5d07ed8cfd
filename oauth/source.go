package oauth

import (
	"context"

	"golang.org/x/oauth2"

	"github.com/commerceplatform/commerce-go/client"
)

// Sources returns a function for the field Tokens of client.Stores. It loads the token of a store from tokens for each
// call, with the context of that call. A new installation therefore takes effect at once, and a handler that is still
// running during shutdown has its token. Calls fail with ErrNotInstalled if there is no token.
//
//	stores := &client.Stores{
//		Config: client.Config{BaseURL: base, UserAgent: "My App (dev@my.app)"},
//		Tokens: oauth.Sources(tokens),
//	}
func Sources(tokens TokenStore) func(ctx context.Context, storeID client.ID) (oauth2.TokenSource, error) {
	return func(_ context.Context, storeID client.ID) (oauth2.TokenSource, error) {
		return &source{nil, tokens, storeID}, nil
	}
}

// TokenSource returns the token of one store as an oauth2.TokenSource, safe for concurrent use. Each call of Token
// loads the record, so a new installation takes effect at once. Token fails with ErrNotInstalled if there is no record.
// The client loads with the context of each call, and cancels the load if that context ends. For many stores, see
// Sources.
//
// Do not pass the source to oauth2.ReuseTokenSource or oauth2.NewClient. Tokens do not expire, so these would keep a
// dead token forever. Do not print an oauth2.Token, because it hides nothing.
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
