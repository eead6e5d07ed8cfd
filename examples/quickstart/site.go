package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strconv"

	"github.com/commerceplatform/commerce-go/oauth"
	"github.com/commerceplatform/commerce-go/webhook"
)

// The paths of the app's own site.
const (
	installPath  = "/install"
	callbackPath = "/oauth/callback"
	webhookPath  = "/webhooks"
)

// site is the web server of the app, for the merchant's browser and the platform's webhooks.
type site struct {
	url       string
	tokens    oauth.MemoryStore
	installed chan oauth.Install
	failures  chan error

	listener net.Listener
	server   *http.Server
	served   chan struct{}
}

func listen(addr string) (*site, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	at := l.Addr().(*net.TCPAddr)
	host := at.IP.String()
	if at.IP.IsUnspecified() {
		host = "localhost" // every address of this machine; browsers use localhost
	}
	return &site{
		url:       "http://" + net.JoinHostPort(host, strconv.Itoa(at.Port)),
		installed: make(chan oauth.Install, 1),
		failures:  make(chan error, 1),
		listener:  l,
	}, nil
}

// serve mounts the handlers and answers until close.
func (w *site) serve(s *session) {
	mux := http.NewServeMux()
	if s.app.ID != 0 {
		public := w.url // unless -public-url is set
		if s.demo == nil && s.o.publicURL != "" {
			public = s.o.publicURL
		}
		login := w.login(s.app, public)
		mux.HandleFunc("GET "+installPath, func(rw http.ResponseWriter, r *http.Request) { login.Begin(rw, r, "") })
		mux.Handle(callbackPath, login)
	}
	if s.o.appSecret != "" {
		s.inbox.handler = s.inbox.newHandler(s)
		mux.Handle(webhookPath, s.inbox.handler)
	}
	w.server = webhook.Server("", mux)
	w.served = make(chan struct{})
	go func() {
		defer close(w.served)
		_ = w.server.Serve(w.listener) // returns when the server is closed
	}()
}

// login ends installs at the redirect URL. It sends the first success or failure to the waiting caller.
func (w *site) login(app oauth.App, public string) *oauth.Handler {
	return &oauth.Handler{
		App:       app,
		Tokens:    &w.tokens,
		PublicURL: public,
		OnInstalled: func(_ context.Context, in oauth.Install) error {
			offer(w.installed, in)
			return nil
		},
		OnError: func(_ context.Context, err error) { offer(w.failures, err) },
	}
}

// offer sends v unless another value is waiting.
func offer[T any](to chan T, v T) {
	select {
	case to <- v:
	default:
	}
}

func (w *site) close() error {
	if w.server == nil {
		return w.listener.Close()
	}
	err := w.server.Close()
	<-w.served
	return err
}

// awaitInstall waits for the end of an install.
func (w *site) awaitInstall(ctx context.Context) (oauth.Install, error) {
	select {
	case in := <-w.installed:
		return in, nil
	case err := <-w.failures:
		return oauth.Install{}, err
	case <-ctx.Done():
		return oauth.Install{}, fmt.Errorf("waiting for the install: %w", ctx.Err())
	}
}
