// Command catalogsync copies the products and orders of a store into a SQLite file, and updates the file at each run.
// It shows client.Copy with client/sqlcopy. The process may be killed at any time.
//
//	go run ./examples/catalogsync
//
// It requires only Go. It fills a reference server and starts itself as a second process that copies. It kills that
// process (kill -9) repeatedly while the store changes, and compares the file with the store at the end, record by
// record. With -console 127.0.0.1:8082 a browser shows the store until Ctrl-C. The directory is its own module, so that
// the SQLite driver is in no other go.sum.
//
// # A real platform
//
//	export COMMERCE_TOKEN=… # of an installed app with read_products and read_orders
//	catalogsync -base-url https://api.example.com -store-id 1234 -db catalog.db
//
// The program ends when the file is equal to the store. Run it again to update the file. If two processes run at a
// time, the later one stops. A file may hold any number of stores of one platform. An app that must be notified of
// changes at once also receives webhooks, as examples/flagship does.
//
// # The file
//
// The tables products and orders have one row per record: store_id, id, document, and columns derived from the
// document. The document is the whole record as JSON. Orders name people, so only the owner may read the file, and
// privacy requests also apply to it.
//
//	sqlite3 catalog.db "SELECT number, total, currency FROM orders WHERE payment_status = 'paid'"
//
// # What you may rely on
//
// The records of a page and the position of the copy are written in one transaction. A killed process leaves both or
// none, and the next process continues there. If the program ended with status 0, the file has every record as it was
// in the store when the program began, or later. It has no record that was deleted by then. That includes values that
// the platform derives from other records, such as the price of a kit. The flag -whole forgets the position of the copy
// and reads all records again.
//
// # Exit status
//
// 0 if the file is equal to the store, 1 if records could not be read or differ, 3 if the program could not run.
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

// The exit statuses.
const (
	exitEqual   = 0
	exitDiffers = 1
	exitFailed  = 3
)

// errDiffers means that the file is not equal to the store.
var errDiffers = errors.New("the file differs from the store")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := run(ctx, os.Args[1:], os.Getenv, os.Stdout)
	stop()
	os.Exit(status)
}

// run is the program; it returns the exit status.
func run(ctx context.Context, args []string, env func(string) string, stdout io.Writer) int {
	o, err := readOptions(args, env, stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitEqual
	case err == nil && o.baseURL == "":
		err = demonstrate(ctx, o, stdout)
	case err == nil:
		err = copyStore(ctx, o, stdout)
	}
	if err == nil {
		return exitEqual
	}
	fmt.Fprintln(stdout, "catalogsync:", err)
	if errors.Is(err, errDiffers) {
		return exitDiffers
	}
	return exitFailed
}
