package refserver

import (
	"net/http"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// run lets the operation work inside a transaction. Its answer is made in there
// too, so that an answer that cannot be given undoes the work.
func (s *Server) run(c *call) error {
	transact := s.world.View
	if c.in.Op.Writes() {
		transact = s.world.Update
	}
	err := transact(c.entry.App, c.entry.Store, func(tx *world.Tx) error {
		tx.By(c.origin)
		v, err := c.in.Op.Handler(tx, &c.in)
		if err != nil {
			return s.unlessWord(c, err)
		}
		c.entry.UnreadQuery = unreadQuery(&c.in)
		if s.options.RefuseUnread {
			if unread := slices.Concat(c.in.Unread(), c.entry.UnreadQuery); len(unread) > 0 {
				return api.Unprocessable("Unknown: " + strings.Join(unread, ", "))
			}
		}
		return s.shape(tx, c, v)
	})
	if err == nil && c.in.Op.AsksCarriers {
		s.labels.Wake(c.entry.Store)
	}
	return err
}

// shape turns what a handler returned into the answer.
func (s *Server) shape(tx *world.Tx, c *call, v any) error {
	c.answer.status = c.in.Op.Status()
	switch v := v.(type) {
	case *api.List:
		return s.shapeList(tx, c, v)
	case *api.Answer:
		if v.Status != 0 {
			c.answer.status = v.Status
		}
		for name, values := range v.Header {
			c.header[name] = values
		}
		if v.Body == nil {
			return nil
		}
		return c.shapeValue(v.Body)
	}
	if c.answer.status == http.StatusNoContent {
		return nil
	}
	return c.shapeValue(v)
}

func (c *call) shapeValue(v any) (err error) {
	if c.answer.body, err = api.Encode(v); err != nil {
		return err
	}
	if c.in.Op.Method == http.MethodGet {
		c.answer.body = keepFields(c.answer.body, c.in.Texts("fields"))
	}
	return nil
}

// unreadQuery lists the parameters that the operation does not know.
func unreadQuery(in *api.In) []string {
	var out []string
	for name := range in.Query {
		if !slices.Contains(in.Op.Query, name) && !slices.Contains([]string{"fields", "page", "per_page"}, name) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}
