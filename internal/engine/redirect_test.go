package engine

import (
	"errors"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// Every answer of 3xx was called a redirect that points somewhere.
func TestAnswersOf3xxAreNamed(t *testing.T) {
	for _, test := range []struct {
		code     int
		location string
		want     string
	}{
		{301, "https://evil.test/?token=1", `GET /products: 301: redirects are not followed: the answer points to "evil.test"`},
		{308, "//evil.test:8443/", `GET /products: 308: redirects are not followed: the answer points to "evil.test:8443"`},
		{302, "/login?token=1", `GET /products: 302: redirects are not followed: the answer points to another address of the same host`},
		{302, "", `GET /products: 302: redirects are not followed: the answer has no Location`},
		{307, "  ", `GET /products: 307: redirects are not followed: the answer has no Location`},
		{303, ":bad", `GET /products: 303: redirects are not followed: the Location of the answer is not a URL`},
		{303, "mailto:dev@app.example", `GET /products: 303: redirects are not followed: the Location of the answer is not a URL of HTTP`},
		{300, "https://b.example/", `GET /products: 300: redirects are not followed: the answer points to "b.example"`},
		{300, "", `GET /products: 300: the server offers several addresses for the same record, and sent none of them`},
		{304, "", `GET /products: 304: the server says that nothing was modified, but the request has no condition: a cache in front of the platform may be at fault`},
		{304, "https://b.example/", `GET /products: 304: the server says that nothing was modified, but the request has no condition: a cache in front of the platform may be at fault`},
		{305, "https://proxy.example/", `GET /products: 305: the server requires a proxy, which is not used`},
		{306, "", `GET /products: 306: the status is reserved, and means nothing`},
		{310, "", `GET /products: 310: the status is not defined by HTTP`},
		{399, "https://b.example/", `GET /products: 399: the status is not defined by HTTP`},
	} {
		s := hostile.Answers(hostile.Status(test.code, ``, "Location", test.location))
		err := newTest(t, s).Do(t.Context(), Request{Path: "/products"}, nil)
		if err == nil || err.Error() != test.want || len(s.Seen) != 1 || errors.Is(err, ErrNoAnswer) {
			t.Errorf("got %v after %d requests,\nwant %s after one", err, len(s.Seen), test.want)
		}
	}
}
