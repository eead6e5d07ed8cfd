package webhook

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
)

// refusing is a handler that collects what it refuses.
func refusing(t *testing.T, configure func(*Handler)) (*probe, *[]client.Refused) {
	t.Helper()
	var all []client.Refused
	p := newProbe(t, func(h *Handler) {
		h.OnRefused = func(_ context.Context, r client.Refused) { all = append(all, r) }
		if configure != nil {
			configure(h)
		}
	})
	return p, &all
}

// Each request that is refused is reported once, with what was checked, and no event is read.
func TestRefusalsAreReported(t *testing.T) {
	change := func(change func(*http.Request)) *http.Request {
		r := signed(paidBody)
		r.RemoteAddr = "192.0.2.7:443"
		change(r)
		return r
	}
	for _, tt := range []struct {
		request *http.Request
		want    string // status, reason and header
		says    string
	}{
		{change(func(r *http.Request) { r.Header.Del(SignatureHeader) }), "401 unsigned X-Platform-Hmac-Sha256",
			"has no header"},
		{change(func(r *http.Request) { r.Header.Add(SignatureHeader, "00") }), "401 unsigned X-Platform-Hmac-Sha256",
			"has 2 headers"},
		{change(func(r *http.Request) { r.Header.Set(SignatureHeader, "00") }), "401 unsigned X-Platform-Hmac-Sha256",
			"64 hexadecimal digits"},
		{change(func(r *http.Request) { r.Header.Set(SignatureHeader, Sign("another", []byte(paidBody))) }),
			"401 signature X-Platform-Hmac-Sha256", "secrets in force (1)"},
		{change(func(r *http.Request) { r.Body = io.NopCloser(strings.NewReader(paidBody + " ")) }),
			"401 signature X-Platform-Hmac-Sha256", "changed the body"},
	} {
		p, refused := refusing(t, nil)
		status := send(p, tt.request).Code
		if len(*refused) != 1 {
			t.Errorf("%s: %d refusals, want 1", tt.want, len(*refused))
			continue
		}
		r := (*refused)[0]
		if got := fmt.Sprint(r.Status, " ", r.Reason, " ", r.Header); got != tt.want || status != r.Status ||
			!strings.Contains(r.Err.Error(), tt.says) {
			t.Errorf("got status %d and %s: %v; want %s: %s", status, got, r.Err, tt.want, tt.says)
		}
		if r.Handler != "webhook" || r.Remote != netip.MustParseAddr("192.0.2.7") || r.Address.IsValid() {
			t.Errorf("%s: got handler %q, connection %v, address %v", tt.want, r.Handler, r.Remote, r.Address)
		}
		if len(p.calls)+len(p.kept)+len(p.failed)+p.parses != 0 {
			t.Errorf("%s: something was read as an event", tt.want)
		}
	}
	p, refused := refusing(t, nil)
	if status := send(p, signed(paidBody)).Code; status != http.StatusOK || len(*refused) != 0 || len(p.calls) != 1 {
		t.Errorf("the platform: got status %d, %d refusals, %d calls", status, len(*refused), len(p.calls))
	}
}

// Secrets are changed while two handlers serve: a request that arrives after Set is verified with what was set.
func TestSecretsAreRotated(t *testing.T) {
	var set client.SecretSet
	share := func(h *Handler) { h.Secrets, h.SecretSet = nil, &set }
	one, refused := refusing(t, share)
	other, _ := refusing(t, share)
	accepts := func(secret client.Secret) string {
		var status []int
		for _, p := range []*probe{one, other} {
			r := signed(paidBody)
			r.Header.Set(SignatureHeader, Sign(secret, []byte(paidBody)))
			status = append(status, send(p, r).Code)
		}
		return fmt.Sprint(status)
	}
	if got := accepts("old"); got != "[503 503]" {
		t.Errorf("without a secret: got %s, want 503", got)
	}
	if len(*refused) != 1 || !strings.Contains((*refused)[0].Err.Error(), "SecretSet is empty") {
		t.Errorf("without a secret: got %v", *refused)
	}
	for _, step := range []struct {
		secrets   []client.Secret
		old, next string
	}{
		{[]client.Secret{"old"}, "[200 200]", "[401 401]"},
		{[]client.Secret{"next", "old"}, "[200 200]", "[200 200]"},
		{[]client.Secret{"next"}, "[401 401]", "[200 200]"},
	} {
		if err := set.Set(step.secrets...); err != nil {
			t.Fatal(err)
		}
		if old, next := accepts("old"), accepts("next"); old != step.old || next != step.next {
			t.Errorf("after Set of %d: the old secret gets %s, want %s; the next %s, want %s", len(step.secrets), old,
				step.old, next, step.next)
		}
	}
	if err := set.Set(); err == nil {
		t.Error("Set of no secret: no error")
	}
	if got := accepts("next"); got != "[200 200]" {
		t.Errorf("after a Set that failed: got %s, want 200", got)
	}
}
