package clienttest

import (
	"net/http"

	"github.com/commerceplatform/commerce-go/internal/refserver/control"
	"github.com/commerceplatform/commerce-go/internal/refserver/seed"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Control returns the control API of the server, for programs in any language and for the command refserver:
//
//	control := httptest.NewServer(server.Control())
//
// With its address as URL, this command examines the webhooks of an app that listens on port 3000:
//
//	go run ./internal/cmd/refserver doctor http://127.0.0.1:3000/hooks --as webhooks --control URL
//
// GET /_/api/ lists the calls. Calls act on the store of s unless they name another store. Their changes are also
// visible to the test. Serve the handler as it is, without a prefix, on an address of this machine: it shows the secret
// of the app, and rejects requests for other hosts. Each call of Control returns the same handler. It is safe for
// concurrent use and ends with the server.
func (s *Server) Control() http.Handler {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.control == nil {
		st, _ := reference(s).World().Store(s.store)
		s.control = control.New(control.Options{
			Server: reference(s), BaseURL: s.URL(),
			Shop: seed.Shop{App: s.app, Store: st, Install: world.Install{Token: string(s.token)}},
		})
		s.place.add(s.control)
	}
	return s.control
}

// add makes a control API end with the platform, and report the address where the platform listens.
func (p *place) add(c controller) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c.SetBaseURL(p.base)
	p.controls = append(p.controls, c)
}

// controller is a *control.API. It hides the tables of the platform from packages that import this one.
type controller interface {
	http.Handler
	Listen(addr string) (url string, err error)
	SetBaseURL(base string)
	Close()
}
