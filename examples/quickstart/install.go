package main

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/http/cookiejar"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/oauth"
)

// install gets a token by the redirect flow, unless a token is given.
func (s *session) install(ctx context.Context) error {
	if s.o.token != "" {
		s.t.note("skipped: the token is given")
		return s.greet(ctx, client.Config{StoreID: client.ID(s.o.storeID), Token: client.StaticToken(s.o.token)})
	}
	if s.demo == nil {
		s.t.note("open %s%s in a browser and approve the app", cmp.Or(s.o.publicURL, s.site.url), installPath)
	} else if err := s.browse(ctx); err != nil {
		return err
	}
	in, err := s.site.awaitInstall(ctx)
	if err != nil {
		return err
	}
	s.t.note("the token for store %d is stored, with %s", in.StoreID, count(len(in.Scopes), "scope", "scopes"))
	need := []oauth.Scope{oauth.ScopeWriteProducts}
	if s.o.order {
		need = append(need, oauth.ScopeWriteOrders)
	}
	if missing := in.Scopes.Missing(need...); len(missing) > 0 {
		return fmt.Errorf("the app was not granted %s", missing)
	}
	return s.greet(ctx, client.Config{StoreID: in.StoreID, Token: oauth.TokenSource(ctx, &s.site.tokens, in.StoreID)})
}

// greet makes the first call of the API.
func (s *session) greet(ctx context.Context, config client.Config) error {
	if err := s.connect(ctx, config); err != nil {
		return err
	}
	s.t.check(s.store.ID == config.StoreID, "the API answers as store %d, %q, in %s", s.store.ID, s.store.Name.Get(s.store.MainLanguage), s.store.MainCurrency)
	return nil
}

// browse acts as the merchant's browser, with its cookies and its redirects. It prints no queries, because they hold
// the state and the code.
func (s *session) browse(ctx context.Context) error {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return err
	}
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	hop := func(r *http.Request) { s.t.note("GET %s://%s%s", r.URL.Scheme, r.URL.Host, r.URL.Path) }
	browser := &http.Client{
		Jar:       jar,
		Transport: transport,
		CheckRedirect: func(r *http.Request, _ []*http.Request) error {
			hop(r)
			return nil
		},
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.site.url+installPath, nil)
	if err != nil {
		return err
	}
	hop(r)
	page, err := browser.Do(r)
	if err != nil {
		return err
	}
	s.t.check(page.StatusCode == http.StatusOK, "the browser ends on a page with status %d", page.StatusCode)
	return page.Body.Close()
}
