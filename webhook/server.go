package webhook

import (
	"net/http"
	"time"
)

// Server returns a server for an address that strangers can reach: headers must
// arrive within 2 s and in 16 KiB, a request within 5 s, an answer is written
// within 5 s, and an idle connection closes after 60 s. A server without such
// limits is held open for ever by a sender that drips bytes. Change the fields
// before serving if h is not only a [Handler].
func Server(addr string, h http.Handler) *http.Server {
	return &http.Server{
		Addr:              addr,
		Handler:           h,
		ReadHeaderTimeout: 2 * time.Second,
		ReadTimeout:       5 * time.Second,
		WriteTimeout:      5 * time.Second,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    16 << 10,
	}
}
