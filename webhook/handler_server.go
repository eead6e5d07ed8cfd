package webhook

import (
	"net/http"
	"time"
)

// Server returns a server for a public address. Headers must arrive within 2 s and in 16 KiB, and a request within 5 s.
// An answer is written within 5 s, and an idle connection is closed after 90 s. Without such limits, a sender that
// sends slowly can hold connections open forever. Change the fields before serving if h is not only a [Handler].
//
// If there is a load balancer in front, IdleTimeout must be longer than its idle timeout, which is 60 s for most and
// 600 s for some. Otherwise the load balancer sends requests on connections that the server has just closed, and
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
