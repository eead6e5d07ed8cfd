package doctor

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver"
	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/control"
	"github.com/commerceplatform/commerce-go/internal/refserver/seed"
)

// platform is the reference server that makes the genuine calls.
type platform struct {
	*control.Client
	app    int64
	store  int64
	secret string
	close  func()
}

// connect reaches the server of the options, or starts one.
func connect(ctx context.Context, o Options) (*platform, error) {
	address, end := o.Control, func() {}
	if address == "" {
		var err error
		if address, end, err = start(o.Secret); err != nil {
			return nil, err
		}
	}
	client, err := control.Dial(address)
	if err != nil {
		end()
		return nil, fmt.Errorf("%w: %w", ErrOptions, err)
	}
	p := &platform{Client: client, store: o.Store, close: func() { client.Close(); end() }}
	var info struct {
		App    int64  `json:"app_id"`
		Secret string `json:"client_secret"`
		Store  int64  `json:"store_id"`
	}
	if err = p.Call(ctx, http.MethodGet, "info", nil, &info); err == nil {
		p.app, p.secret = info.App, info.Secret
		if p.store == 0 {
			p.store = info.Store
		}
		if p.app == 0 || p.store == 0 {
			err = fmt.Errorf("the server has no app: start it with --demo: %w", ErrOptions)
		}
	}
	if err == nil && o.Secret != "" && o.Secret != p.secret {
		err = fmt.Errorf("secret: must be that of app %d at the server: %w", p.app, ErrOptions)
	}
	if err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

// start starts a platform on this machine whose demo app has the secret.
func start(secret string) (address string, end func(), err error) {
	s := refserver.New(refserver.Options{Clock: new(clock.Ahead), Bucket: 1 << 20, Leak: 1 << 20})
	shop, err := seed.Demo(s, nil)
	if err == nil && secret != "" {
		shop.App.Secret = secret
		shop.App, err = s.AddApp(shop.App)
	}
	if err != nil {
		s.Close()
		return "", nil, err
	}
	a := control.New(control.Options{Server: s, Shop: shop})
	end = func() { a.Close(); s.Close() }
	if address, err = a.Listen("127.0.0.1:0"); err != nil {
		end()
		return "", nil, err
	}
	return address, end, nil
}

// in is a path of the store.
func (p *platform) in(format string, args ...any) string {
	return fmt.Sprintf("stores/%d/", p.store) + fmt.Sprintf(format, args...)
}

// get reads an answer.
func get[T any](ctx context.Context, p *platform, path string) (answer T, err error) {
	err = p.Call(ctx, http.MethodGet, path, nil, &answer)
	return answer, err
}

// all reads the elements of a list, of many the last.
func all[T any](ctx context.Context, p *platform, path string) (out []T, err error) {
	err = p.Pages(ctx, path, func(raw json.RawMessage) error {
		var one T
		err := json.Unmarshal(raw, &one)
		out = append(out, one)
		return err
	})
	return out, err
}

type object = map[string]any

// changeTime is how long a change of the platform may take.
const changeTime = 30 * time.Second

// settled returns a context in which a change ends, whatever ctx does. A change that is left when ctx ends could arrive
// after the call that undoes it.
func settled(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), changeTime)
}

// put changes a setting of the server.
func (p *platform) put(ctx context.Context, path string, to any) error {
	ctx, cancel := settled(ctx)
	defer cancel()
	return p.Call(ctx, http.MethodPut, path, to, nil)
}

// act makes a call of the API in the name of the app.
func (p *platform) act(ctx context.Context, method, path string, body any) (id json.RawMessage, err error) {
	var made struct {
		Created []struct {
			ID json.RawMessage `json:"id"`
		} `json:"created"`
	}
	if method != http.MethodGet {
		var cancel context.CancelFunc
		ctx, cancel = settled(ctx)
		defer cancel()
	}
	record := object{"store": p.store, "app": p.app, "method": method, "path": path, "body": body}
	err = p.Call(ctx, http.MethodPost, "seed", object{"records": []object{record}}, &made)
	if err != nil || len(made.Created) == 0 {
		return nil, err
	}
	return made.Created[0].ID, nil
}

// keep remembers a setting of the server, to be put back at the end.
func (e *exam) keep(ctx context.Context, path string) error {
	was, err := get[json.RawMessage](ctx, e.platform, path)
	if err != nil {
		return err
	}
	e.restore = append(e.restore, func(ctx context.Context) error {
		return e.platform.put(ctx, path, was)
	})
	return nil
}

// partner is a host whose calls the server forwards.
type partner struct {
	Host    string   `json:"host"`
	Targets []string `json:"targets"`
	Source  string   `json:"source"`
	Inside  bool     `json:"in_process"`
}

// origin returns the origin that is forwarded to the program at an address.
func origin(to *url.URL, known []partner) string {
	for _, p := range known {
		if one := "https://" + p.Host; one != desk && slices.Contains(p.Targets, to.Scheme+"://"+to.Host) {
			return one
		}
	}
	return desk
}

// route has what goes to the origin delivered to the relay, until the end.
func (e *exam) route(ctx context.Context) error {
	known, err := all[partner](ctx, e.platform, "partners")
	if err != nil {
		return err
	}
	e.o.Origin = cmp.Or(e.o.Origin, origin(e.to, known))
	at, _ := url.Parse(e.o.Origin) // checked
	undo := e.unroute(at.Hostname())
	for _, p := range known {
		switch {
		case p.Host != at.Hostname():
		case p.Inside:
			return fmt.Errorf("origin %s: a handler in the process of the server has it; forward it to an address: %w",
				e.o.Origin, ErrOptions)
		default:
			undo = func(ctx context.Context) error {
				before := object{"origin": e.o.Origin, "targets": p.Targets, "source": p.Source}
				return e.platform.put(ctx, "partners", before)
			}
		}
	}
	e.restore = append(e.restore, undo) // before the change, whose answer may be lost
	to := object{"origin": e.o.Origin, "targets": []string{e.relay.address}}
	return e.platform.put(ctx, "partners", to)
}

// unroute returns what ends the delivery to a host, if there is one.
func (e *exam) unroute(host string) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		err := e.platform.Call(ctx, http.MethodDelete, "partners/"+url.PathEscape(host), nil, nil)
		if refusal, ok := errors.AsType[*control.Refusal](err); ok && refusal.Status == http.StatusNotFound {
			return nil
		}
		return err
	}
}

// address is what the platform calls the endpoint.
func (e *exam) address() string { return e.o.Origin + e.to.RequestURI() }

// errNothing is the error of a genuine call that the platform did not make.
var errNothing = errors.New("the platform made no call; the app may not be installed in the store")
