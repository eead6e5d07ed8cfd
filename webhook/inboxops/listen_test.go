package inboxops_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/webhook/inboxops"
)

// A page at an address of its own: it answers until the context ends, and an address that is taken is an error.
func TestListenAndServe(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	ops := &inboxops.Handler{Inbox: memory(t), Title: "Gifts"}
	if err := ops.ListenAndServe(t.Context(), address); err == nil || !strings.Contains(err.Error(), address) {
		t.Errorf("an address that is taken: %v", err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := ops.ListenAndServe(t.Context(), ""); err != nil {
		t.Errorf("without an address: %v", err)
	}
	if err := new(inboxops.Handler).ListenAndServe(t.Context(), ""); err == nil {
		t.Error("without an inbox: no error")
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- ops.ListenAndServe(ctx, address) }()
	transport := &http.Transport{DisableKeepAlives: true}
	for {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+"/", nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := transport.RoundTrip(r)
		if err != nil {
			select {
			case err := <-ended:
				t.Fatalf("it ended: %v", err)
			default:
				continue // it does not listen yet
			}
		}
		body, err := io.ReadAll(answer.Body)
		if _ = answer.Body.Close(); err != nil || !strings.Contains(string(body), "Gifts") {
			t.Errorf("%d %s, %v", answer.StatusCode, body, err)
		}
		break
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
