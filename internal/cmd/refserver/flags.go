package main

import (
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// config is the command line.
type config struct {
	addr     string
	demo     bool
	json     bool
	routes   bool
	scopes   world.Scopes
	partners []partner
	server   refserver.Options
}

// partner is an https origin and where it really is.
type partner struct{ origin, to string }

func parse(args []string, stderr io.Writer) (config, error) {
	var c config
	f := flag.NewFlagSet("refserver", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&c.addr, "addr", "127.0.0.1:8080", "`address` to listen on; port 0 takes a free one")
	f.BoolVar(&c.demo, "demo", false, "begin with a demo store and an app installed in it")
	f.BoolVar(&c.json, "json", false, "print the addresses and credentials as one line of JSON")
	f.BoolVar(&c.routes, "routes", false, "print the operations (method, path, versions, scope, provenance) and end")
	f.BoolVar(&c.server.AutoApprove, "auto-approve", false, "install apps without asking")
	f.BoolVar(&c.server.Strict, "strict", false, "accept only the documented header form of each version, and no write without a Content-Type")
	f.BoolVar(&c.server.RepeatOK, "repeat-customers", false, "ignore customers who are added to the price table that they are in")
	f.IntVar(&c.server.Bucket, "bucket", 0, "requests the rate bucket holds (0: 40)")
	f.IntVar(&c.server.Leak, "leak", 0, "requests the rate bucket loses per second (0: 2)")
	f.BoolVar(&c.server.Delivery.AllowNetwork, "allow-network", false, "send webhooks to public addresses without a --partner")
	f.Func("scopes", "comma-separated `list` of scopes of the demo app (default all)", func(s string) error {
		c.scopes = world.ParseScopes(s)
		return nil
	})
	f.Func("partner", "`origin=address` sends what goes to an https origin elsewhere; repeatable", func(s string) error {
		origin, to, ok := strings.Cut(s, "=")
		if !ok {
			return fmt.Errorf("want https://app.example=http://127.0.0.1:3000")
		}
		c.partners = append(c.partners, partner{origin, to})
		return nil
	})
	f.Func("platform-domain", "`domain` of the platform, refused as an address of partners; repeatable", func(s string) error {
		c.server.PlatformDomains = append(c.server.PlatformDomains, s)
		return nil
	})
	if err := f.Parse(args); err != nil {
		return config{}, err
	}
	if f.NArg() > 0 {
		return config{}, fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	return c, nil
}
