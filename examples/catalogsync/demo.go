package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/clienttest/pages"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

const (
	records  = 200             // of each kind
	perPage  = 10              // so that a copy requires many requests
	rounds   = 12              // kills
	mostTime = 5 * time.Minute // for the whole demonstration
)

// demo is the demonstration: a reference server, and processes that are killed.
type demo struct {
	o      options
	out    io.Writer
	server *clienttest.Server
	shop   *shop
	db     *sql.DB
}

// demonstrate is the program without a platform.
func demonstrate(ctx context.Context, o options, out io.Writer) (err error) {
	if o.db == "" {
		dir, err := os.MkdirTemp("", "catalogsync-")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(dir) }() // otherwise it stays in the temporary directory
		o.db = filepath.Join(dir, "catalog.db")
	} else if _, err := os.Stat(o.db); err == nil {
		return fmt.Errorf("-db %s: must not exist yet in the demonstration", o.db)
	}
	d := &demo{o: o, out: out}
	if d.server, err = clienttest.Start(clienttest.Options{Demo: true, Console: pages.At(o.console)}); err != nil {
		return err
	}
	defer d.server.Close()
	if err := d.server.Listen("127.0.0.1:0"); err != nil {
		return err
	}
	if d.o.token, err = d.server.Install(); err != nil {
		return err
	}
	d.shop = newShop(d.server)
	d.o.baseURL, d.o.storeID, d.o.perPage = d.server.URL(), int64(d.server.StoreID()), perPage
	if d.db, err = openFile(ctx, o.db); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.db.Close()) }()
	return d.server.PlayWithConsole(ctx, out, d.play)
}

func (d *demo) play(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, mostTime)
	defer cancel()
	if err := d.shop.fill(ctx, records); err != nil {
		return err
	}
	for round := range rounds {
		if err := d.round(ctx, round); err != nil {
			return fmt.Errorf("round %d: %w", round+1, err)
		}
	}
	last, err := start(ctx, d.o)
	if err != nil {
		return err
	}
	last.await("", math.MaxInt)
	if err := last.cmd.Wait(); err != nil {
		return fmt.Errorf("the last process: %w: %s", err, last.last)
	}
	fmt.Fprintf(d.out, "a process that is not killed: %s\n", last.last)
	c := d.shop.client
	return errors.Join(
		compare(ctx, d, "products", v202503.Products(c).List(client.ProductFilter{}), productID),
		compare(ctx, d, "orders", v202503.Orders(c).List(client.OrderFilter{}), orderID),
	)
}

// round kills a process among the products or the orders. The store changes while the process runs and after it is
// killed.
func (d *demo) round(ctx context.Context, n int) error {
	const lines, pages = 4, 6 // the process prints a line for each page; the next request hangs for hours
	table := []string{"products", "orders"}[n%2]
	err := d.server.Fault(clienttest.Fault{Operation: "GET /" + table, Skip: pages, Delay: 24 * time.Hour})
	if err != nil {
		return err
	}
	c, err := start(ctx, d.o)
	if err != nil {
		return err
	}
	alive := c.await(table, lines)
	err = errors.Join(d.shop.work(ctx), c.kill())
	d.server.EndFaults()
	if !alive {
		return errors.Join(err, fmt.Errorf("the process ended early: %s", c.last))
	}
	if err := errors.Join(err, d.shop.work(ctx)); err != nil {
		return err
	}
	d.server.Clock().Advance(time.Hour)
	var products, orders int
	const counts = "SELECT (SELECT count(*) FROM products), (SELECT count(*) FROM orders)"
	err = d.db.QueryRowContext(ctx, counts).Scan(&products, &orders)
	fmt.Fprintf(d.out, "round %2d: killed after %-35q the file has %3d products and %3d orders\n",
		n+1, c.last, products, orders)
	return err
}

// compare reads all records of the store and compares each with the file.
func compare[T any](ctx context.Context, d *demo, table string, list client.List[T], id func(*T) client.ID) error {
	n, differ := 0, 0
	for record, err := range list.All(ctx) {
		if err != nil {
			return err
		}
		want, err := json.Marshal(record)
		if err != nil {
			return err
		}
		var got string
		err = d.db.QueryRowContext(ctx, "SELECT document FROM "+table+" WHERE id = $1", id(record)).Scan(&got)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if n++; got != string(want) {
			differ++
			fmt.Fprintf(d.out, "%s: record %d differs\n", table, id(record))
		}
	}
	var rows int
	err := d.db.QueryRowContext(ctx, "SELECT count(*) FROM "+table).Scan(&rows)
	fmt.Fprintf(d.out, "%s: %d in the store, %d in the file, %d differ\n", table, n, rows, differ)
	if err == nil && (differ > 0 || rows != n) {
		err = errDiffers
	}
	return err
}
