package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/clienttest/pages"
)

const openDispute = "POST /orders/{order_id}/transactions/{transaction_id}/disputes"

//go:embed chargebacks.csv
var builtIn string

// demonstrate imports the file of this directory twice into a store of the reference server.
func demonstrate(ctx context.Context, o options, out io.Writer) (err error) {
	srv, err := clienttest.Start(clienttest.Options{Console: pages.At(o.console)})
	if err != nil {
		return err
	}
	defer srv.Close()
	dir, err := os.MkdirTemp("", "chargebacks-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	return srv.PlayWithConsole(ctx, out, func(ctx context.Context) error {
		return play(ctx, srv, filepath.Join(dir, "chargebacks.db"), out)
	})
}

func play(ctx context.Context, srv *clienttest.Server, name string, out io.Writer) (err error) {
	file, err := sell(srv)
	if err != nil {
		return err
	}
	rows, err := readRows(strings.NewReader(file))
	if err != nil {
		return err
	}
	r, err := openRecord(ctx, name, srv.StoreID())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.db.Close()) }()
	// The connection breaks after the fourth dispute was opened, before the answer came.
	lost := clienttest.Fault{Operation: openDispute, Skip: 3, Count: 1, Reset: true, After: true}
	if err := srv.Fault(lost); err != nil {
		return err
	}
	for _, title := range []string{"The file for the first time", "\nThe same file again"} {
		fmt.Fprintln(out, title)
		sent := writes(srv)
		if _, err := newImporter(srv.Client(), r).all(ctx, rows, out); err != nil {
			return err
		}
		fmt.Fprintf(out, "%d requests that write\n", writes(srv)-sent)
	}
	return nil
}

// sell makes four paid orders, numbered from 100, and returns the file with the ids of their payments.
func sell(srv *clienttest.Server) (file string, err error) {
	file = builtIn
	for n := range 4 {
		paid, err := srv.Charge(client.Cents(12000))
		if err != nil {
			return "", err
		}
		file = strings.ReplaceAll(file, fmt.Sprintf("PAY-%d", n+1), fmt.Sprintf("charge-%d", paid.OrderID))
	}
	return file, nil
}

// writes counts the requests about disputes that are not reads.
func writes(srv *clienttest.Server) (n int) {
	for _, r := range srv.Requests() {
		if r.Method != http.MethodGet && strings.Contains(r.Operation, "/disputes") {
			n++
		}
	}
	return n
}
