package sqlstore_test

import (
	"context"
	"database/sql"
	"errors"
	"net/http"
	"os"

	"github.com/commerceplatform/commerce-go/oauth"
	"github.com/commerceplatform/commerce-go/oauth/sqlstore"
)

// Replicas of an app share the installations. db is a *sql.DB of SQLite or PostgreSQL.
func Example() {
	install := func(ctx context.Context, mux *http.ServeMux, db *sql.DB, app oauth.App) error {
		keys, err := sqlstore.ParseKeys(os.Getenv("TOKEN_KEYS")) // of "openssl rand -base64 32"
		if err != nil {
			return err
		}
		store := &sqlstore.Store{DB: db, Keys: keys}
		if err := errors.Join(store.Migrate(ctx), store.Check(ctx)); err != nil {
			return err
		}
		install := &oauth.Handler{App: app, Tokens: store, States: store, PublicURL: "https://app.example"}
		mux.Handle("/oauth/callback", install)
		return nil
	}
	_ = install
}
