package webhook

import (
	"net/http"
	"time"
)

// Server returns a server for an address that strangers can reach: headers must
// arrive within 2 s and in 16 KiB, a request within 5 s, an answer is written
// within 5 s, and an idle connection closes after 90 s. A server without such
// limits is held open for ever by a sender that drips bytes. Change the fields
// before serving if h is not only a [Handler].
//
// Behind a load balancer, IdleTimeout must be longer than the load balancer keeps its connections, which is 60 s
// for most and 600 s for some. Otherwise it sends requests on connections that the server has just closed, and
// answers them 502.
func Server(addr string, h http.Handler) *http.Server {
	return &http.Server{
		Addr:              addr,
		Handler:           h,
		ReadHeaderTimeout: 2 * time.Second,
		ReadTimeout:       5 * time.Second,
		WriteTimeout:      5 * time.Second,
		IdleTimeout:       90 * time.Second,
		MaxHeaderBytes:    16 << 10,
	}
}
