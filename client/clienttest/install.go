package clienttest

import (
	"context"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"strings"

	"golang.org/x/oauth2"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// userAgent names the client of tests.
const userAgent = "Tests (tests@app.example)"

// Client returns a client of the installed app. It has the token and the scopes of the latest installation, which are
// all scopes unless Install named some. With scopes, it is a client of another app that was granted only these. Client
// panics if a scope does not exist, because the test is wrong then.
func (s *Server) Client(scopes ...string) *client.Client {
	token := oauth2.TokenSource(current{s})
	if len(scopes) > 0 {
		token = client.StaticToken(s.other(scopes))
	}
	transport := s.Transport()
	if s.wrap != nil {
		transport = s.wrap(transport)
	}
	return s.client(token, transport)
}

// client returns a client with the token that reaches the server over the transport.
func (s *Server) client(token oauth2.TokenSource, transport http.RoundTripper) *client.Client {
	c, err := client.New(client.Config{
		BaseURL: s.URL(), StoreID: s.StoreID(), Token: token, UserAgent: userAgent,
		HTTPClient: &http.Client{Transport: transport}, Auth: s.auth,
	})
	if err != nil {
		panic(err)
	}
	return c
}

// current is the token of the latest installation of the app, by any caller, or the dead token if there is none.
type current struct{ server *Server }

func (c current) Token() (*oauth2.Token, error) {
	s := c.server
	s.mu.Lock()
	defer s.mu.Unlock()
	if in, ok := reference(s).World().Installed(s.app.ID, s.store); ok {
		s.token = client.Secret(in.Token)
	}
	return &oauth2.Token{AccessToken: string(s.token)}, nil
}

// other installs a new app with the scopes and returns its token.
func (s *Server) other(scopes []string) client.Secret {
	granted, err := parseScopes(scopes)
	if err != nil {
		panic(err)
	}
	app, err := s.platform.AddApp(world.App{Name: "Other App", RedirectURL: s.app.RedirectURL, Scopes: granted, Features: s.app.Features})
	if err != nil {
		panic(fmt.Errorf("clienttest: %w", err))
	}
	in, err := s.platform.Install(app.ID, s.store, granted)
	if err != nil {
		panic(fmt.Errorf("clienttest: %w", err))
	}
	return client.Secret(in.Token)
}

func parseScopes(names []string) (world.Scopes, error) {
	known := world.AllScopes()
	granted := world.ParseScopes(strings.Join(names, ","))
	for _, scope := range granted {
		if !known.Has(scope) {
			return nil, fmt.Errorf("clienttest: scope %q does not exist", scope)
		}
	}
	return granted, nil
}

// Browser returns the browser of a person, for example of a merchant who installs the app. It stores cookies and
// follows redirects. It reaches only the platform, the addresses of Partner and Forward, and programs on this machine.
// Set Options.AutoApprove so that the consent page redirects at once.
//
//	page, err := platform.Browser().Get("https://app.example/oauth/callback")
func (s *Server) Browser() *http.Client {
	jar, _ := cookiejar.New(nil) // it fails for no list of public suffixes
	return &http.Client{Jar: jar, Transport: browsing{s}}
}

// browsing is the network of a browser.
type browsing struct{ server *Server }

func (b browsing) RoundTrip(r *http.Request) (*http.Response, error) {
	if "https://"+r.URL.Host == memoryURL {
		return b.server.Transport().RoundTrip(r)
	}
	return b.server.platform.Browse(r)
}

// Install installs the app again, as if the merchant had approved the scopes, and returns the token. Without scopes,
// all are approved. The previous token is dead.
func (s *Server) Install(scopes ...string) (client.Secret, error) {
	granted := world.AllScopes()
	if len(scopes) > 0 {
		var err error
		if granted, err = parseScopes(scopes); err != nil {
			return "", err
		}
	}
	in, err := s.platform.Install(s.app.ID, s.store, granted)
	if err != nil {
		return "", fmt.Errorf("clienttest: %w", err)
	}
	return client.Secret(in.Token), nil
}

// Uninstall removes the app from the store. The platform sends app/uninstalled and store/redact, invalidates the token
// and deletes the webhooks.
func (s *Server) Uninstall() error { return s.platform.Uninstall(s.app.ID, s.store) }

// Suspend makes the payment of the store lapse, or restores it. While it has lapsed, the platform answers each call
// with 402 and sends no webhook.
func (s *Server) Suspend(lapsed bool) error {
	if lapsed {
		return s.platform.Suspend(s.store)
	}
	return s.platform.Resume(s.store)
}

// Seed creates a record by a POST of in to the path, for example "/products", as the installed app. It returns the
// record's id; 0 if the id is no integer. It works for every resource that apps can create at the platform, even if the
// client has no method for it.
func (s *Server) Seed(ctx context.Context, path string, in any) (client.ID, error) {
	var created struct {
		ID client.Code `json:"id"`
	}
	err := s.client(current{s}, s.Transport()).Do(ctx, client.Request{Method: http.MethodPost, Path: path, Body: in}, &created)
	id, _ := created.ID.ID() // those of locations, for example, are ULIDs
	return id, err
}
