package main

import (
	"errors"
	"flag"
	"fmt"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

// options are the flags, and the secrets from the environment.
type options struct {
	baseURL  string
	storeID  int64
	database string
	listen   string
	ops      string
	console  string
	wait     time.Duration
	secrets  string   // the file, if they are not in the environment
	inbox    []string // the arguments of the command inbox

	token, secret client.Secret
}

func readOptions(args []string, env func(string) string) (o options, err error) {
	f := flag.NewFlagSet("receiver", flag.ContinueOnError)
	f.StringVar(&o.baseURL, "base-url", "", "address of the API; without it the program is a demonstration")
	f.Int64Var(&o.storeID, "store-id", 0, "the store")
	f.StringVar(&o.database, "database", "", "a file for SQLite, or postgres://…; empty means a new file in the demonstration")
	f.StringVar(&o.listen, "listen", "127.0.0.1:0", "where webhooks arrive")
	f.StringVar(&o.ops, "ops", "", "where a page shows the inbox to programs of this machine, such as 127.0.0.1:8081; the demonstration then stays until it is interrupted")
	f.StringVar(&o.console, "console", "", "serve the demonstration's console on this `address`, and stay until Ctrl-C")
	f.DurationVar(&o.wait, "wait", webhook.DefaultWait, "how long it accepts requests after SIGTERM, until the load balancer has noticed; below 0 means not to wait")
	f.StringVar(&o.secrets, "secrets", "", "a file with the app's secrets, the newest first, one or two lines; read again at SIGHUP; used instead of COMMERCE_APP_SECRET")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	o.token, o.secret = client.Secret(env("COMMERCE_TOKEN")), client.Secret(env("COMMERCE_APP_SECRET"))
	switch {
	case f.Arg(0) == "inbox" && o.database != "":
		o.inbox = f.Args()[1:]
		return o, nil
	case f.Arg(0) == "inbox":
		return o, errors.New("inbox requires -database, before the word inbox")
	case f.NArg() > 0:
		return o, fmt.Errorf("argument %q: must be flags, or inbox and a command", f.Arg(0))
	case o.baseURL == "":
		return o, nil
	case o.console != "":
		return o, errors.New("-console is for the demonstration only: a real platform has no console")
	case o.storeID <= 0 || o.database == "":
		return o, errors.New("-base-url requires -store-id and -database")
	case o.token == "" || o.secret == "" && o.secrets == "":
		return o, errors.New("-base-url requires COMMERCE_TOKEN and COMMERCE_APP_SECRET in the environment")
	}
	return o, nil
}
