package oauth

import (
	"crypto/rand"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Options say how the server behaves. World is required.
type Options struct {
	World *world.World
	// AutoApprove answers for the merchant, at once and with yes.
	AutoApprove bool
	// Strict takes the token request as JSON only.
	Strict bool
	// UserIDNumber writes user_id as a number.
	UserIDNumber bool
	// TokenErrors400 refuses codes and clients with 400; otherwise it is 200 with the error in the body.
	TokenErrors400 bool
}

// Server answers the two addresses below {auth_url}.
type Server struct {
	o       Options
	protect *http.CrossOriginProtection

	mu    sync.Mutex
	codes map[string]grant
}

// grant is the meaning of a code.
type grant struct {
	app, store int64
	scopes     world.Scopes
	expires    time.Time
}

// New returns a server that has issued no code.
func New(o Options) *Server {
	return &Server{o: o, protect: http.NewCrossOriginProtection(), codes: map[string]grant{}}
}

// ServeHTTP answers paths below {auth_url}: /apps/{app_id}/authorize and
// /apps/authorize/token.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := strings.TrimSuffix(r.URL.Path, "/")
	if path == "/apps/authorize/token" {
		s.token(w, r)
		return
	}
	segs := strings.Split(strings.TrimPrefix(path, "/"), "/")
	if len(segs) == 3 && segs[0] == "apps" && segs[2] == "authorize" {
		if id, ok := api.ParseID(segs[1]); ok {
			if app, ok := s.o.World.App(id); ok {
				s.authorize(w, r, app)
				return
			}
		}
	}
	refuse(w, api.NotFound(""))
}

// issue makes a code for the app and the store.
func (s *Server) issue(app world.App, store int64) string {
	now := s.o.World.Clock().Now()
	code := rand.Text()
	s.mu.Lock()
	defer s.mu.Unlock()
	for c, g := range s.codes {
		if now.After(g.expires) {
			delete(s.codes, c)
		}
	}
	s.codes[code] = grant{
		app: app.ID, store: store, scopes: app.Scopes,
		expires: now.Add(s.o.World.Limits().CodeLifetime),
	}
	return code
}

// redeem uses up a code of the app.
func (s *Server) redeem(app int64, code string) (grant, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g, ok := s.codes[code]
	if !ok || g.app != app {
		return grant{}, false
	}
	delete(s.codes, code)
	return g, !s.o.World.Clock().Now().After(g.expires)
}
