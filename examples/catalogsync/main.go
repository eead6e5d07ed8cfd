// Command catalogsync copies the products and orders of a store into a SQLite file, and updates the file. It shows
// client.Copy with client/sqlcopy.
//
//	go run ./examples/catalogsync -db catalog.db
//	sqlite3 catalog.db "SELECT number, total, currency FROM orders WHERE payment_status = 'paid'"
//
// It requires only Go. The store is one of a reference server, in this process. Its connection breaks during the first
// copy, and it changes before the last one. With -console 127.0.0.1:8082 a browser shows it until Ctrl-C. The directory
// is its own module, so that the SQLite driver is in no other go.sum.
//
// The tables products and orders have one row per record: store_id, id, document, and columns derived from the
// document. The document is the whole record as JSON. Orders name people, so privacy requests also apply to the
// file.
//
// The records of a page and the position of the copy are written in one transaction. A run that was stopped anywhere
// leaves both or none, and the next one continues there. After a run without an error, the file has every record as it
// was in the store when the run began, or later, and no record that was deleted by then. An app that must be notified
// of changes at once also receives webhooks, as examples/flagship does.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/clienttest/pages"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

func main() {
	file := flag.String("db", ":memory:", "SQLite `file`")
	pages.Main(func(ctx context.Context, console string, out io.Writer) error { return run(ctx, *file, console, out) })
}

// run starts a platform whose store has a few products and orders.
func run(ctx context.Context, file, console string, out io.Writer) (err error) {
	db, err := openFile(ctx, file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if file == ":memory:" {
		db.SetMaxOpenConns(1) // each connection would have a database of its own
	}
	return pages.Play(ctx, console, out, clienttest.Options{Demo: true}, func(ctx context.Context, platform *clienttest.Server) error {
		return play(ctx, platform, &copying{db: db, c: platform.Client(), store: platform.StoreID(), out: out})
	})
}

// play copies three times.
func play(ctx context.Context, platform *clienttest.Server, s *copying) error {
	platform.Clock().Advance(time.Hour) // the records of the store have not changed recently
	fmt.Fprintln(s.out, "The first copy. The platform fails at the third page")
	broken := clienttest.Fault{Operation: "GET /products", Skip: 2, Status: 400}
	if err := platform.Fault(broken); err != nil {
		return err
	}
	err := s.run(ctx)
	platform.EndFaults()
	if err == nil {
		return errors.New("the copy ignored a failure")
	}
	fmt.Fprintln(s.out, " ", err)
	fmt.Fprintln(s.out, "The next copy continues there")
	if err := s.run(ctx); err != nil {
		return err
	}
	platform.Clock().Advance(time.Hour)
	if err := change(ctx, s.c); err != nil {
		return err
	}
	fmt.Fprintln(s.out, "The store changed one product and deleted another")
	if err := s.run(ctx); err != nil {
		return err
	}
	var products, orders int
	const counts = "SELECT (SELECT count(*) FROM products), (SELECT count(*) FROM orders)"
	err = s.db.QueryRowContext(ctx, counts).Scan(&products, &orders)
	fmt.Fprintf(s.out, "The file has %d products and %d orders.\n", products, orders)
	return err
}

// change changes the first product of the store, and deletes the last.
func change(ctx context.Context, c *client.Client) error {
	all, err := v202503.Products(c).List(client.ProductFilter{}).Collect(ctx)
	if err != nil {
		return err
	}
	_, err = v202503.Products(c).Update(ctx, all[0].ID, client.ProductInput{Brand: client.Set("Changed")})
	return errors.Join(err, v202503.Products(c).Delete(ctx, all[len(all)-1].ID))
}
