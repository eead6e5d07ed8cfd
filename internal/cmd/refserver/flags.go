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
		"`name` under which other machines reach the control API, such as localhost for a published port of a container; "+
			"whoever reaches it controls the platform, so publish it as -p 127.0.0.1:8082:8082; repeatable",
		func(s string) error {
			if s == "" || strings.ContainsAny(s, ":/ ") {
				return errors.New("must be a host name without a port")
			}
			c.unsafe = append(c.unsafe, strings.ToLower(s))
			return nil
		})
	f.BoolVar(&c.console, "console", false, "serve pages for a browser at the address of the control API, "+usualControl+" if none is set")
	f.StringVar(&c.clock, "clock", machineClock,
		"machine or virtual; with --control, machine can be moved ahead, and virtual changes only when it is moved, "+
			"so the rate limit lets no more requests through until then: see --bucket")
	f.Uint64Var(&c.server.Seed, "seed", 0,
		"`number` that ids follow from; with a virtual clock they repeat from run to run")
	f.BoolVar(&c.demo, "demo", false, "begin with a demo store and an app installed in it")
	f.BoolVar(&c.routes, "routes", false, "print the operations (method, path, versions, scope, provenance) and end")
	f.BoolVar(&c.server.AutoApprove, "auto-approve", false, "install apps without asking")
	f.BoolVar(&c.server.Strict, "strict", false, "accept only the documented header form of each version, and no write without a Content-Type")
	f.IntVar(&c.server.Bucket, "bucket", 0, "requests the rate bucket holds (0: 40)")
	f.IntVar(&c.server.Leak, "leak", 0, "requests the rate bucket loses per second (0: 2)")
	f.BoolVar(&c.server.Delivery.AllowNetwork, "allow-network", false, "send webhooks to public addresses without a --partner")
	f.IntVar(&c.kept, "log", 10000, "`number` of entries that the log keeps, with their bodies")
	f.DurationVar(&c.server.Delivery.ReadLate, "read-late", 30*time.Second,
		"with --control, `time` after its limit for which an answer is still read, for the log only; 0 ends the connection at the "+
			"limit, as the platform does")
	f.IntVar(&c.server.Delivery.AtOnce, "webhooks-at-once", 10, "`number` of webhooks that an app receives at a time; 1 sends them in order")
	f.Func("disable", "`feature` that the platform enables for no app, such as business_rules; repeatable", func(s string) error {
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
	f.Func("partner", "`origin=address,…` sends requests for an https origin to these addresses, in turn; repeatable", func(s string) error {
		origin, to, ok := strings.Cut(s, "=")
		if !ok {
			return errors.New("must be like https://app.example=http://127.0.0.1:3000")
		}
		c.partners = append(c.partners, partner{origin, strings.Split(to, ",")})
		return nil
	})
	f.Func("platform-domain", "`domain` of the platform, refused as an address of partners; repeatable", func(s string) error {
		c.server.PlatformDomains = append(c.server.PlatformDomains, s)
		return nil
	})
	readings := &c.server.Readings
	choose(f, "empty-list", "status of an empty list other than webhooks and lists below a record", &readings.EmptyList200, "404", "200")
	choose(f, "user-id", "form of user_id in the answer of the token exchange", &readings.UserIDNumber, "text", "number")
	choose(f, "token-errors", "status of a refused code or client", &readings.TokenErrors400, "200", "400")
	choose(f, "shipping-words", "unfulfilled and fulfilled, or the published words unshipped and shipped",
		&readings.PublishedShippingWords, "contract", "published")
	choose(f, "repeat-customers", "status of customers who are added to the price table that they are in",
		&readings.RepeatedCustomers204, "409", "204")
	choose(f, "absent-values", "status of a custom field without values, or empty to take it for one with an empty list",
		&readings.AbsentValuesEmpty, "422", "empty")
}

// bindFeatures adds the flag --feature of a command that starts a platform.
func bindFeatures(f *flag.FlagSet, features *[]string) {
	f.Func("feature", "`name` of a feature that the demo store has as well, such as fulfillment_order_label_api; repeatable",
		func(s string) error {
			*features = append(*features, s)
			return world.Known("feature of a store", s, world.StoreFeatures())
		})
}

// choose makes a flag for a question that the contract leaves open. Of the two answers, usual is the default.
func choose(f *flag.FlagSet, name, usage string, other *bool, usual, or string) {
	f.Func(name, fmt.Sprintf("%s: `%s|%s`", usage, usual, or), func(s string) error {
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
