package refserver

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
)

// HintHeader is set in the answer to a call that no operation has, where it describes the alternatives, and in a 429
// that waiting does not end. Hints repeat nothing of the request.
const HintHeader = "X-Ref-Hint"

// hint adds a hint to the answer and to the log.
func (c *call) hint(hint string) {
	c.entry.Hint = hint
	c.header.Set(HintHeader, hint)
}

// hinted is a refusal with a hint, which is also its description: none of the published refusals has one for such
// calls. Its wording is this server's, so the answer is marked as assumed.
func (c *call) hinted(status int, hint string) error {
	c.assume()
	c.hint(hint)
	return api.Coded(status, hint)
}

// operations is the table that the path belongs to.
func (s *Server) operations(c *call) *api.Router {
	if c.entry.Store == 0 {
		return s.partners
	}
	return s.stores
}

// unrouted refuses a path that no operation has, and names the one that comes closest.
func (s *Server) unrouted(c *call) error {
	c.entry.Op = ""
	hint := "No operation of " + c.in.Version + " has this path"
	if op := s.operations(c).Nearest(c.in.Version, c.r.Method, c.path); op != nil {
		hint += "; the nearest is " + op.Method + " " + op.Path
		if !op.In(c.in.Version) {
			hint += " in " + versionsOf(*op)
		}
	}
	return c.hinted(http.StatusNotFound, hint)
}

// wrongMethod refuses a method that the path does not have.
func (c *call) wrongMethod(allow []string) error {
	if slices.Contains(allow, "GET") {
		allow = append(allow, "HEAD")
	}
	methods := strings.Join(allow, ", ")
	c.header.Set("Allow", methods)
	return c.hinted(http.StatusMethodNotAllowed, "The path has the methods "+methods)
}

// otherVersion refuses an operation that the version of the path lacks.
func (c *call) otherVersion() error {
	op := *c.in.Op
	return c.hinted(http.StatusNotFound, op.Method+" "+op.Path+" is in "+versionsOf(op)+", not in "+c.in.Version)
}

func versionsOf(op api.Op) string { return strings.Join(op.AllVersions(), " and ") }

// unlessWord returns the error of a handler, unless it misses a record whose id in the path is a word. There is no such
// path then, so no record is missing.
func (s *Server) unlessWord(c *call, err error) error {
	if refusal, ok := errors.AsType[*api.Error](err); ok && refusal.Status == http.StatusNotFound && c.match.Word {
		return s.unrouted(c)
	}
	return err
}
