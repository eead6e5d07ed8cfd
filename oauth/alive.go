package oauth

import (
	"context"
	"errors"
	"net/http"

	"github.com/commerceplatform/commerce-go/client"
)

// AliveBy returns a function for Handler.Verify. It reads the store's id with the token of an installation. From config
// it takes the address, the user agent, the transport, the limits and Auth; StoreID and Token come from the
// installation. If BaseURL or UserAgent is wrong, each call of the function fails.
//
//	config := client.Config{BaseURL: base, UserAgent: "My App (dev@my.app)"}
//	install := &oauth.Handler{…, Verify: oauth.AliveBy(config)}
//
// A token is dead if the platform answers 401 to both forms of the header that carries it. It is alive if the platform
// answers with the record, 402 (the store has not paid) or 403 (a scope is missing). Any other answer is an error,
// because it does not show whether the token is alive. That includes refusals of a proxy; see client.ErrIntermediary.
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
			case errors.Is(err, client.ErrForbidden), errors.Is(err, client.ErrPaymentRequired):
				return true, nil
			case !errors.Is(err, client.ErrUnauthorized):
				return false, err
			}
		}
		return false, nil
	}
}

// otherStyle returns the other form of the header, because some deployments accept only one.
func otherStyle(style client.AuthStyle) client.AuthStyle {
	if style == client.AuthStyleAuthentication {
		return client.AuthStyleBearer
	}
	return client.AuthStyleAuthentication
}
