package main

import (
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/commerceplatform/commerce-go/client"
)

// options are what the command line and the environment say.
type options struct {
	csv, journal, baseURL, userAgent string
	storeID                          int64
	token                            client.Secret // from the environment only: others can read a command line
}

const help = `chargebacks opens and moves disputes by the chargebacks of a processor's CSV file.

Without flags it is a demonstration against a reference server in this process. A real platform is told by
-base-url, -store-id and COMMERCE_TOKEN, the token of a payment app with the scopes write_payments and read_orders.

Every line of the file is one step of a chargeback, in the order in which they happened:

  chargeback                   the processor's id of the chargeback; required
  order, payment               the number of the order, and the processor's id of its payment; required
  status                       needs_response opens a dispute; documentation_sent, under_review, insured, won
                               and lost move it; required
  withheld, currency           what is withheld from the merchant after the step: 12.50 ARS; required
  reason, network_code         why, in the platform's words and as the card operator's code; to open
  amount, fee                  what is disputed, and a processing fee that may be empty; to open
  opened, evidence_due         times; to open, the second may be empty
  evidence_url, evidence_sent  an https address and a time; may be empty
  closed                       a time; to close as won or lost

The journal holds a JSON object per line. What was done is not done again, and what was refused is tried again only
if its line is changed. An opening whose outcome is unknown is not sent again: ask the platform's
people, and append what they say, with the order and the transaction of the journal's intent:

  {"chargeback":"CB-1","status":"needs_response","outcome":"done","order":7,"transaction":"…","dispute":"…"}
  {"chargeback":"CB-1","status":"needs_response","outcome":"failed"}      to send it once more

Run one import at a time.

Exit status: 0 every line was done, 1 the outcome of a line is unknown, 2 lines were refused or failed, 3 no result.

Flags:
`

// readOptions reads flags and environment.
func readOptions(args []string, env func(string) string, stdout io.Writer) (options, error) {
	var o options
	fs := flag.NewFlagSet("chargebacks", flag.ContinueOnError)
	fs.SetOutput(io.Discard) // errors are printed by the caller
	fs.StringVar(&o.csv, "csv", "testdata/chargebacks.csv", "`file` with the chargebacks")
	fs.StringVar(&o.journal, "journal", "chargebacks.journal", "`file` that remembers what was sent")
	fs.StringVar(&o.baseURL, "base-url", "", "`address` of the API; empty: the reference server, with a journal of its own")
	fs.StringVar(&o.userAgent, "user-agent", "Chargebacks (dev@app.example)", "the app's `name` and a contact in parentheses")
	fs.Int64Var(&o.storeID, "store-id", 0, "`id` of the store")
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
	switch {
	case fs.NArg() > 0:
		return o, fmt.Errorf("argument %q: want flags only", fs.Arg(0))
	case o.baseURL != "" && (o.storeID == 0 || o.token == ""):
		return o, errors.New("-store-id or COMMERCE_TOKEN is missing: -base-url needs both")
	case o.baseURL == "" && o.storeID != 0:
		return o, errors.New("-base-url is missing: -store-id is of a real platform")
	}
	return o, nil
}
