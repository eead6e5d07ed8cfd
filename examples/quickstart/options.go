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

// options are the flags and the values of the environment.
type options struct {
	csv     string
	workers int
	wait    time.Duration

	baseURL, authURL, publicURL, listen string
	userAgent, signatureHeader, console string
	appID, storeID                      int64
	order                               bool // whether to create an order

	// Secrets come only from the environment, because other users of a machine can read a command line.
	token, appSecret client.Secret
}

const help = `quickstart imports a catalog into a store, compares every field and receives the webhooks.

Without flags it is a demonstration against a reference server in this process. A real platform requires
-base-url and either COMMERCE_TOKEN and -store-id, for an app that is installed, or -auth-url, -app-id and
COMMERCE_APP_SECRET, to install it. Webhooks require -public-url, an https origin that leads to -listen, and
COMMERCE_APP_SECRET; without them that part is skipped. Register <public-url>/oauth/callback as the redirect URL
of the app. Without -public-url, register that path at the address of -listen, which must be a loopback address.
Use a store for tests, because nothing is deleted afterwards. With -order the program also creates an order, which
requires the scope write_orders, packs it and ships it. It pays the order if the app has a payment provider in the
store.

Environment: COMMERCE_TOKEN and COMMERCE_APP_SECRET, which no flag takes, and for every flag its name in
capitals, for example COMMERCE_BASE_URL. A flag overrides the environment.

The CSV file has one row per variant. Rows with the same handle are one product. The columns about the product are
set in its first row, and empty or repeated in the others. XX is a language code, N is 1 to 3.

    handle                             names the product in the file and in the storefront's URL; required
    name_XX                            in at least one language; required
    description_XX                     HTML
    category_XX                        path in that language: Home > Kitchen > Mugs
    brand, tags                        tags are separated by commas
    published, free_shipping           true or false
    seo_title, seo_description         up to 70 and 320 characters
    attributeN_XX                      the difference between the variants: Colour
    valueN_XX                          the variant's value of the attribute: Red
    sku                                unique in the store
    price                              12.50; empty means that customers ask for the price
    promotional_price                  below the price
    stock                              pieces; empty means unlimited
    weight, width, height, depth       kilograms and centimetres
    barcode                            GTIN with a correct check digit
    image_src                          https URL of one more picture of the product

A bad row is reported with line and column. Only its own variant is left out, unless it is the first row of a product
and the product's own columns are bad. Then the product is left out.

Exit status: 0 everything compared equal, 1 something did not, 2 it did but rows were left out, 3 no result.

Flags:
`

// readOptions reads flags and environment. Every flag may be set by a variable; see help.
func readOptions(args []string, env func(string) string, stdout io.Writer) (options, error) {
	var o options
	fs := flag.NewFlagSet("quickstart", flag.ContinueOnError)
	fs.SetOutput(io.Discard) // errors are printed by the caller
	fs.StringVar(&o.csv, "csv", "", "`file` with the catalog; empty: the one of the demonstration")
	fs.IntVar(&o.workers, "workers", 8, "products to create at the same time")
	fs.DurationVar(&o.wait, "wait", time.Minute, "how long to wait for webhooks")
	fs.StringVar(&o.baseURL, "base-url", "", "`address` of the API; empty means the reference server")
	fs.StringVar(&o.authURL, "auth-url", "", "authorization `address`")
	fs.StringVar(&o.publicURL, "public-url", "", "https `origin` under which the platform reaches this program")
	fs.StringVar(&o.listen, "listen", "127.0.0.1:0", "`address` for the redirect and the webhooks")
	fs.StringVar(&o.userAgent, "user-agent", "Quickstart (dev@app.example)", "the app's `name` and a contact in parentheses")
	fs.StringVar(&o.signatureHeader, "signature-header", webhook.SignatureHeader, "`header` that signs webhooks")
	fs.Int64Var(&o.appID, "app-id", 0, "`id` of the app")
	fs.Int64Var(&o.storeID, "store-id", 0, "`id` of the store, with COMMERCE_TOKEN")
	fs.StringVar(&o.console, "console", "", "serve the console of the demonstration on this `address`, and stay until Ctrl-C")
	fs.BoolVar(&o.order, "order", false, "create an order as well; the demonstration always does")

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
	if o.publicURL = strings.TrimSuffix(o.publicURL, "/"); o.baseURL == "" {
		o.token, o.appSecret, o.order = "", "", true // the secrets are of another platform
	}
	return o, o.check(fs.Args())
}

// check reports flags that are missing or exclude each other.
func (o options) check(rest []string) error {
	switch {
	case len(rest) > 0:
		return fmt.Errorf("argument %q: must be flags only", rest[0])
	case o.workers < 1 || o.wait <= 0:
		return errors.New("-workers and -wait: must be more than 0")
	case o.baseURL == "" && (o.authURL != "" || o.publicURL != "" || o.appID != 0 || o.storeID != 0):
		return errors.New("-base-url is missing: the other flags of a real platform require it")
	case o.baseURL == "":
		return nil
	case o.console != "":
		return errors.New("-console is for the demonstration only: a real platform has no console")
	case o.token != "" && o.storeID == 0:
		return errors.New("-store-id is missing: COMMERCE_TOKEN does not say which store it is for")
	case o.token == "" && (o.authURL == "" || o.appID == 0 || o.appSecret == ""):
		return errors.New("credentials are missing: set COMMERCE_TOKEN and -store-id, or -auth-url, -app-id and COMMERCE_APP_SECRET")
	case o.publicURL != "" && o.appSecret == "":
		return errors.New("COMMERCE_APP_SECRET is missing: webhooks cannot be verified without it")
	}
	return nil
}
