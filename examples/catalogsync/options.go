package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
)

// options are what the command line and the environment say.
type options struct {
	db                        string
	perPage                   int
	overlap, every, reconcile time.Duration
	follow                    bool

	baseURL, publicURL, listen string
	userAgent, signatureHeader string
	storeID                    int64

	// Of the demonstration.
	products, orders int
	wait             time.Duration

	// Secrets come from the environment only: other users of a machine can read a command line.
	token, appSecret client.Secret
}

const help = `catalogsync mirrors the products and orders of a store into a SQLite file.

Without -base-url it is a demonstration against a reference server in this process: it runs itself, kills
what it runs while the store changes, and compares the file with the store. A real platform is told by
-base-url, -store-id and COMMERCE_TOKEN. Webhooks need -follow, -public-url, an https origin that leads to
-listen, and COMMERCE_APP_SECRET.

Environment: COMMERCE_TOKEN and COMMERCE_APP_SECRET, which no flag takes, and for every flag its name in
capitals, for example COMMERCE_BASE_URL. A flag goes before the environment.

Exit status: 0 everything is mirrored, 1 something is not, 3 no result.

Flags:
`

// readOptions reads flags and environment. Every flag may be set by a variable; see help.
func readOptions(args []string, env func(string) string, stdout io.Writer) (options, error) {
	var o options
	fs := flag.NewFlagSet("catalogsync", flag.ContinueOnError)
	fs.SetOutput(io.Discard) // errors are printed by the caller
	fs.StringVar(&o.db, "db", "", "SQLite `file`; empty: catalog.db, or a temporary one in the demonstration")
	fs.IntVar(&o.perPage, "per-page", client.MaxPerPage, "records per transaction, and per page of products")
	fs.DurationVar(&o.overlap, "overlap", client.SyncOverlap, "how much further back than the watermark changes are asked for")
	fs.BoolVar(&o.follow, "follow", false, "go on until interrupted")
	fs.DurationVar(&o.every, "every", time.Minute, "with -follow: time between questions for changes")
	fs.DurationVar(&o.reconcile, "reconcile", 24*time.Hour, "with -follow: time between comparisons of all records")
	fs.StringVar(&o.baseURL, "base-url", "", "`address` of the API; empty: the demonstration")
	fs.Int64Var(&o.storeID, "store-id", 0, "`id` of the store")
	fs.StringVar(&o.publicURL, "public-url", "", "https `origin` under which the platform reaches this program")
	fs.StringVar(&o.listen, "listen", "127.0.0.1:0", "`address` for the webhooks")
	fs.StringVar(&o.userAgent, "user-agent", "Catalogsync (dev@app.example)", "the app's `name` and a contact in parentheses")
	fs.StringVar(&o.signatureHeader, "signature-header", webhook.SignatureHeader, "`header` that signs webhooks")
	fs.IntVar(&o.products, "products", 600, "products of the demonstration")
	fs.IntVar(&o.orders, "orders", 300, "orders of the demonstration")
	fs.DurationVar(&o.wait, "wait", 2*time.Minute, "how long the demonstration may take")

	var wrong error
	fs.VisitAll(func(f *flag.Flag) {
		name := "COMMERCE_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		if v := env(name); v != "" {
			if err := f.Value.Set(v); err != nil {
				wrong = errors.Join(wrong, fmt.Errorf("%s %q: %w", name, v, err))
			}
		}
	})
	o.token, o.appSecret = client.Secret(env("COMMERCE_TOKEN")), client.Secret(env("COMMERCE_APP_SECRET"))
	err := fs.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fs.SetOutput(stdout)
		_, _ = io.WriteString(stdout, help)
		fs.PrintDefaults()
	}
	if err = errors.Join(err, wrong); err != nil {
		return o, err
	}
	if o.publicURL = strings.TrimSuffix(o.publicURL, "/"); o.baseURL != "" && o.db == "" {
		o.db = "catalog.db"
	}
	return o, o.check(fs.Args())
}

// least is the smallest demonstration that all its kills fit into.
const least = 40

// check says what is missing or cannot be together.
func (o options) check(rest []string) error {
	switch {
	case len(rest) > 0:
		return fmt.Errorf("argument %q: want flags only", rest[0])
	case o.perPage < 1 || o.perPage > client.MaxPerPage:
		return fmt.Errorf("-per-page %d: want 1 to %d", o.perPage, client.MaxPerPage)
	case o.overlap < 0:
		return fmt.Errorf("-overlap %v: want 0 or more", o.overlap)
	case o.every <= 0:
		return fmt.Errorf("-every %v: want more than 0", o.every)
	case o.reconcile <= 0:
		return fmt.Errorf("-reconcile %v: want more than 0", o.reconcile)
	case o.baseURL == "" && (o.publicURL != "" || o.storeID != 0 || o.follow):
		return errors.New("-base-url is missing: the other flags of a real platform need it")
	case o.baseURL == "":
		return o.checkDemonstration()
	case o.token == "" || o.storeID == 0:
		return errors.New("want COMMERCE_TOKEN and -store-id with -base-url")
	case o.publicURL != "" && (o.appSecret == "" || !o.follow):
		return errors.New("-public-url: webhooks need COMMERCE_APP_SECRET, to be verified, and -follow, to be received")
	}
	return nil
}

func (o options) checkDemonstration() error {
	switch {
	case o.products < least:
		return fmt.Errorf("-products %d: want %d or more", o.products, least)
	case o.orders < least:
		return fmt.Errorf("-orders %d: want %d or more", o.orders, least)
	case o.wait <= 0:
		return fmt.Errorf("-wait %v: want more than 0", o.wait)
	}
	return nil
}
