package clienttest

import (
	"net/http"

	"github.com/commerceplatform/commerce-go/internal/refserver/console"
	"github.com/commerceplatform/commerce-go/internal/refserver/control"
)

// Console returns pages that show the server in a browser, with a button for each thing that a customer, a merchant or
// time does:
//
//	pages := httptest.NewServer(server.Console())
//	fmt.Println(pages.URL)
//	<-ctx.Done()
//
// It is the handler of Control, which has the pages from then on, beside its calls at /_/api/. The same holds for it.
func (s *Server) Console() http.Handler {
	s.Control()
	s.mu.Lock()
	defer s.mu.Unlock()
	if api, ok := s.control.(*control.API); ok && !s.pages {
		api.Mount(console.New(api))
		s.pages = true
	}
	return s.control
}
