// Command chargebacks imports chargebacks from the CSV files of a payment processor. It opens a dispute for each and
// updates it. It shows how an import that moves money does nothing twice, with client/sqljournal.
//
//	go run ./examples/chargebacks
//
// It requires only Go. It imports the file of Monday, and that of Friday twice, into the store of a reference server,
// in this process. The connection breaks twice. With -console 127.0.0.1:8082 a browser shows the store until Ctrl-C.
// The directory is its own module, so that the SQLite driver is in no other go.sum.
//
// No chargeback gets two disputes, because a second one would withhold the merchant's money twice. Disputes cannot be
// listed and a creation has no idempotency key. The program therefore commits the intent to open a dispute to a
// database before it sends the request, and the outcome after it. An opening with unknown outcome is reported and not
// sent again, in any later run. A person ends it, with sqljournal.Journal.Open and End. If the outcome of a move is
// unknown, the next run reads it from the dispute.
package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/clienttest/pages"
)

const (
	openDispute = "POST /orders/{order_id}/transactions/{transaction_id}/disputes"
	moveDispute = "PUT /orders/{order_id}/transactions/{transaction_id}/disputes/{id}"
)

//go:embed monday.csv
var monday string

//go:embed friday.csv
var friday string

func main() { pages.Main(run) }

func run(ctx context.Context, console string, out io.Writer) (err error) {
	dir, err := os.MkdirTemp("", "chargebacks-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	return pages.Play(ctx, console, out, clienttest.Options{}, func(ctx context.Context, platform *clienttest.Server) error {
		return play(ctx, platform, filepath.Join(dir, "chargebacks.db"), out)
	})
}

// play imports the files into a store with four paid orders.
func play(ctx context.Context, platform *clienttest.Server, name string, out io.Writer) (err error) {
	var payments []string
	for n := range 4 {
		paid, err := platform.Charge(client.Cents(12000))
		if err != nil {
			return err
		}
		payments = append(payments, fmt.Sprintf("PAY-%d", n+1), fmt.Sprintf("charge-%d", paid.OrderID))
	}
	r, err := openRecord(ctx, name, platform.StoreID())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.db.Close()) }()
	im, ids := &importer{platform.Client(), r}, strings.NewReplacer(payments...)
	for _, day := range []struct {
		title, file string
		lost        clienttest.Fault
	}{
		{"Monday. The answer to the third opening is lost", monday, clienttest.Fault{Operation: openDispute, Skip: 2}},
		{"Friday. The answer to the first move is lost", friday, clienttest.Fault{Operation: moveDispute}},
		{"Friday's file again", friday, clienttest.Fault{}},
	} {
		fmt.Fprintln(out, day.title)
		if day.lost.Operation != "" {
			day.lost.Count, day.lost.Reset, day.lost.After = 1, true, true
			if err := platform.Fault(day.lost); err != nil {
				return err
			}
		}
		if err := im.all(ctx, ids.Replace(day.file), out); err != nil {
			return err
		}
	}
	return nil
}

// all imports the lines in order, and prints the result of each.
func (im *importer) all(ctx context.Context, file string, out io.Writer) error {
	rows, err := readRows(file)
	if err != nil {
		return err
	}
	for _, r := range rows {
		v, why := im.do(ctx, r)
		fmt.Fprintf(out, "  %-8s %-15s %-8s %s\n", r.chargeback, r.update.Status, v, why)
	}
	return ctx.Err()
}
