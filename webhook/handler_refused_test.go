package webhook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"testing/iotest"

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
		{change(func(r *http.Request) { r.Method = http.MethodPut }), "405 method ", "PUT must be POST"},
		{change(func(r *http.Request) { r.Header.Del(SignatureHeader) }), "401 unsigned X-Platform-Hmac-Sha256", "has no header"},
		{change(func(r *http.Request) { r.Header.Add(SignatureHeader, "00") }), "401 unsigned X-Platform-Hmac-Sha256", "has 2 headers"},
		{change(func(r *http.Request) { r.Header.Set(SignatureHeader, "00") }), "401 unsigned X-Platform-Hmac-Sha256", "64 hexadecimal digits"},
		{change(func(r *http.Request) { r.Header.Set(SignatureHeader, Sign("another", []byte(paidBody))) }), "401 signature X-Platform-Hmac-Sha256", "secrets in force (1)"},
		{change(func(r *http.Request) { r.Body = io.NopCloser(strings.NewReader(paidBody + " ")) }), "401 signature X-Platform-Hmac-Sha256", "changed the body"},
		{change(func(r *http.Request) { r.Header.Set("Content-Encoding", "gzip") }), "415 encoding Content-Encoding", "compressed"},
		{change(func(r *http.Request) { r.ContentLength = 1 << 30 }), "413 size ", "MaxBody, which is 1048576 bytes"},
		{change(func(r *http.Request) { r.Body = io.NopCloser(iotest.ErrReader(errors.New("reset"))) }), "400 transfer ", "reset"},
	} {
		p, refused := refusing(t, nil)
		status := send(p, tt.request).Code
		if len(*refused) != 1 {
			t.Errorf("%s: %d refusals, want 1", tt.want, len(*refused))
			continue
		}
		r := (*refused)[0]
		if got := fmt.Sprint(r.Status, " ", r.Reason, " ", r.Header); got != tt.want || status != r.Status || !strings.Contains(r.Err.Error(), tt.says) {
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

// reads counts how often something is read.
type reads struct {
	io.Reader
	n int
}

func (r *reads) Read(p []byte) (int, error) {
	r.n++
	return r.Reader.Read(p)
}

// What cannot be signed costs no memory: its body is not read.
func TestUnsignedIsRefusedUnread(t *testing.T) {
	for _, header := range [][]string{nil, {""}, {"00"}, {strings.Repeat("0", 63)}, {strings.Repeat("g", 64)}, {strings.Repeat("0", 64), strings.Repeat("0", 64)}} {
		body := &reads{Reader: strings.NewReader(paidBody)}
		r := httptest.NewRequest(http.MethodPost, "/hooks", body)
		r.Header[http.CanonicalHeaderKey(SignatureHeader)] = header
		p, refused := refusing(t, nil)
		if status := send(p, r).Code; status != http.StatusUnauthorized || body.n != 0 {
			t.Errorf("%q: got status %d after %d reads, want 401 after none", header, status, body.n)
		}
		if len(*refused) != 1 || (*refused)[0].Reason != client.RefusedUnsigned {
			t.Errorf("%q: got %v, want one that is unsigned", header, *refused)
		}
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
			t.Errorf("after Set of %d: the old secret gets %s, want %s; the next %s, want %s", len(step.secrets), old, step.old, next, step.next)
		}
	}
	if err := set.Set(); err == nil {
		t.Error("Set of no secret: no error")
	}
	if got := accepts("next"); got != "[200 200]" {
		t.Errorf("after a Set that failed: got %s, want 200", got)
	}
}
