package refserver

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Act is a call of an app to the API that is made in its name.
type Act struct {
	App, Store int64
	// Version is for example v1, Path is below {version}/{store_id} and may have a query, Body is JSON or empty. A path
	// that begins with /apps/ is below {version}, and about no store.
	Version, Method, Path string
	Body                  []byte
}

// Act makes a call in the name of an app and returns what it is answered, with the status. It is neither counted for
// the rate limit, nor hit by faults, nor in the log. The app needs no installation, and has every scope.
func (s *Server) Act(a Act) (status int, answer []byte) {
	u, err := url.Parse(a.Path)
	if err != nil {
		u = &url.URL{Path: "/"} // which no operation has
	}
	c := &call{r: &http.Request{
		Method: a.Method, URL: u, Header: http.Header{"Content-Type": {"application/json"}},
	}, header: http.Header{}}
	c.in.Version, c.path, c.in.Raw, c.entry.Store = a.Version, u.EscapedPath(), a.Body, a.Store
	c.in.App, _ = s.world.App(a.App)
	if strings.HasPrefix(c.path, "/apps/") {
		c.entry.Store = 0
	} else {
		c.in.Store, _ = s.world.Store(a.Store)
	}
	c.entry.App, c.in.Scopes = a.App, world.AllScopes()
	for _, step := range []func(*call) error{s.find, s.route, s.gate, s.permit, s.checkBody, s.run} {
		if err := step(c); err != nil {
			c.refuse(err)
			break
		}
	}
	for _, part := range c.answer.parts() {
		answer = append(answer, part...)
	}
	return c.answer.status, answer
}
