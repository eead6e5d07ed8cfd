package console

import "net/http"

// Watch puts a handler in front of the control API.
func (c *Console) Watch(front func(api http.Handler) http.Handler) { c.api = front(c.api) }
