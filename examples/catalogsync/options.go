package main

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/commerceplatform/commerce-go/client"
)

// options are the flags, and the token from the environment, because other users of a machine can read a command line.
type options struct {
	baseURL, db, userAgent, console string
	storeID                         int64
	perPage                         int
	whole                           bool
	token                           client.Secret
}

func readOptions(args []string, env func(string) string, stdout io.Writer) (o options, err error) {
	f := flag.NewFlagSet("catalogsync", flag.ContinueOnError)
	f.SetOutput(stdout)
	f.StringVar(&o.baseURL, "base-url", "", "`address` of the API; empty means the demonstration")
	f.Int64Var(&o.storeID, "store-id", 0, "`id` of the store")
	f.StringVar(&o.db, "db", "", "SQLite `file`; empty means catalog.db, or a temporary one in the demonstration")
	f.StringVar(&o.userAgent, "user-agent", "Catalogsync (dev@app.example)", "the app's `name` and a contact in parentheses")
	f.IntVar(&o.perPage, "per-page", client.MaxPerPage, "records per page, which is a transaction")
	f.BoolVar(&o.whole, "whole", false, "read all records again")
	f.StringVar(&o.console, "console", "", "serve the demonstration's console on this `address`, and stay until Ctrl-C")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	o.token = client.Secret(env("COMMERCE_TOKEN"))
	if o.baseURL != "" && o.db == "" {
		o.db = "catalog.db"
	}
	return o, o.check(f.Args())
}

// check reports flags that are missing or exclude each other.
func (o options) check(rest []string) error {
	switch {
	case len(rest) > 0:
		return fmt.Errorf("argument %q: must be flags", rest[0])
	case o.perPage < 1 || o.perPage > client.MaxPerPage:
		return fmt.Errorf("-per-page %d: must be 1 to %d", o.perPage, client.MaxPerPage)
	case o.baseURL != "" && (o.token == "" || o.storeID <= 0):
		return errors.New("-base-url requires -store-id, and COMMERCE_TOKEN in the environment")
	case o.baseURL != "" && o.console != "":
		return errors.New("-console is for the demonstration only: a real platform has no console")
	case o.baseURL == "" && (o.storeID != 0 || o.whole):
		return errors.New("-base-url is missing: -store-id and -whole require it")
	}
	return nil
}
