// Command chargebacks imports chargebacks from the CSV file of a payment processor. It opens a dispute for each and
// updates it. It shows how an import that moves money does nothing twice, with client/sqljournal.
//
//	go run ./examples/chargebacks
//
// It requires only Go. It imports a file twice into the store of a reference server, in this process, whose connection
// breaks once. The second import changes nothing. With -console 127.0.0.1:8082 a browser shows the store until Ctrl-C.
// Flags select a real platform; -h lists them and describes the file. The directory is its own module, so that the
// SQLite driver is in no other go.sum.
//
// # What you may rely on
//
// No chargeback gets two disputes, because a second one would withhold the merchant's money twice. Disputes cannot be
// listed and a creation has no idempotency key. The program therefore commits the intent to open a dispute to a
// database before it sends the request, and the outcome after it. If the program is killed at any point, the next run
// finds the open intent. An opening with unknown outcome is reported and not sent again. If the outcome of a move is
// unknown, it is read from the dispute. Finished lines are not repeated. A rejected line is not retried later, when the
// dispute has changed and would accept it.
//
// # Exit status
//
// 0 if every line was done, in this run or before. 1 if the outcome of a line is unknown. 2 if lines were refused or
// failed. 3 if the program could not run. The demonstration ends with 0.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"

	"github.com/commerceplatform/commerce-go/client"
)

// The exit statuses.
const (
	exitDone = iota
	exitUnknown
	exitRefused
	exitFailed
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	status := run(ctx, os.Args[1:], os.Getenv, os.Stdout)
	stop()
	os.Exit(status)
}

// run is the program; it returns the exit status.
func run(ctx context.Context, args []string, env func(string) string, stdout io.Writer) int {
	o, err := readOptions(args, env, stdout)
	status := exitDone
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitDone
	case err == nil && o.baseURL == "":
		err = demonstrate(ctx, o, stdout)
	case err == nil:
		status, err = o.work(ctx, stdout)
	}
	if err != nil {
		fmt.Fprintln(stdout, "chargebacks:", err)
		return exitFailed
	}
	return status
}

// work imports the file into the store that the options name, or settles an opening.
func (o options) work(ctx context.Context, out io.Writer) (status int, err error) {
	c, err := client.New(client.Config{
		BaseURL: o.baseURL, StoreID: client.ID(o.storeID), Token: client.StaticToken(o.token), UserAgent: o.userAgent,
	})
	if err != nil {
		return exitFailed, err
	}
	r, err := openRecord(ctx, o.journal, client.ID(o.storeID))
	if err != nil {
		return exitFailed, err
	}
	defer func() { err = errors.Join(err, r.db.Close()) }()
	if o.settled != nil {
		return exitDone, r.settle(ctx, o.settled)
	}
	file, err := os.Open(o.csv)
	if err != nil {
		return exitFailed, err
	}
	defer file.Close()
	rows, err := readRows(file)
	if err != nil {
		return exitFailed, fmt.Errorf("%s: %w", o.csv, err)
	}
	return newImporter(c, r).all(ctx, rows, out)
}

// all does the lines in their order, prints the result of each, and returns the exit status.
func (im *importer) all(ctx context.Context, rows []row, out io.Writer) (int, error) {
	counts := map[verdict]int{}
	for _, r := range rows {
		v, why, err := im.do(ctx, r)
		if err != nil {
			return exitFailed, fmt.Errorf("line %d: %w", r.line, err)
		}
		counts[v]++
		line := fmt.Sprintf("line %3d  %-8s %-19s %-8s %s", r.line, r.chargeback, r.status, v, why)
		fmt.Fprintln(out, strings.TrimRight(line, " "))
	}
	fmt.Fprintf(out, "%d lines: %d done, %d done before, %d refused, %d failed, %d unknown\n",
		len(rows), counts[done], counts[before], counts[refused], counts[failed], counts[unknown])
	switch {
	case counts[unknown] > 0:
		return exitUnknown, nil
	case counts[refused]+counts[failed] > 0:
		return exitRefused, nil
	}
	return exitDone, nil
}
