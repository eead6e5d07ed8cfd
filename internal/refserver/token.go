package refserver

import (
	"errors"
	"net/http"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
)

// tokenOp is the token request.
var tokenOp = api.Op{ID: traffic.Token, Method: http.MethodPost, Path: "/apps/authorize/token"}

// Faulty returns the requests that a fault can be armed for.
func (s *Server) Faulty() []api.Op { return append(s.Ops(), tokenOp) }

// breakToken serves the pages of the authorization, and lets faults strike the token request.
func (s *Server) breakToken(pages http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.TrimSuffix(r.URL.Path, "/") != tokenOp.Path {
			pages.ServeHTTP(w, r)
			return
		}
		c := &call{r: r, header: http.Header{}}
		c.in.Op = &tokenOp
		err := s.hitBefore(c)
		if err == nil {
			pages.ServeHTTP(&recorder{c}, r)
			err = s.hitAfter(c)
		}
		if errors.Is(err, errCut) {
			cut(w)
			return
		}
		c.write(w)
	})
}

// recorder keeps an answer until it is known whether a fault strikes it.
type recorder struct{ *call }

func (r *recorder) Header() http.Header { return r.header }

func (r *recorder) WriteHeader(status int) { r.answer.status = status }

func (r *recorder) Write(p []byte) (int, error) {
	if r.answer.status == 0 {
		r.answer.status = http.StatusOK
	}
	r.answer.body = append(r.answer.body, p...)
	return len(p), nil
}
