package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/commerceplatform/commerce-go/client"
)

// AliveBy returns the function Verify of a Handler, which reads the store's id with the token of an install. Of config
// it takes the address, the user agent, the transport, the bounds and Auth; StoreID and Token are those of the install.
// If BaseURL or UserAgent are wrong, each call of the function fails.
//
//	install := &oauth.Handler{…, Verify: oauth.AliveBy(client.Config{BaseURL: base, UserAgent: "My App (dev@my.app)"})}
//
// A token is dead if the platform answers 401 to both forms of the header that carries it, and alive if it answers what
// it answers to valid tokens alone: the record, 402 (the store has not paid) or 403 (a scope is missing). Everything
// else is an error, since it could not be found out, and so is an answer without the platform's words: a proxy may give
// those.
func AliveBy(config client.Config) func(ctx context.Context, in Install) (alive bool, err error) {
	if config.HTTPClient == nil || config.HTTPClient.Transport == nil {
		config.HTTPClient = &http.Client{Transport: client.NewTransport()} // one for all calls
	}
	return func(ctx context.Context, in Install) (bool, error) {
		for _, style := range []client.AuthStyle{config.Auth, otherStyle(config.Auth)} {
			of := config
			of.StoreID, of.Token, of.Auth = in.StoreID, client.StaticToken(in.Token), style
			c, err := client.New(of)
			if err != nil {
				return false, err
			}
			err = c.Do(ctx, client.Request{Path: "/store", Query: map[string][]string{"fields": {"id"}}}, nil)
			switch {
			case err == nil:
				return true, nil
			case !explained(err):
				return false, err
			case errors.Is(err, client.ErrForbidden), errors.Is(err, client.ErrPaymentRequired):
				return true, nil
			case !errors.Is(err, client.ErrUnauthorized):
				return false, err
			}
		}
		return false, nil
	}
}

// explained reports whether an answer has the platform's words: what a proxy refuses says nothing about a token.
func explained(err error) bool {
	e, ok := errors.AsType[*client.Error](err)
	return ok && json.Valid(e.Body) && e.Message+e.Description != ""
}

// otherStyle returns the other form of the header: some deployments know one alone.
func otherStyle(style client.AuthStyle) client.AuthStyle {
	if style == client.AuthStyleAuthentication {
		return client.AuthStyleBearer
	}
	return client.AuthStyleAuthentication
}
