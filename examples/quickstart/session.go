package main

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/clienttest/pages"
	"github.com/commerceplatform/commerce-go/client/v202503"
	"github.com/commerceplatform/commerce-go/oauth"
)

// session is one run of the program.
type session struct {
	o    options
	t    *transcript
	demo *clienttest.Server // nil for a real platform
	app  oauth.App          // without ID if there is no app secret
	site *site

	meter   *meter
	client  *client.Client // set by install, like the fields below
	store   *client.Store
	inbox   *inbox
	catalog catalog
	tree    []*branch
}

// open starts the app's own web server and, without a real platform, the reference server.
func open(o options, t *transcript) (*session, error) {
	s := &session{o: o, t: t, meter: newMeter(), inbox: newInbox()}
	s.app = oauth.App{ID: client.ID(o.appID), Secret: client.Secret(o.appSecret), AuthURL: o.authURL, Name: "Quickstart", UserAgent: o.userAgent}
	var err error
	if s.site, err = listen(o.listen); err != nil {
		return nil, err
	}
	if o.baseURL == "" {
		err = s.startPlatform()
	}
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	s.site.serve(s)
	t.print("The app listens at %s, the API at %s.", s.site.url, s.o.baseURL)
	return s, nil
}

// startPlatform runs the reference server. Like any platform it rejects webhooks to local hosts, so its requests to the
// public origin are forwarded to the app.
func (s *session) startPlatform() error {
	const public = "https://app.example"
	server, err := clienttest.Start(clienttest.Options{RealTime: true, AutoApprove: true, RedirectURL: s.site.url + callbackPath, Console: pages.At(s.o.console)})
	if err != nil {
		return err
	}
	s.demo = server
	if err := server.Listen("127.0.0.1:0"); err != nil {
		return err
	}
	app := server.App()
	s.app.ID, s.app.Secret, s.app.AuthURL = app.ID, app.Secret, app.AuthURL
	s.o.baseURL, s.o.publicURL, s.o.appSecret = server.URL(), public, app.Secret
	return server.Forward(public, s.site.url)
}

// connect creates the client when the store is known.
func (s *session) connect(ctx context.Context, config client.Config) error {
	config.BaseURL, config.UserAgent = s.o.baseURL, s.o.userAgent
	config.HTTPClient = &http.Client{Transport: s.meter}
	c, err := client.New(config)
	if err != nil {
		return err
	}
	s.client = c
	s.inbox.serve(config.StoreID)
	s.store, err = v202503.Store(s.client).Get(ctx)
	return err
}

// requests is the number of API calls so far, including retries.
func (s *session) requests() int { return int(s.meter.sent.Load()) }

func (s *session) close() error {
	if s.demo != nil {
		s.demo.Close()
	}
	s.meter.CloseIdleConnections()
	return s.site.close()
}

// meter is a transport that counts requests.
type meter struct {
	*http.Transport
	sent atomic.Int64
}

func newMeter() *meter {
	return &meter{Transport: client.NewTransport()}
}

// RoundTrip implements http.RoundTripper.
func (m *meter) RoundTrip(r *http.Request) (*http.Response, error) {
	m.sent.Add(1)
	return m.Transport.RoundTrip(r)
}
