package pages

import (
	"net/http"

	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/contract"
	"github.com/commerceplatform/commerce-go/internal/refserver/console"
	"github.com/commerceplatform/commerce-go/internal/refserver/control"
)

// At returns the pages for clienttest.Options.Console, to be served at an address of this machine, such as
// "127.0.0.1:8082". With an empty address they are not served.
func At(address string) clienttest.Pages { return clienttest.Pages{Address: address, Mount: mount} }

func mount(h http.Handler) {
	if api, ok := h.(*control.API); ok {
		api.Mount(console.New(api, contract.Files))
	}
}

// Of returns the pages of a server as a handler:
//
//	browser := httptest.NewServer(pages.Of(server))
//	fmt.Println(browser.URL)
//	<-ctx.Done()
//
// It is the handler of clienttest.Server.Control, which then serves the pages as well as its calls at /_/api/, and has
// the same requirements.
func Of(s *clienttest.Server) http.Handler {
	h := s.Control()
	mount(h)
	return h
}
