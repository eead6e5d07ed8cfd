package control

import "time"

// mostOften is how long a follower of the count of changes waits for the next one, however much changes.
const mostOften = 250 * time.Millisecond

// changesJSON counts what has changed.
type changesJSON struct {
	N int64 `json:"n"`
}

// count is greater after each change that a page may show. These are changes of the log, which has requests, calls and
// late answers, of deliveries, and events that were sent to nobody. A call of the control API may change anything.
func (a *API) count() int64 {
	return a.server.Webhooks().Changes() + a.server.Journal().Mark() + a.acts.Load()
}

func changes(c *call) (any, error) { return changesJSON{c.count()}, nil }

// followChanges looks at the count from time to time, so that a server under load sends few events.
func followChanges(c *call) (any, error) {
	return c.stream(func(after int64) []change {
		n := c.count()
		if n == after { // after is greater if it is of a server that was here before
			return nil
		}
		return []change{{n, func() any { return changesJSON{n} }}}
	}, func() <-chan struct{} {
		due := make(chan struct{})
		time.AfterFunc(mostOften, func() { close(due) })
		return due
	})
}
