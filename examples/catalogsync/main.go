// Command catalogsync copies the products and orders of a store into a SQLite file and makes the two equal again
// whenever it runs. It shows client.Copy with client/sqlcopy: the process may be killed at any time.
//
//	go run ./examples/catalogsync
//
// needs nothing but Go. It fills a reference server, runs itself as a process of its own that copies, kills that
// process (kill -9) again and again while the store changes, and compares the file with the store at the end, record by
// record. With -console 127.0.0.1:8082 the store can be looked at in a browser, until Ctrl-C. The directory is a module
// of its own, so that the SQLite driver is in no other go.sum.
//
// # A real platform
//
//	export COMMERCE_TOKEN=… # of an installed app with read_products and read_orders
//	catalogsync -base-url https://api.example.com -store-id 1234 -db catalog.db
//
// ends when the file is equal to the store; run it again whenever it is to be equal again. Of two processes that do so
// at a time, the later one stops. Any number of stores of one platform may be in a file. An app that has to know of
// changes at once also receives webhooks, as examples/flagship does.
//
// # The file
//
// The tables products and orders have one row per record: store_id, id, document, and columns made of the document,
// which is the whole record as JSON. Orders name people, so the file can be read by its owner only, and requests of
// data protection concern it too.
//
//	sqlite3 catalog.db "SELECT number, total, currency FROM orders WHERE payment_status = 'paid'"
//
// # What is guaranteed
//
// The records of a page, and the place that the copy has reached, are written in one transaction: a killed process
// leaves both or none, and the next one goes on there. When the program has ended with status 0, the file has every
// record as the store had it when the program began, or later, and no record that was deleted by then. Values that the
// platform derives from other records, such as the price of a kit, do not count as changes; -whole reads all records
// again.
//
// # Exit status
//
// 0 if the file is equal to the store, 1 if records could not be read or differ, 3 if the program could not do its
// work.
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

// errDiffers says that the file is not equal to the store.
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
