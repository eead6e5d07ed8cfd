package refserver

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
)

// A token request that a fault strikes before the work leaves the code as it was, and one struck afterwards uses it up.
func TestTokenFaults(t *testing.T) {
	for name, test := range map[string]struct {
		fault   traffic.Fault
		first   int  // the status; 0 if there is no whole answer
		redeems bool // the second request gets a token
	}{
		"refused":        {traffic.Fault{Op: traffic.Token, Count: 1, Status: 503}, 503, true},
		"answer lost":    {traffic.Fault{Op: traffic.Token, Count: 1, Status: 502, After: true}, 502, false},
		"cut":            {traffic.Fault{Op: traffic.Token, Count: 1, Reset: true}, 0, true},
		"half an answer": {traffic.Fault{Op: traffic.Token, Count: 1, Truncate: true}, 0, false},
		"the API's":      {traffic.Fault{Op: "*", Status: 503}, 200, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := setup(t, Options{AutoApprove: true}, "write_products")
			ts := httptest.NewServer(f.Server)
			defer ts.Close()
			body := f.tokenRequest(ts)
			arm(t, f.Server, test.fault)
			if status, _ := exchange(ts, body); status != test.first {
				t.Errorf("first request: %d, want %d", status, test.first)
			}
			status, answer := exchange(ts, body)
			if got := strings.Contains(answer, "access_token"); got != test.redeems {
				t.Errorf("second request: %d %s, want a token: %t", status, answer, test.redeems)
			}
		})
	}
}

// tokenRequest is the body of a request with a code that is not used up.
func (f *fixture) tokenRequest(ts *httptest.Server) string {
	f.Helper()
	c := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := c.Get(fmt.Sprintf("%s%s/apps/%d/authorize", ts.URL, AuthPath, f.app.ID))
	if err != nil {
		f.Fatal(err)
	}
	resp.Body.Close()
	back, err := resp.Location()
	if err != nil {
		f.Fatal(err)
	}
	return fmt.Sprintf(`{"client_id":%d,"client_secret":%q,"grant_type":"authorization_code","code":%q}`,
		f.app.ID, f.app.Secret, back.Query().Get("code"))
}

// exchange returns the answer to a token request, or 0 if it is not whole.
func exchange(ts *httptest.Server, body string) (int, string) {
	resp, err := ts.Client().Post(ts.URL+AuthPath+tokenOp.Path, "application/json", strings.NewReader(body))
	if err != nil {
		return 0, ""
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, ""
	}
	return resp.StatusCode, string(answer)
}
