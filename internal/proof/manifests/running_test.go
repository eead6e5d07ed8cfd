package manifests

import (
	"context"
	"io"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/internal/proctest"
)

// here returns the arguments with other values for flags that lead elsewhere. A flag that is missing stays missing.
func (c *container) here(values map[string]string) (args []string) {
	for _, arg := range c.args {
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		if value, ok := values[name]; ok {
			arg = "-" + name + "=" + value
		}
		args = append(args, arg)
	}
	return args
}

// local are values for here with which a program runs on this machine.
func local(t *testing.T) map[string]string {
	return map[string]string{
		"database": filepath.Join(t.TempDir(), "app.db"), "listen": "127.0.0.1:0", "ops": "127.0.0.1:0",
	}
}

// newPlatform serves the reference server, in whose store there are products.
func newPlatform(t *testing.T) *clienttest.Server {
	t.Helper()
	platform := clienttest.New(t, clienttest.Options{
		Demo: true, RealTime: true, AutoApprove: true, RedirectURL: "https://app.example/oauth/callback",
	})
	if err := platform.Listen("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	return platform
}

// run starts a container of a manifest with other values of flags, until the end of the test.
func (p *flagship) run(t *testing.T, c *container, values, env map[string]string) (address string) {
	t.Helper()
	child := proctest.StartCommand(t, p.command(context.WithoutCancel(t.Context()), c.here(values), env))
	address, err := listens(child.Line(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { child.Kill(t) })
	return address
}

// answers returns the probes that a process does not answer, and the paths that it does not have.
func (c *container) answers(ctx context.Context, address string) (f findings) {
	for _, path := range c.probes {
		got := statusOf(ctx, http.MethodGet, address+path)
		f.check(got == http.StatusOK, "%s: the probe %s is answered %d", c.name, path, got)
	}
	for _, path := range c.paths {
		got := statusOf(ctx, http.MethodPost, address+path)
		f.check(got != 0 && got != http.StatusNotFound && got != http.StatusMethodNotAllowed,
			"%s: %s is answered %d", c.name, path, got)
	}
	return f
}

// The arguments and the environment of each container start the program, which answers the probes. A merchant installs
// it, its webhooks arrive, and so do the store's carts.
func TestContainersRun(t *testing.T) {
	p := program
	for _, c := range p.containers(t) {
		t.Run(strings.ReplaceAll(c.name, ": ", "_"), func(t *testing.T) {
			platform := newPlatform(t)
			values, env, known := local(t), maps.Clone(c.env), platform.App()
			values["base-url"], values["auth-url"], values["app-id"] = platform.URL(), known.AuthURL, known.ID.String()
			values["carts-from"], env["COMMERCE_APP_SECRET"] = "127.0.0.1", string(known.Secret)
			address := p.run(t, &c, values, env)
			for _, f := range c.answers(t.Context(), address) {
				t.Error(f)
			}
			if err := platform.Forward("https://app.example", address); err != nil {
				t.Fatal(err)
			}
			install(t, platform, address)
			api := platform.Client()
			hooks, err := v202503.Webhooks(api).List(client.WebhookFilter{}).Collect(t.Context())
			if err != nil || len(hooks) == 0 {
				t.Fatalf("%d webhooks, %v", len(hooks), err)
			}
			page, err := v202503.Products(api).List(client.ProductFilter{}).Page(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := v202503.Products(api).Update(t.Context(), page.Items[0].ID,
				client.ProductInput{Tags: client.Set("gift")}); err != nil {
				t.Fatal(err)
			}
			delivered(t, platform)
			sendsCart(t, platform, page.Items[1].Variants[0].ID)
		})
	}
}

// install lets a merchant install the app in a browser. The app's public address leads to a process.
func install(t *testing.T, platform *clienttest.Server, address string) {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	through := &http.Transport{DisableKeepAlives: true}
	browser := &http.Client{Jar: jar, Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
		if r.URL.Host != "app.example" {
			return through.RoundTrip(r)
		}
		to, err := url.Parse(address)
		if err != nil {
			return nil, err
		}
		out := r.Clone(r.Context())
		out.Host, out.URL.Scheme, out.URL.Host = r.URL.Host, to.Scheme, to.Host
		answer, err := through.RoundTrip(out)
		if err == nil {
			answer.Request = r
		}
		return answer, err
	})}
	page, err := browser.Get("https://app.example/oauth/callback")
	if err != nil {
		t.Fatal(err)
	}
	shown, err := io.ReadAll(page.Body)
	_ = page.Body.Close()
	if err != nil || !strings.Contains(string(shown), "Store "+platform.StoreID().String()) {
		t.Fatalf("after the installation: %d, %v, %s", page.StatusCode, err, shown)
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// delivered waits until all webhooks were delivered.
func delivered(t *testing.T, platform *clienttest.Server) {
	t.Helper()
	if err := platform.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	all := platform.Deliveries()
	for _, d := range all {
		if !d.Delivered {
			t.Errorf("%s was not delivered: %+v", d.Event, d.Attempts)
		}
	}
	if len(all) == 0 {
		t.Error("no webhook was sent")
	}
}

// sendsCart fills a cart, which the app must be asked about and answer.
func sendsCart(t *testing.T, platform *clienttest.Server, variant client.ID) {
	t.Helper()
	shop := platform.Shop(clienttest.ShopOptions{})
	basket, err := shop.NewCart(clienttest.Visitor{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := basket.Add(t.Context(), variant, 1); err != nil {
		t.Fatal(err)
	}
	runs := shop.Runs()
	for _, r := range runs {
		if r.Status != http.StatusOK && r.Status != http.StatusNoContent {
			t.Errorf("the cart is answered %d: %s", r.Status, r.Outcome)
		}
	}
	if len(runs) == 0 {
		t.Error("no cart was sent")
	}
}
