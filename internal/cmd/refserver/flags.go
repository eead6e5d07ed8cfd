package main

import (
	"errors"
	"flag"
	"fmt"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// config is the command line.
type config struct {
	addr     string
	control  string
	clock    string
	demo     bool
	json     bool
	console  bool
	routes   bool
	kept     int
	scopes   world.Scopes
	features []string
	unsafe   []string // names of this machine, under which others call the control API
	partners []partner
	origin   string // of the demo app; empty for that of the seed
	redirect string // where installations of the demo app end; empty for a path of the origin
	server   refserver.Options
}

// partner is an https origin and its real address or addresses, which are used in turn.
type partner struct {
	origin string
	to     []string
}

// bind adds the flags of the server.
func (c *config) bind(f *flag.FlagSet) {
	f.StringVar(&c.addr, "addr", "127.0.0.1:8080", "`address` to listen on; port 0 takes a free one")
	f.StringVar(&c.control, "control", "",
		"loopback `address` of the control API (GET /_/api/ lists it); port 0 takes a free one")
	f.Func("unsafe-control-host",
		"`name` under which other machines may call the control API, such as localhost for the published port of a container. "+
			"Anyone who can call it controls the platform, so publish the port as -p 127.0.0.1:8082:8082; repeatable",
		func(s string) error {
			if s == "" || strings.ContainsAny(s, ":/ ") {
				return errors.New("must be a host name without a port")
			}
			c.unsafe = append(c.unsafe, strings.ToLower(s))
			return nil
		})
	f.BoolVar(&c.console, "console", false, "serve pages for a browser at the address of --control ("+usualControl+" if it is empty)")
	f.StringVar(&c.clock, "clock", machineClock,
		"`clock` of the platform. A machine clock runs, and \"refserver clock\" can move it forward. A virtual one changes only when it is moved, "+
			"so once the bucket of the rate limit is full, no request is admitted until then: see --bucket")
	f.Uint64Var(&c.server.Seed, "seed", 0,
		"`number` from which ids are derived; with a virtual clock they are the same in each run")
	f.BoolVar(&c.demo, "demo", false, "begin with a demo store in which an app is installed")
	f.BoolVar(&c.routes, "routes", false, "list the operations of the API (method, path, versions, scope, provenance) and exit")
	f.BoolVar(&c.server.AutoApprove, "auto-approve", false, "install apps without asking the merchant for approval")
	f.BoolVar(&c.server.Strict, "strict", false, "reject requests whose token is not in the header that the version documents, and writes without a Content-Type")
	f.IntVar(&c.server.Bucket, "bucket", 0, "`number` of requests that the bucket of the rate limit holds; 0 means 40")
	f.IntVar(&c.server.Leak, "leak", 0, "`number` of requests that leave the bucket per second; 0 means 2")
	f.BoolVar(&c.server.Delivery.AllowNetwork, "allow-network", false, "send webhooks to public hosts that no --partner connects; otherwise they are not sent")
	f.IntVar(&c.kept, "log", 10000, "`number` of entries that the log keeps")
	f.DurationVar(&c.server.Delivery.ReadLate, "read-late", 30*time.Second,
		"`time` for which the log, with --control, waits for an answer that is late. The outcome is the same; with 0 the "+
			"connection ends at the limit, as on the platform")
	f.IntVar(&c.server.Delivery.AtOnce, "webhooks-at-once", 10, "`number` of webhooks that are sent to an app at the same time; 1 sends them in order")
	f.Func("disable", "turn off a `feature` of the platform, such as business_rules; repeatable", func(s string) error {
		c.server.Disabled = append(c.server.Disabled, s)
		return nil
	})
	bindFeatures(f, &c.features)
	f.Func("scopes", "comma-separated `list` of scopes of the demo app (default all)", func(s string) error {
		c.scopes = world.ParseScopes(s)
		for _, scope := range c.scopes {
			if err := world.Known("scope", scope, world.AllScopes()); err != nil {
				return err
			}
		}
		return nil
	})
	f.StringVar(&c.origin, "app-origin", "",
		"https `origin` of the demo app, whose addresses have the paths that \"refserver help serve\" lists (default https://app.example)")
	f.StringVar(&c.redirect, "redirect-url", "",
		"`URL` where installations of the demo app end, such as http://127.0.0.1:3000/oauth/callback (default /oauth/callback of --app-origin)")
	f.Func("partner", "`origin=address,…` sends the platform's requests for an https origin to these addresses in turn; repeatable", func(s string) error {
		origin, to, ok := strings.Cut(s, "=")
		if !ok {
			return errors.New("must be like https://app.example=http://127.0.0.1:3000")
		}
		c.partners = append(c.partners, partner{origin, strings.Split(to, ",")})
		return nil
	})
	f.Func("platform-domain", "`domain` of the platform, under which apps cannot register addresses; repeatable", func(s string) error {
		c.server.PlatformDomains = append(c.server.PlatformDomains, s)
		return nil
	})
	readings := &c.server.Readings
	choose(f, "empty-list", "status of an empty list; webhooks and lists of a record's parts always answer 200",
		&readings.EmptyList200, "404", "200")
	choose(f, "user-id", "type of user_id in the answer of the token exchange", &readings.UserIDNumber, "text", "number")
	choose(f, "token-errors", "status if the token exchange refuses the code or the client", &readings.TokenErrors400, "200", "400")
	choose(f, "shipping-words", "words of shipping_status: unfulfilled and fulfilled, or unshipped and shipped",
		&readings.PublishedShippingWords, "contract", "published")
	choose(f, "repeat-customers", "status if customers are added to a price table again", &readings.RepeatedCustomers204, "409", "204")
	choose(f, "absent-values", "answer to a custom field that is created without the member \"values\": status 422, or as with an empty list",
		&readings.AbsentValuesEmpty, "422", "empty")
}

// bindFeatures adds the flag --feature of a command that starts a platform.
func bindFeatures(f *flag.FlagSet, features *[]string) {
	f.Func("feature", "turn on a feature of the demo store by its `name`, such as fulfillment_order_label_api; repeatable",
		func(s string) error {
			*features = append(*features, s)
			return world.Known("feature of a store", s, world.StoreFeatures())
		})
}

// choose makes a flag for a question that the contract leaves open. Of the two answers, usual is the default.
func choose(f *flag.FlagSet, name, usage string, other *bool, usual, or string) {
	f.Func(name, fmt.Sprintf("`%s|%s`: %s (default %s)", usual, or, usage, usual), func(s string) error {
		if s != usual && s != or {
			return fmt.Errorf("must be %s or %s", usual, or)
		}
		*other = s == or
		return nil
	})
}

// The clocks of --clock.
const (
	machineClock = "machine"
	virtualClock = "virtual"
)

// setClock chooses the clock. Only the control API moves one.
func (c *config) setClock() error {
	if c.console && c.control == "" {
		c.control = usualControl
	}
	switch {
	case !c.demo && c.origin+c.redirect != "":
		return errors.New("--app-origin and --redirect-url: require --demo, which makes the app")
	case c.redirect != "" && !world.MayRedirect(c.redirect):
		return fmt.Errorf("--redirect-url %q: must be an absolute address, such as http://127.0.0.1:3000/oauth/callback", c.redirect)
	case c.clock == virtualClock && c.control == "":
		return errors.New("--clock virtual: requires --control, because nothing else moves the clock")
	case c.clock == virtualClock:
		c.server.Clock = clock.NewVirtual(clock.Start)
	case c.clock != machineClock:
		return fmt.Errorf("--clock %q: must be machine or virtual", c.clock)
	case c.control != "":
		c.server.Clock = new(clock.Ahead)
	}
	return c.setLog()
}

// setLog sets how many entries are kept, and for how long late answers are read. Only the control API shows them.
func (c *config) setLog() error {
	switch {
	case c.kept < 1:
		return fmt.Errorf("--log %d: must be at least 1", c.kept)
	case c.server.Delivery.ReadLate < 0 || c.server.Delivery.ReadLate > mostReadLate:
		return fmt.Errorf("--read-late %s: must be 0s to %s", c.server.Delivery.ReadLate, mostReadLate)
	}
	c.server.LogAnswers = c.control != ""
	c.server.Kept, c.server.LogSize, c.server.Delivery.Kept = c.kept, c.kept, c.kept
	if c.control == "" {
		c.server.Delivery.ReadLate, c.server.LogSize = 0, 0
	}
	return nil
}

// mostReadLate bounds the time for which a late answer is read.
const mostReadLate = 30 * time.Second
