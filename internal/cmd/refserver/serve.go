package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/client/contract"
	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/console"
	"github.com/commerceplatform/commerce-go/internal/refserver/control"
	"github.com/commerceplatform/commerce-go/internal/refserver/seed"
	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// grace is how long answers in progress may take after the command has to stop.
const grace = 2 * time.Second

// info is the data that a caller requires to begin.
type info struct {
	BaseURL      string `json:"base_url"`
	AuthURL      string `json:"auth_url"`
	AppID        int64  `json:"app_id"`
	ClientSecret string `json:"client_secret"`
	StoreID      int64  `json:"store_id"`
	AccessToken  string `json:"access_token"`
	ControlURL   string `json:"control_url,omitempty"`
}

func serveCommand() command {
	return command{
		name: "serve", args: "[FLAGS]", does: "runs the platform until it is stopped; the default command", alone: true,
		lesson: `It prints its address. With --demo it also prints a store, an app that is installed in it, and a token. --control serves
the control API, which the other commands call. SIGINT and SIGTERM end it. All state is in memory and is lost at the end.
The next process uses the same ids again, so delete the data that your app has stored about them.

    refserver serve --demo --control 127.0.0.1:8082 --partner https://app.example=http://127.0.0.1:3000

The platform then sends requests for https://app.example to the program on port 3000. That is the origin of the demo
app: installations end at /oauth/callback, and privacy requests are sent to /hooks/store/redact, /hooks/customers/redact
and /hooks/customers/data_request. --app-origin sets another one. --redirect-url sets the address at which a browser
reaches the app:

    refserver serve --demo --console --partner https://app.example=http://127.0.0.1:3000 \
        --redirect-url http://127.0.0.1:3000/oauth/callback`,
		bind: func(f *flag.FlagSet) func(context.Context, *env) error {
			c := new(config)
			c.bind(f)
			return func(ctx context.Context, e *env) error {
				if err := c.setClock(); err != nil {
					return fmt.Errorf("%w%w", err, silent{errUsage})
				}
				c.json = e.json
				return serve(ctx, *c, e.stdout, e.stderr)
			}
		},
	}
}

// serve runs the platform until ctx ends.
func serve(ctx context.Context, c config, stdout, stderr io.Writer) error {
	c.server.OnRequest = reportTo(stderr)
	c.server.Delivery.NoRoute = reportOnce(stderr)
	s := refserver.New(c.server)
	defer s.Close()
	if err := s.Check(); err != nil {
		return fmt.Errorf("%w%w", err, silent{errUsage})
	}
	if c.routes {
		return printRoutes(stdout, s)
	}
	for _, p := range c.partners {
		if err := s.Spread(p.origin, p.to, ""); err != nil {
			return fmt.Errorf("--partner: %w%w", err, silent{errUsage})
		}
	}
	l, err := net.Listen("tcp", c.addr)
	if err != nil {
		return err
	}
	base := "http://" + control.Reach(l, c.unsafe)
	in := info{BaseURL: base, AuthURL: base + refserver.AuthPath}
	var shop seed.Shop
	if c.demo {
		if shop, err = seed.Demo(s, c.scopes); err == nil {
			err = s.AddFeatures(shop.Store.ID, c.features...)
		}
		if err == nil {
			shop.App, err = c.settle(s, shop.App)
		}
		if err != nil {
			return errors.Join(err, l.Close())
		}
		in.AppID, in.ClientSecret = shop.App.ID, shop.App.Secret
		in.StoreID, in.AccessToken = shop.Store.ID, shop.Install.Token
	}
	if c.control != "" {
		a := control.New(control.Options{Server: s, BaseURL: base, Shop: shop, UnsafeHosts: c.unsafe})
		defer a.Close()
		if c.console {
			a.Mount(console.New(a, contract.Files))
		}
		if in.ControlURL, err = a.Listen(c.control); err != nil {
			return errors.Join(err, l.Close())
		}
	}
	if err := announce(stdout, in, c); err != nil {
		return errors.Join(err, l.Close())
	}
	return listen(ctx, l, s)
}

// settle gives the demo app the addresses of --app-origin and --redirect-url.
func (c config) settle(s *refserver.Server, app world.App) (world.App, error) {
	if c.origin != "" {
		u, err := url.Parse(c.origin)
		if err == nil {
			err = s.CheckURL(c.origin)
		}
		if err == nil && u.Path != "" {
			err = errors.New("must have no path")
		}
		if err != nil {
			return app, fmt.Errorf("--app-origin %q: %w; it must be like https://app.example%w", c.origin, err, silent{errUsage})
		}
		seed.Settle(&app, c.origin)
	}
	app.RedirectURL = cmp.Or(c.redirect, app.RedirectURL)
	return s.AddApp(app)
}

// reportTo writes a line for each different request with a hint, such as one whose path is misspelt.
func reportTo(stderr io.Writer) func(traffic.Request) {
	report := reportOnce(stderr)
	return func(e traffic.Request) {
		if e.Hint != "" {
			path, _, _ := strings.Cut(e.Path, "?") // the query may have secrets
			report(fmt.Errorf("%d %.20q %.200q: %s", e.Status, e.Method, path, e.Hint))
		}
	}
}

// mostReports is the number of different reports of a kind.
const mostReports = 100

// reportOnce writes a line for each different error, because what causes it is repeated.
func reportOnce(stderr io.Writer) func(error) {
	lines := log.New(stderr, "refserver: ", 0)
	var mu sync.Mutex
	reported := make(map[string]bool)
	return func(err error) {
		mu.Lock()
		defer mu.Unlock()
		text := err.Error()
		if reported[text] || len(reported) > mostReports {
			return
		}
		if len(reported) == mostReports {
			lines.Printf("there were %d different reports like this one; others are not shown", mostReports)
		} else {
			lines.Print(text)
		}
		reported[text] = true
	}
}

// listen answers requests until ctx ends.
func listen(ctx context.Context, l net.Listener, h http.Handler) error {
	srv := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	failed := make(chan error, 1)
	go func() { failed <- srv.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	if err := srv.Shutdown(last); err != nil {
		return srv.Close()
	}
	return nil
}

func announce(w io.Writer, in info, c config) error {
	if c.json {
		return json.NewEncoder(w).Encode(in)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "base URL   %s\nauth URL   %s\n", in.BaseURL, in.AuthURL)
	if in.ControlURL != "" {
		fmt.Fprintf(&b, "control    %s\n", in.ControlURL)
		if c.console {
			fmt.Fprintf(&b, "console    %s\n", strings.TrimSuffix(in.ControlURL, control.Prefix[1:]))
		}
	}
	if c.demo {
		fmt.Fprintf(&b, "store      %d\napp        %d\nsecret     %s\ntoken      %s\n\n", in.StoreID, in.AppID, in.ClientSecret, in.AccessToken)
		fmt.Fprintf(&b, "curl -H 'Authorization: Bearer %s' %s/v1/%d/store\n", in.AccessToken, in.BaseURL, in.StoreID)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func printRoutes(w io.Writer, s *refserver.Server) error {
	for _, op := range s.Ops() {
		_, err := fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n",
			op.Method, op.Path, strings.Join(op.AllVersions(), ","), op.ScopeText(), op.Origin())
		if err != nil {
			return err
		}
	}
	return nil
}
