package main

import (
	"errors"
	"flag"
	"fmt"
	"net/netip"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/oauth/sqlstore"
	"github.com/commerceplatform/commerce-go/webhook"
)

// options are the flags, and the secrets from the environment.
type options struct {
	baseURL, authURL, publicURL, hooksURL, database, listen string

	appID              int64
	every, wait, lease time.Duration
	cartsFrom          []netip.Prefix
	secret             client.Secret
	keys               []sqlstore.Key
}

func readOptions(args []string, env func(string) string) (o options, err error) {
	f := flag.NewFlagSet("flagship", flag.ContinueOnError)
	f.StringVar(&o.baseURL, "base-url", "", "address of the API; without it the program is a demonstration")
	f.StringVar(&o.authURL, "auth-url", "", "address where merchants approve the app")
	f.StringVar(&o.publicURL, "public-url", "", "address at which browsers reach the app")
	f.StringVar(&o.database, "database", "", "a file for SQLite, or postgres://…; empty is a new file")
	f.StringVar(&o.listen, "listen", "127.0.0.1:8080", "where the app listens")
	f.Int64Var(&o.appID, "app-id", 0, "id of the app")
	f.DurationVar(&o.every, "every", 5*time.Minute, "time between two looks for changes that no webhook reported")
	f.DurationVar(&o.wait, "wait", webhook.DefaultWait, "how long it accepts after SIGTERM; below 0 not to wait")
	f.DurationVar(&o.lease, "lease", webhook.DefaultLease, "how long the deliveries of a killed process rest")
	from := f.String("carts-from", "", "addresses and networks from which the platform sends carts, separated by commas")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	o.hooksURL, o.secret = o.publicURL, client.Secret(env("COMMERCE_APP_SECRET"))
	if f.NArg() > 0 || o.baseURL != "" && (o.secret == "" || o.database == "") {
		return o, fmt.Errorf("arguments %q: must be flags; -base-url requires -database and COMMERCE_APP_SECRET", f.Args())
	}
	var wrong [2]error
	o.keys, wrong[0] = sqlstore.ParseKeys(env("COMMERCE_TOKEN_KEYS"))
	o.cartsFrom, wrong[1] = client.ParseSources(strings.Split(*from, ",")...)
	if o.baseURL == "" {
		return o, nil // the demonstration has its own
	}
	return o, errors.Join(wrong[:]...)
}
