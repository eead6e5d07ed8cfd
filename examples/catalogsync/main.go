// Command catalogsync mirrors the products and orders of a store into a SQLite file and keeps the two equal.
//
//	go run .
//
// in this directory (from the root: go run -C examples/catalogsync .) needs nothing but Go. Without -base-url it is a
// demonstration that ends by itself: it fills a reference server, runs itself against it as a process of its own, kills
// that process again and again while the store goes on changing, and compares the file with the store at the end. The
// directory is a module of its own, so that the SQLite driver is in no other go.sum.
//
// # A real platform
//
//	export COMMERCE_TOKEN=…       # of an installed app with read_products and read_orders
//	export COMMERCE_APP_SECRET=…  # for webhooks only
//	catalogsync -base-url https://api.example.com -store-id 1234 -db catalog.db \
//	    -follow -public-url https://app.example -listen 127.0.0.1:8080
//
// Without -follow the program ends when the mirror is complete. With it, it goes on with webhooks, which arrive under
// -public-url and are led to -listen by whatever ends TLS there, and asks for changes every -every. Webhooks need
// COMMERCE_APP_SECRET; without -public-url there are none. It may be killed at any time and started again with the
// same -db. One process at a time may work on a file.
//
// # The file
//
// The tables products and orders have one row per record: id, updated_at, document and some columns made of the
// document. The document is the whole record as JSON, members that this version of the client does not know included,
// in the forms that the client writes: times in RFC 3339, amounts as strings. Orders name people: the file is made
// readable for its owner only, and what the platform asks to redact has to be redacted in it too.
//
//	sqlite3 catalog.db "SELECT number, total, currency FROM orders WHERE payment_status = 'paid'"
//
// # How it stays equal
//
// First everything is read by ascending id. The records of a page and the id to go on from, the cursor, are written in
// one transaction: a process that is killed leaves either both or none, so the next one neither loses nor repeats a
// page. Numbered pages would shift when records are deleted meanwhile; since_id does not.
//
// Then the program asks in the same way, with a cursor of its own, for what was changed since. The watermark from which
// it asks is the latest updated_at that was seen before the pass before it began: what that pass could miss was changed
// later. So the clock of this machine does not matter; -overlap is for changes that become readable late.
//
// A webhook is only a hint: the record that it names is read again, and removed if it is gone. Reading a record and
// writing it is one step that no other reading interrupts, so that an older state never overwrites a newer one. If that
// takes longer than the platform waits, it delivers the webhook again.
//
// Last, all records are compared with the store. That finds deletions that no webhook told of, and what the platform
// derives from other records without a time of change, such as the price of a kit.
//
// # Exit status
//
// 0 if everything is mirrored, 1 if something is not, 3 if the program could not do its work.
package main

import (
	"context"
	"errors"
	"flag"
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

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := run(ctx, os.Args[1:], os.Getenv, os.Stdout)
	stop()
	os.Exit(status)
}

// run is the program; it returns the exit status.
func run(ctx context.Context, args []string, env func(string) string, stdout io.Writer) int {
	o, err := readOptions(args, env, stdout)
	if errors.Is(err, flag.ErrHelp) {
		return exitEqual
	}
	t := newTranscript(stdout)
	if err != nil {
		return t.failed(err)
	}
	if o.baseURL == "" {
		err = demonstrate(ctx, o, t)
	} else {
		err = keepMirror(ctx, o, t)
	}
	if err != nil {
		return t.failed(err)
	}
	return t.verdict()
}
