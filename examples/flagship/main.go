// Command flagship is "Gifts and a local courier", an app for many stores that shows how the parts fit together:
//
//	go run ./examples/flagship
//
// needs nothing but Go. It starts the reference server, with the app on a SQLite file, and prints the address of a page
// where a merchant installs it. With -database postgres://… and -base-url, any number of processes are replicas of
// one app:
//
//	export COMMERCE_APP_SECRET=…                          # of the app; also signs webhooks
//	export COMMERCE_TOKEN_KEYS=$(openssl rand -base64 32) # seals the tokens; keep it
//	flagship -base-url https://api.example.com -auth-url https://www.example.com/apps/authorize -app-id 123 \
//		-public-url https://app.example -carts-from 192.0.2.0/24 -database postgres://user@localhost/app
//
// Each file has one part, to be read and copied alone:
//
//	options.go   flags and environment
//	database.go  the app's database and its inbox, SQLite or PostgreSQL
//	app.go       how the parts are connected, served and shut down
//	install.go   installation, and its end
//	copies.go    the copy of products and orders
//	hooks.go     webhooks, requests of data protection, the sweep
//	offer.go     the discount plan: a gift in each cart
//	courier.go   the tariff of the courier
//	tables.go    the tables of the app
//	page.go      the merchant's page
//	demo.go      the demonstration
//
// The last five are the purpose of this app. The others are what any app writes: 250 lines at most, which a test
// counts.
//
// # What it relies on
//
// A delivery is in the database before it is answered. Its handler reads the record and writes it in the transaction
// that also ends the delivery, so a killed process leaves both or none. A killed crawl is resumed by any replica.
// SIGTERM lets requests in progress be answered and handlers finish (webhook.Worker.Grace) before the process exits.
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
)

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
	if err == nil && o.baseURL == "" {
		return demonstrate(ctx, o, stdout)
	}
	if err == nil {
		err = serve(ctx, o, stdout)
	}
	return err
}
