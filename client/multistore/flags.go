package multistore

import (
	"errors"
	"flag"
	"fmt"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/oauth/sqlstore"
)

// Names of the environment variables that ReadSecrets reads.
const (
	SecretVariable    = "COMMERCE_APP_SECRET" // secret of the app
	TokenKeysVariable = "COMMERCE_TOKEN_KEYS" // keys that encrypt tokens
)

// AddFlags adds the flags base-url, auth-url, app-id, public-url and callback-url. Their defaults are the values of c.
func (c *Config) AddFlags(f *flag.FlagSet) {
	f.StringVar(&c.API.BaseURL, "base-url", c.API.BaseURL, "address of the API, such as https://api.example.com")
	f.StringVar(&c.OAuth.AuthURL, "auth-url", c.OAuth.AuthURL, "address where merchants approve the app")
	f.Int64Var((*int64)(&c.OAuth.ID), "app-id", int64(c.OAuth.ID), "id of the app")
	f.StringVar(&c.PublicURL, "public-url", c.PublicURL, "address of the app for browsers, such as https://app.example")
	f.StringVar(&c.CallbackURL, "callback-url", c.CallbackURL,
		"https address at which the platform calls the app; -public-url if empty")
}

// ReadSecrets reads the secret of the app from COMMERCE_APP_SECRET, and the keys of Tokens from COMMERCE_TOKEN_KEYS in
// the form of sqlstore.ParseKeys. Getenv is os.Getenv, or a function that reads files. If Tokens is nil, it is created
// without a DB, which New sets. Secrets are not flags, because other users of the machine can read flags.
func (c *Config) ReadSecrets(getenv func(name string) string) error {
	var noSecret error
	if c.OAuth.Secret = client.Secret(getenv(SecretVariable)); c.OAuth.Secret == "" {
		noSecret = fmt.Errorf("client/multistore: %s: must be set to the app's secret: %w", SecretVariable, client.ErrValidation)
	}
	if c.Tokens == nil {
		c.Tokens = new(sqlstore.Store)
	}
	var err error
	if c.Tokens.Keys, err = sqlstore.ParseKeys(getenv(TokenKeysVariable)); err != nil {
		err = fmt.Errorf("client/multistore: %s: %w", TokenKeysVariable, err)
	}
	return errors.Join(noSecret, err)
}
