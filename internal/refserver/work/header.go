package work

import (
	"net/http"
	"strings"
)

// Masked returns a header with *** for the values of headers that open something, such as Authorization.
func Masked(h http.Header) http.Header {
	out := h.Clone()
	for name := range out {
		lower := strings.ToLower(name)
		for _, word := range []string{"auth", "token", "secret", "cookie", "password", "api-key", "apikey", "access-key"} {
			if strings.Contains(lower, word) {
				out[name] = []string{"***"}
			}
		}
	}
	return out
}
