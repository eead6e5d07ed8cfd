// Command flagship is "Gifts and a local courier", an app for many stores. Copy this program to begin an app of your
// own. This command starts the app on a SQLite file, with the reference server as its platform, and prints the address
// of the merchant's page:
//
//	go run ./examples/flagship
//
// It requires only Go. With -console a browser can operate the platform too.
//
// With -database postgres://… and -base-url, any number of processes are replicas of one app:
//
//	export COMMERCE_APP_SECRET=…                          # of the app; also signs webhooks
//	export COMMERCE_TOKEN_KEYS=$(openssl rand -base64 32) # encrypts the tokens; equal in all replicas
//	flagship -base-url https://api.example.com -auth-url https://www.example.com/apps/authorize -app-id 123 \
//		-public-url https://app.example -carts-from 192.0.2.0/24 -database postgres://user@localhost/app
//
// Each file has one part, which can be read and copied alone:
//
//	main.go      flags and environment
//	app.go       how the parts are connected, served and shut down
//	database.go  the inbox and the tables, in SQLite or PostgreSQL
//	telemetry.go traces and metrics
//	copies.go    the copy of products and orders
//	offer.go     the discount plan: a gift in each cart
//	courier.go   the tariff of the courier
//	page.go      the merchant's page
//	today.go     the figures of that page
//	tags.go      a bulk change of products
//	customers.go export and erasure of the data of a customer
//	demo.go      the demonstration
//
// The wiring, which every app of this kind requires, is at most 150 lines. A test counts them.
//
// # Guarantees
//
// A delivery is in the database before it is answered. Its handler reads the record and writes it in the transaction
// that also ends the delivery, so a killed process leaves both or none. If a process that copies is killed, another
// replica continues the copy. On SIGTERM the process answers the requests in progress and finishes its handlers before
// it exits.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/multistore"
)

const name = "Gifts and a local courier"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:], os.Getenv, os.Stdout)
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "flagship:", err)
		os.Exit(1)
	}
}

// run is the program.
func run(ctx context.Context, args []string, env func(string) string, stdout io.Writer) error {
	o, err := readOptions(args, env)
	if err == nil && o.API.BaseURL == "" {
		return demonstrate(ctx, o, stdout)
	}
	if err == nil {
		err = serve(ctx, o, stdout)
	}
	return err
}

// options are the flags, and the secrets from the environment.
type options struct {
	multistore.Config
	database, listen, console string
	carts                     *client.Sources // addresses that send carts
	wait, lease, every        time.Duration   // 0 means the default of the package
}

func readOptions(args []string, env func(string) string) (o options, err error) {
	o.OAuth.Name, o.API.UserAgent = name, name+" (dev@app.example)"
	f := flag.NewFlagSet("flagship", flag.ContinueOnError)
	o.AddFlags(f)
	f.StringVar(&o.database, "database", "", "a file for SQLite, or postgres://…; the demonstration makes a new file")
	f.StringVar(&o.listen, "listen", "127.0.0.1:8080", "address that the app listens on")
	f.StringVar(&o.OperatorAddr, "ops", "", "address of the page for operators, such as 127.0.0.1:8081; empty serves none")
	f.StringVar(&o.console, "console", "", "address of the platform's console, such as 127.0.0.1:8082, in a demonstration")
	from := f.String("carts-from", "", "addresses and networks from which the platform sends carts, separated by commas")
	proxies := f.String("proxies", "", "addresses and networks of proxies in front of the app, separated by commas")
	if err := f.Parse(args); err != nil || o.API.BaseURL == "" && f.NArg() == 0 {
		return o, err // without an address of the API it is a demonstration
	}
	if f.NArg() > 0 || o.database == "" {
		return o, fmt.Errorf("arguments %q: must be flags; -base-url requires -database", f.Args())
	}
	o.carts, err = client.ListedSources(*from, *proxies)
	return o, errors.Join(err, o.ReadSecrets(env))
}
