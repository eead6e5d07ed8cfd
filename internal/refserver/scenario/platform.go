package scenario

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/control"
	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/seed"
)

// Platform is a server with the demo store, on which one scenario runs.
type Platform struct {
	Server *refserver.Server
	// Control is the address of its control API.
	Control string
	// Base is the address of its API, Shop its demo store, and Clock its clock, unless that is the machine's.
	Base  string
	Shop  seed.Shop
	Clock *clock.Virtual
	// Connect connects the programs or handlers of the app by https origin.
	Connect map[string]func() error
	// begin is where a merchant begins an installation, if not at the platform.
	begin   string
	cookies http.CookieJar // of the merchant
	close   func()
}

// Options say how a server is started.
type Options struct {
	// Addr is where the API listens; 127.0.0.1:0 if empty.
	Addr string
	// Secret is that of the app; it is generated if empty.
	Secret string
	// RedirectURL is where installations end, Begin where a merchant begins one, and Protection the address below which
	// privacy requests arrive: the name of the event follows it. Empty ones are the addresses of the demo app, whose
	// installations begin at the platform.
	RedirectURL, Begin, Protection string
	// Seed is the number that ids follow from. A program that runs for several scenarios must not see an id again.
	Seed uint64
	// Features are those of the demo store.
	Features []string
	// Real uses the machine's clock, which acts can move ahead. Otherwise the clock stands still between acts.
	Real bool
}

// Start starts a platform that listens for an app in another process.
func Start(o Options) (*Platform, error) {
	options := refserver.Options{
		Clock: new(clock.Ahead), Bucket: 1 << 20, Leak: 1 << 20, AutoApprove: true, LogAnswers: true, Seed: o.Seed,
	}
	p := &Platform{begin: o.Begin}
	p.cookies, _ = cookiejar.New(nil) // never fails without options
	if !o.Real {
		p.Clock = clock.NewVirtual(time.Now()) // apps compare the times of signatures with their own clock
		options.Clock = p.Clock
	}
	p.Server = refserver.New(options)
	p.close = p.Server.Close
	if err := p.open(o); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

// open makes the store and listens.
func (p *Platform) open(o Options) (err error) {
	if p.Shop, err = seed.Demo(p.Server, nil); err != nil {
		return err
	}
	if err := p.Server.AddFeatures(p.Shop.Store.ID, o.Features...); err != nil {
		return err
	}
	app := &p.Shop.App
	app.Secret, app.RedirectURL = cmp.Or(o.Secret, app.Secret), cmp.Or(o.RedirectURL, app.RedirectURL)
	if o.Protection != "" {
		app.Settings.StoreRedactURL = o.Protection + "/" + refserver.StoreRedact
		app.Settings.CustomersRedactURL = o.Protection + "/" + refserver.CustomersRedact
		app.Settings.CustomersDataRequestURL = o.Protection + "/" + refserver.CustomersDataRequest
	}
	if p.Shop.App, err = p.Server.AddApp(p.Shop.App); err != nil {
		return err
	}
	if p.Base, err = p.Server.Listen(cmp.Or(o.Addr, "127.0.0.1:0")); err != nil {
		return err
	}
	api := control.New(control.Options{Server: p.Server, BaseURL: p.Base, Shop: p.Shop})
	p.close = func() { api.Close(); p.Server.Close() }
	p.Control, err = api.Listen("127.0.0.1:0")
	return err
}

// Close ends the server.
func (p *Platform) Close() { p.close() }

// Forward connects the app to programs, by https origin.
func (p *Platform) Forward(to map[string]string) error {
	p.Connect = map[string]func() error{}
	for origin, address := range to {
		p.Connect[origin] = func() error { return p.Server.Forward(origin, address) }
	}
	return p.connect(true)
}

// Mount connects the app to handlers in this process, by https origin. Requests come from an address of this machine,
// as for a program.
func (p *Platform) Mount(handlers map[string]http.Handler) error {
	p.Connect = map[string]func() error{}
	for origin, h := range handlers {
		local := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.RemoteAddr = "127.0.0.1:443"
			h.ServeHTTP(w, r)
		})
		p.Connect[origin] = func() error { return p.Server.Partner(origin, local) }
	}
	return p.connect(true)
}

// connect connects the app, or takes it away.
func (p *Platform) connect(there bool) error {
	for origin, connect := range p.Connect {
		if !there {
			p.Server.RemovePartner(origin)
		} else if err := connect(); err != nil {
			return err
		}
	}
	return nil
}

// Bounds of a visit.
const (
	mostPages = 10
	mostWait  = 30 * time.Second
)

// visit opens an address and follows redirects, of the platform and of the app, as the browser of a merchant does. It
// keeps cookies, by which an app knows the browser that began an installation.
func (p *Platform) visit(ctx context.Context, address string) (any, error) {
	at, err := url.Parse(address)
	for range mostPages {
		if err != nil {
			return nil, err
		}
		page, err := p.get(ctx, at)
		if err != nil {
			if outer, ok := errors.AsType[*url.Error](err); ok {
				err = outer.Err // without the query, which has the code
			}
			return nil, fmt.Errorf("%s://%s%s: %w", at.Scheme, at.Host, at.Path, err)
		}
		if page.to == "" || page.status/100 != 3 {
			return map[string]any{"status": json.Number(fmt.Sprint(page.status)), "answer": page.body, "url": at.Path}, nil
		}
		if at, err = at.Parse(page.to); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("more than %d redirects", mostPages)
}

type page struct {
	status   int
	body, to string
}

// shown is what the browser has of an answer, whose cookies it keeps.
func (p *Platform) shown(at *url.URL, status int, body []byte, h http.Header) page {
	p.cookies.SetCookies(at, (&http.Response{Header: h}).Cookies())
	return page{status, short(string(bytes.TrimSpace(body))), h.Get("Location")}
}

// get gets a page: of the platform without a socket, of the app along its route.
func (p *Platform) get(ctx context.Context, at *url.URL) (page, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return page{}, err
	}
	for _, c := range p.cookies.Cookies(at) {
		r.AddCookie(c)
	}
	if !strings.HasPrefix(at.String(), p.Base) {
		reply := p.Server.Webhooks().Call(ctx, delivery.Call{
			Method: http.MethodGet, URL: at.String(), Header: r.Header, Timeout: mostWait,
		})
		return p.shown(at, reply.Status, reply.Body, reply.Header), reply.Err
	}
	resp, err := p.Server.Transport().RoundTrip(r)
	if err != nil {
		return page{}, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, delivery.MaxReply))
	return p.shown(at, resp.StatusCode, body, resp.Header), err
}
