package refserver

import (
	"crypto/subtle"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
)

func (s *Server) wantUserAgent(c *call) error {
	if c.r.UserAgent() == "" {
		return api.Coded(http.StatusBadRequest, "User-Agent is required")
	}
	return nil
}

// locate takes {version} and {store_id}, or apps, off the path.
func (s *Server) locate(c *call) error {
	version, rest, _ := strings.Cut(strings.TrimPrefix(c.r.URL.EscapedPath(), "/"), "/")
	if !slices.Contains(api.Versions(), version) {
		return c.hinted(http.StatusNotFound, "Supported versions: "+strings.Join(api.Versions(), ", "))
	}
	c.in.Version, c.entry.Version = version, version
	owner, path, _ := strings.Cut(rest, "/")
	if owner == "apps" {
		c.path = "/apps/" + path
		return nil
	}
	id, ok := api.ParseID(owner)
	if !ok || id == 0 {
		return c.hinted(http.StatusNotFound, "The path must begin with /{version}/{store_id} or /{version}/apps/{app_id}")
	}
	c.path, c.entry.Store = "/"+path, id
	return nil
}

// invalidToken is the answer to a token that is dead or another store's, and to one in a form that is not read.
func invalidToken() *api.Error {
	return api.Coded(http.StatusUnauthorized, "Invalid access token")
}

func (s *Server) authenticate(c *call) error {
	if c.r.Header.Get("Authorization") == "" && c.r.Header.Get("Authentication") == "" {
		return api.Coded(http.StatusUnauthorized, "Required access token is missing")
	}
	token, ok := s.token(c)
	if !ok {
		return invalidToken()
	}
	if c.entry.Store == 0 {
		return s.authenticateApp(c, token)
	}
	install, ok := s.world.ByToken(token)
	if !ok || install.Store != c.entry.Store {
		return invalidToken()
	}
	c.in.App, _ = s.world.App(install.App)
	c.in.Store, _ = s.world.Store(install.Store)
	c.in.Scopes = install.Scopes
	c.entry.App = install.App
	c.header.Set("X-Main-Language", c.in.Store.MainLanguage)
	return nil
}

// authenticateApp takes the client secret for a token.
func (s *Server) authenticateApp(c *call, token string) error {
	id, _, _ := strings.Cut(strings.TrimPrefix(c.path, "/apps/"), "/")
	n, _ := api.ParseID(id)
	app, ok := s.world.App(n)
	if !ok || subtle.ConstantTimeCompare([]byte(app.Secret), []byte(token)) == 0 {
		return invalidToken()
	}
	c.in.App, c.entry.App = app, app.ID
	return nil
}

// token reads the token from either header form, in v1 and 2025-03 also without the word before it. If strict, v1 and
// 2025-03 accept only "Authentication: bearer", except for disputes. Unstable and disputes accept only "Authorization:
// Bearer".
func (s *Server) token(c *call) (string, bool) {
	h := c.r.Header
	if s.options.Strict {
		if c.in.Version == api.Unstable || strings.Contains(c.path, "/disputes") {
			return strings.CutPrefix(h.Get("Authorization"), "Bearer ")
		}
		return strings.CutPrefix(h.Get("Authentication"), "bearer ")
	}
	value := h.Get("Authorization")
	if value == "" {
		value = h.Get("Authentication")
	}
	scheme, token, ok := strings.Cut(strings.TrimSpace(value), " ")
	if !ok {
		return scheme, c.in.Version != api.Unstable
	}
	return strings.TrimSpace(token), strings.EqualFold(scheme, "bearer")
}

func (s *Server) wantPayment(c *call) error {
	if c.in.Store.Suspended {
		return api.Coded(http.StatusPaymentRequired, "")
	}
	return nil
}

// find looks up the operation, for the log too. That there is none is for route to
// say, when the request has been counted.
func (s *Server) find(c *call) error {
	if c.match = s.operations(c).Find(c.in.Version, c.r.Method, c.path); c.match.Op != nil {
		c.entry.Op = c.match.Op.ID
	}
	return nil
}

func (s *Server) route(c *call) error {
	m := c.match
	if m.Op == nil {
		if len(m.Allow) == 0 {
			return s.unrouted(c)
		}
		return c.wrongMethod(m.Allow)
	}
	query, err := api.ParseQuery(c.r.URL.RawQuery)
	if err != nil {
		return api.Coded(http.StatusBadRequest, "Problems parsing the query")
	}
	c.in.Op, c.in.Vars = m.Op, m.Vars
	c.in.Query, c.in.Header, c.in.CheckURL = query, c.r.Header, s.CheckURL
	c.in.Strict, c.in.Readings = s.options.Strict, s.options.Readings
	if m.Op.Origin() == api.Assumed {
		c.assume()
	}
	return nil
}

// assume marks the answer as one that nothing published shows.
func (c *call) assume() { c.header.Set(api.ProvenanceHeader, string(api.Assumed)) }

func (s *Server) gate(c *call) error {
	if !c.in.Op.In(c.in.Version) {
		return c.otherVersion()
	}
	return nil
}

func (s *Server) permit(c *call) error {
	op := c.in.Op
	switch {
	case !c.in.Scopes.HasAny(op.Scopes):
		return api.MissingScope(op.Scopes)
	case op.Feature != "" && (!c.in.App.Enabled(op.Feature) || slices.Contains(s.options.Disabled, op.Feature)):
		return notEnabled(op.Feature)
	case op.StoreFeature != "" && !slices.Contains(c.in.Store.Features, op.StoreFeature):
		return api.Forbidden("The store does not have the feature " + op.StoreFeature)
	}
	return nil
}

// notEnabled has the shape of the operations that it keeps the app from.
func notEnabled(feature string) *api.Error {
	text := "The app is not enabled for " + feature
	refusal := api.Exception(http.StatusForbidden, "ForbiddenException", text)
	switch feature {
	case "discounts":
		return refusal
	case "business_rules":
		refusal.Header = http.Header{"X-Ref-Provenance": {string(api.Assumed)}}
		return refusal
	}
	return api.Forbidden(text)
}

// topPlan is how much more often apps may call for stores on the highest plans.
const topPlan = 10

func (s *Server) meter(c *call) error {
	rate := s.options.rate()
	if c.in.Store.TopPlan {
		rate = rate.Times(topPlan)
	}
	st, ok := s.limiter.Take(traffic.Key{App: c.entry.App, Store: c.entry.Store}, rate, s.clock.Now())
	c.header.Set("X-Rate-Limit-Limit", strconv.Itoa(st.Limit))
	c.header.Set("X-Rate-Limit-Remaining", strconv.Itoa(st.Remaining))
	c.header.Set("X-Rate-Limit-Reset", strconv.FormatInt(st.Reset.Milliseconds(), 10))
	if ok {
		return nil
	}
	if _, still := s.clock.(*clock.Virtual); still {
		c.hint("The clock of this server stands still, and the bucket empties only when it is moved: " +
			"refserver clock advance " + st.Reset.Round(time.Second).String())
	}
	return api.Coded(http.StatusTooManyRequests, "")
}
