// Command chargebacks opens and moves disputes by the chargebacks of a processor's CSV file, and tells of every line
// what was done, or why not.
//
//	go run ./examples/chargebacks
//
// needs nothing but Go: without flags the platform is the reference server, in this process, and the file is imported
// twice to show that the second time changes nothing. Flags point it at a real platform; -h lists them and describes
// the file.
//
// Disputes cannot be listed and a creation has no key, so what was sent is remembered in a journal: every request is
// written down and synced to the disk before it is sent, and its outcome after. Whatever cuts the program off, the next
// run knows what may have happened. An opening without a known outcome is reported and not sent again, as a second
// dispute would withhold the merchant's money twice; a move without one is read from the dispute.
//
// The exit status is 0 if every line was done, in this run or before, 1 if the outcome of a line is not known, 2 if
// lines were refused or failed, and 3 if the program could not do its work. The demonstration ends with 0.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/v1"
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
	if errors.Is(err, flag.ErrHelp) {
		return exitDone
	}
	status := exitDone
	if err == nil && o.baseURL == "" {
		err = demonstrate(ctx, o, stdout)
	} else if err == nil {
		status, err = o.importFile(ctx, stdout)
	}
	if err != nil {
		fmt.Fprintln(stdout, "chargebacks:", err)
		return exitFailed
	}
	return status
}

// importFile imports the file into the store that the options name.
func (o options) importFile(ctx context.Context, out io.Writer) (int, error) {
	c, err := client.New(client.Config{BaseURL: o.baseURL, StoreID: client.ID(o.storeID), Token: client.StaticToken(o.token), UserAgent: o.userAgent})
	if err != nil {
		return exitFailed, err
	}
	return importFile(ctx, v1.New(c), o.csv, o.journal, out)
}

// importFile does every line of a file, tells about it and returns the exit status.
func importFile(ctx context.Context, api *v1.API, csv, journal string, out io.Writer) (int, error) {
	rows, err := readRows(csv)
	if err != nil {
		return exitFailed, err
	}
	j, err := openJournal(journal)
	if err != nil {
		return exitFailed, err
	}
	status, err := newImporter(api, j).all(ctx, rows, out)
	return status, errors.Join(err, j.close())
}

// all does the lines in their order.
func (im *importer) all(ctx context.Context, rows []row, out io.Writer) (int, error) {
	counts := map[verdict]int{}
	for _, r := range rows {
		v, why, err := im.do(ctx, r)
		if err != nil {
			return exitFailed, fmt.Errorf("line %d: %w", r.line, err)
		}
		counts[v]++
		fmt.Fprintf(out, "line %3d  %-8s %-19s %-8s %s\n", r.line, r.chargeback, r.status, v, why)
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
