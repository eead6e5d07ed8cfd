package multistore

import (
	"cmp"

	"github.com/commerceplatform/commerce-go/client/sqljobs"
)

// Jobs adds a queue of jobs to an app, and returns it. Serve runs it, Operator shows it, and Redact deletes the jobs of
// a store. If the DB, App or Prefix of q is zero, it is set to that of Tokens. Call Jobs before Serve.
func (a *App) Jobs(q *sqljobs.Queue) *sqljobs.Queue {
	if a.Tokens != nil {
		q.DB, q.App = cmp.Or(q.DB, a.Tokens.DB), cmp.Or(q.App, a.Tokens.App)
		q.Prefix = cmp.Or(q.Prefix, a.Tokens.Prefix)
	}
	a.queues = append(a.queues, q)
	a.Operator.Queues[q.Name], a.Operator.Visits["jobs of "+q.Name] = q, q.Visits
	return q
}
