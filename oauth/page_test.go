package oauth

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

// What the merchant reads, and what the button does.
func TestPages(t *testing.T) {
	for _, tt := range []struct {
		err    error // nil for success
		status int
		title  string
		href   string // of the button; "none" for no button
	}{
		{nil, 200, "Mug Printer is installed", "none"},
		{ErrUnsolicited, 200, "Install Mug Printer", "?again=S"},
		{ErrNoCookie, 403, "Your browser sent no cookie", "?again=S"},
		{ErrOtherBrowser, 403, "Another browser started this installation", "?again=S"},
		{fmt.Errorf("with more: %w", ErrExpired), 403, "This link has expired", "?again=S"},
		{ErrState, 403, "This link cannot be used again", "?again=S"},
		{errUsed, 403, "This link cannot be used again", "?again=S"},
		{errNotKnown, 503, "Mug Printer is not ready yet", ""},
		{ErrSuperseded, 409, "Mug Printer is installed", "none"},
		{fmt.Errorf("%w: %w", ErrIncomplete, ErrNotSent), 500, "Mug Printer is installed, but not ready yet", "?again=S"},
		{errGone, 410, "Mug Printer is no longer installed", "?again=S"},
		{fmt.Errorf("%w: %w", errHidden, ErrNoCookie), 403, "This page cannot be shown in this browser", "?again=S"},
		{errStored, 500, "Mug Printer is installed", ""},
		{&Error{Code: "access_denied"}, 403, "The installation was cancelled", "?again=S"},
		{&Error{Code: "server_error"}, 403, "The installation was stopped", "?again=S"},
		{&Error{Status: 400, Code: "access_denied"}, 502, "The installation could not be finished", "?again=S"},
		{&Error{Status: 500}, 502, "It is not clear whether Mug Printer is installed", "?again=S"},
		{&Error{Status: 200}, 502, "It is not clear whether Mug Printer is installed", "?again=S"},
		{fmt.Errorf("%w: reset", ErrOutcomeUnknown), 502, "It is not clear whether Mug Printer is installed", "?again=S"},
		{errMethod, 405, "This link cannot be read", "?again=S"},
		{fmt.Errorf("%w: more than one code", errQuery), 400, "This link cannot be read", "?again=S"},
		{errTarget, 400, "This link cannot be read", "?again=S"},
		{fmt.Errorf("%w: refused", ErrNotSent), 502, "The platform cannot be reached", ""},
		{fmt.Errorf("%w: %w", ErrNotSent, errBusy), 503, "Please try again in a moment", ""},
		{errWaiting, 503, "The installation is still being finished", ""},
		{fmt.Errorf("%w: %w", ErrNotSent, errConfig), 500, "Mug Printer cannot be installed at the moment", "none"},
		{fmt.Errorf("oauth: store installation: %w", ErrNotInstalled), 500, "The installation could not be finished", "?again=S"},
		{errors.New("cnry_7f3a"), 500, "The installation could not be finished", "?again=S"},
	} {
		h := &Handler{App: App{Name: "Mug Printer"}}
		w := httptest.NewRecorder()
		if tt.err == nil {
			h.successPage(w)
		} else {
			h.failurePage(w, tt.err, "S")
		}
		page := w.Body.String()
		if w.Code != tt.status || !strings.Contains(page, "<h1>"+tt.title+"</h1>") {
			t.Errorf("%v: got %d and\n%s\nwant %d and %q", tt.err, w.Code, page, tt.status, tt.title)
		}
		if tt.href == "none" && strings.Contains(page, `class="button"`) || tt.href != "none" && !strings.Contains(page, ` href="`+tt.href+`" target="_top"`) {
			t.Errorf("%v: want a button to %q\n%s", tt.err, tt.href, page)
		}
		if strings.Contains(page, "cnry") || strings.Contains(strings.ToLower(page), "not installed") {
			t.Errorf("%v: the page says what it must not\n%s", tt.err, page)
		}
		checkPage(t, w)
	}
}

// checkPage asserts what every page has: a landmark, a title, a language, both schemes, and no script.
func checkPage(t *testing.T, w *httptest.ResponseRecorder) {
	t.Helper()
	page, h := w.Body.String(), w.Header()
	for _, part := range []string{
		"<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">", `<meta name="viewport" content="width=device-width, initial-scale=1">`,
		`<meta name="color-scheme" content="light dark">`, "color-scheme: light dark;", "@media (prefers-color-scheme: dark)", "<body>\n<main>\n<h1>", "</main>\n</body>\n</html>\n",
	} {
		if strings.Count(page, part) != 1 {
			t.Errorf("the page lacks %q:\n%s", part, page)
		}
	}
	title := regexp.MustCompile(`<title>(.+)</title>`).FindStringSubmatch(page)
	heading := regexp.MustCompile(`<h1>(.+)</h1>`).FindStringSubmatch(page)
	if title == nil || heading == nil || title[1] != heading[1] || strings.Contains(page, "<script") || strings.Contains(strings.ToLower(page), "{app}") {
		t.Errorf("got title %q and heading %q:\n%s", title, heading, page)
	}
	if regexp.MustCompile(`\son[a-z]+=|style="|javascript:`).MatchString(page) {
		t.Errorf("the page has inline code:\n%s", page)
	}
	_, style, _ := strings.Cut(page, "<style>")
	style, _, _ = strings.Cut(style, "</style>")
	sum := sha256.Sum256([]byte(style))
	policy := h.Get("Content-Security-Policy")
	if want := "style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(policy, want) || !strings.HasPrefix(policy, "default-src 'none'; ") {
		t.Errorf("policy %q, want %q", policy, want)
	}
	if framed := !strings.Contains(policy, "frame-ancestors 'none'"); framed != (h.Get("X-Frame-Options") != "DENY") {
		t.Errorf("policy %q, but X-Frame-Options %q", policy, h.Get("X-Frame-Options"))
	}
	if h.Get("Content-Type") != "text/html; charset=utf-8" || h.Get("Cache-Control") != "no-store" || h.Get("Referrer-Policy") != "no-referrer" || h.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("got headers %v", h)
	}
}

func TestPagesNameTheApp(t *testing.T) {
	for _, tt := range []struct{ name, want string }{
		{"", "<h1>The app is installed</h1>\n<p>Open the app from"},
		{"Mug Printer", "<h1>Mug Printer is installed</h1>\n<p>Open Mug Printer from"},
		{"<b>&\"Co\"", "<h1>&lt;b&gt;&amp;&#34;Co&#34; is installed</h1>"},
		{" \u202e\u200b\n", "<h1>The app is installed</h1>"},
		{strings.Repeat("x", 100), "<h1>" + strings.Repeat("x", 64) + " is installed</h1>"},
		{"{app}", "<h1>{app} is installed</h1>"},
	} {
		w := httptest.NewRecorder()
		(&Handler{App: App{Name: tt.name}}).successPage(w)
		if !strings.Contains(w.Body.String(), tt.want) {
			t.Errorf("%q: want %q in\n%s", tt.name, tt.want, w.Body)
		}
	}
}

// The contrast of every pair of colours, in both schemes, is that of WCAG's best level.
func TestContrast(t *testing.T) {
	light, dark, _ := strings.Cut(style, "@media")
	for _, rules := range []string{light, dark} {
		pairs := regexp.MustCompile(`background: (#[0-9a-f]+); color: (#[0-9a-f]+)`).FindAllStringSubmatch(rules, -1)
		if len(pairs) != 2 {
			t.Fatalf("found %d pairs of colours, want those of the body and the button", len(pairs))
		}
		for _, pair := range pairs {
			a, b := luminance(t, pair[1]), luminance(t, pair[2])
			if ratio := (max(a, b) + 0.05) / (min(a, b) + 0.05); ratio < 7 {
				t.Errorf("%s on %s: %.2f to 1, want 7", pair[2], pair[1], ratio)
			}
		}
	}
}

func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	digits := colour[1:]
	if len(digits) == 3 {
		digits = strings.Join([]string{digits[:1], digits[:1], digits[1:2], digits[1:2], digits[2:], digits[2:]}, "")
	}
	var rgb [3]int
	if _, err := fmt.Sscanf(digits, "%02x%02x%02x", &rgb[0], &rgb[1], &rgb[2]); err != nil {
		t.Fatalf("%s: %v", colour, err)
	}
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		c := float64(rgb[i]) / 255
		if c <= 0.03928 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}
