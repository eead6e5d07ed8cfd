package engine

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/condition"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// redirection is an answer of 3xx. None of them has a record, and none is repeated or followed.
type redirection string

func (r redirection) Error() string      { return string(r) }
func (redirection) Is(target error) bool { return target == condition.ErrRedirect }

// redirected says what an answer of 3xx is. It names no more than the host of the Location, which may carry secrets in
// its query.
func redirected(resp *http.Response) redirection {
	location := strings.TrimSpace(resp.Header.Get("Location"))
	switch code := resp.StatusCode; {
	case code == http.StatusNotModified:
		return "the server says that nothing was modified, but the request has no condition: a cache in front of the platform may be at fault"
	case code == http.StatusMultipleChoices && location == "":
		return "the server offers several addresses for the same record, and sent none of them"
	case code == http.StatusUseProxy:
		return "the server requires a proxy, which is not used"
	case code == http.StatusUseProxy+1: // Switch Proxy, of a draft
		return "the status is reserved, and means nothing"
	case code > http.StatusPermanentRedirect:
		return "the status is not defined by HTTP"
	}
	return redirection(condition.ErrRedirect.Error() + ": " + target(location))
}

// target says where a redirect points to.
func target(location string) string {
	u, err := url.Parse(location)
	switch {
	case location == "":
		return "the answer has no Location"
	case err != nil:
		return "the Location of the answer is not a URL"
	case u.Host != "":
		return "the answer points to " + wire.Quote(wire.Clean(u.Host))
	case u.Scheme != "":
		return "the Location of the answer is not a URL of HTTP"
	}
	return "the answer points to another address of the same host"
}
