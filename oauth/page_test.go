package oauth

import (
	"errors"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
)

// What the merchant reads, and whether he is offered to start again.
func TestPages(t *testing.T) {
	for _, tt := range []struct {
		err    error // nil for success
		status int
		texts  []string
		retry  bool
	}{
		{nil, 200, []string{"<h1>The app is installed</h1>", "You can close this page."}, false},
		{ErrUnsolicited, 403, []string{"<h1>The app was not installed</h1>", "cannot tell who started it"}, true},
		{fmt.Errorf("%w: expired", ErrState), 403, []string{"was used already, is too old, or belongs to another browser"}, true},
		{ErrSuperseded, 409, []string{"<h1>The app is installed</h1>", "Another installation ended after this one."}, false},
		{&Error{Code: "access_denied"}, 403, []string{"You declined the installation.", "The platform said: access_denied"}, true},
		{&Error{Code: "server_error"}, 403, []string{"The platform refused the installation.", "The platform said: server_error"}, true},
		{&Error{Status: 400, Code: "access_denied"}, 502, []string{"The platform refused the installation."}, true},
		{&Error{Status: 500}, 502, []string{"The platform refused the installation."}, true},
		{errMethod, 405, []string{"The request cannot be understood."}, true},
		{fmt.Errorf("%w: more than one code", errQuery), 400, []string{"The request cannot be understood."}, true},
		{fmt.Errorf("%w: refused", ErrNotSent), 502, []string{"The platform could not be reached, or did not answer."}, true},
		{fmt.Errorf("%w: reset", ErrOutcomeUnknown), 502, []string{"The platform could not be reached, or did not answer."}, true},
		{fmt.Errorf("%w: %w", ErrNotSent, errBusy), 503, []string{"There are too many installations at the moment."}, true},
		{fmt.Errorf("%w: %w", ErrNotSent, errConfig), 500, []string{"Something went wrong on our side."}, true},
		{errors.New("cnry_7f3a"), 500, []string{"Something went wrong on our side."}, true},
	} {
		w := httptest.NewRecorder()
		if tt.err == nil {
			successPage(w)
		} else {
			failurePage(w, statusOf(tt.err), tt.err)
		}
		page, h := w.Body.String(), w.Header()
		for _, text := range tt.texts {
			if !strings.Contains(page, text) {
				t.Errorf("%v: the page lacks %q:\n%s", tt.err, text, page)
			}
		}
		if w.Code != tt.status || strings.Contains(page, `<a href="?">`) != tt.retry || strings.Contains(page, "cnry") {
			t.Errorf("%v: got %d, want %d, and a link to start again: %v\n%s", tt.err, w.Code, tt.status, tt.retry, page)
		}
		if h.Get("Content-Type") != "text/html; charset=utf-8" || h.Get("Cache-Control") != "no-store" || h.Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("%v: got headers %v", tt.err, h)
		}
	}
}
