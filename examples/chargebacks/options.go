package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
)

// options are the flags and the values of the environment.
type options struct {
	csv, journal, baseURL, userAgent, console string

	storeID int64
	token   client.Secret // from the environment, because others can read a command line
	settled *settlement   // nil to import the file
}

const help = `chargebacks opens and moves disputes by the chargebacks of a processor's CSV file.

Without flags it is a demonstration against a reference server in this process. A real platform requires -base-url,
-store-id, -csv and COMMERCE_TOKEN, the token of a payment app with the scopes write_payments and read_orders.

Every line of the file is one step of a chargeback, in the order in which they happened:

    chargeback                   the processor's id of the chargeback; required
    order, payment               the number of the order, and the processor's id of its payment; required
    status                       needs_response opens a dispute; documentation_sent, under_review, insured, won
                                 and lost update it; required
    withheld, currency           the amount withheld from the merchant after the step, such as 12.50 ARS; required
    reason, network_code         the reason, as a platform value and a card operator's code; to open
    amount, fee                  the disputed amount, and a processing fee that may be empty; to open
    opened, evidence_due         times; to open, the second may be empty
    evidence_url, evidence_sent  an https address and a time; may be empty
    closed                       a time; to close as won or lost

Finished lines are not repeated, and a refused line is retried only if it is changed. An opening with unknown outcome
is not sent again. Ask the platform's support, and record its answer with the same flags and

    settle CB-1 ORDER TRANSACTION DISPUTE   if it was opened: the ids of the order, the transaction and the dispute
    settle CB-1 none                        if it was not: the next import sends it again

Exit status: 0 every line was done, 1 the outcome of a line is unknown, 2 lines were refused or failed, 3 no result.

Flags:
`

// readOptions reads flags and environment.
func readOptions(args []string, env func(string) string, stdout io.Writer) (options, error) {
	var o options
	fs := flag.NewFlagSet("chargebacks", flag.ContinueOnError)
	fs.SetOutput(io.Discard) // errors are printed by the caller
	fs.StringVar(&o.csv, "csv", "", "`file` with the chargebacks")
	fs.StringVar(&o.journal, "journal", "chargebacks.journal", "SQLite `file` that records the sent requests")
	fs.StringVar(&o.baseURL, "base-url", "", "`address` of the API; empty means the demonstration")
	fs.StringVar(&o.userAgent, "user-agent", "Chargebacks (dev@app.example)", "`name` and contact of the app")
	fs.Int64Var(&o.storeID, "store-id", 0, "`id` of the store")
	fs.StringVar(&o.console, "console", "", "serve the demonstration's console on this `address`, and stay until Ctrl-C")
	err := fs.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fs.SetOutput(stdout)
		_, _ = io.WriteString(stdout, help)
		fs.PrintDefaults()
	}
	if err != nil {
		return o, err
	}
	o.token = client.Secret(env("COMMERCE_TOKEN"))
	if fs.Arg(0) == "settle" {
		o.settled, err = readSettlement(fs.Args()[1:])
	}
	switch {
	case err != nil:
		return o, err
	case fs.NArg() > 0 && o.settled == nil:
		return o, fmt.Errorf("argument %q: must be flags, or settle", fs.Arg(0))
	case o.baseURL == "" && (o.storeID != 0 || o.csv != "" || o.settled != nil):
		return o, errors.New("-base-url is missing: -store-id, -csv and settle require it")
	case o.baseURL != "" && o.console != "":
		return o, errors.New("-console is for the demonstration only: a real platform has no console")
	case o.baseURL != "" && (o.storeID <= 0 || o.token == "" || o.csv == "" && o.settled == nil):
		return o, errors.New("-base-url requires -store-id, -csv, and COMMERCE_TOKEN in the environment")
	}
	return o, nil
}

// readSettlement reads the arguments of settle.
func readSettlement(args []string) (*settlement, error) {
	if len(args) == 2 && args[1] == "none" {
		return &settlement{chargeback: args[0]}, nil
	}
	if len(args) != 4 {
		return nil, fmt.Errorf("settle %q: must be CHARGEBACK none, or CHARGEBACK ORDER TRANSACTION DISPUTE", args)
	}
	order, err := strconv.ParseInt(args[1], 10, 64)
	if err != nil {
		return nil, fmt.Errorf("settle: order %q: must be its id, a number", args[1])
	}
	transaction, err := uuid.Parse(args[2])
	if err != nil {
		return nil, fmt.Errorf("settle: transaction %q: %w", args[2], err)
	}
	return &settlement{args[0], &dispute{ID: args[3], Order: client.ID(order), Transaction: transaction}}, nil
}
