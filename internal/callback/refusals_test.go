package callback

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/commerceplatform/commerce-go/client"
)

// A reason is logged at once, and then once a minute with the number of those that were not; each reason by itself. The
// hook gets all of them, and a hook that panics harms nobody.
func TestRefusalsAreLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		logger := slog.New(slog.NewTextHandler(&log,
			&slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
				if a.Key == slog.TimeKey {
					return slog.Attr{}
				}
				return a
			}}))
		var n Refusals
		heard := map[client.RefusedReason]int{}
		hook := func(_ context.Context, r client.Refused) {
			heard[r.Reason]++
			panic("a hook of an app")
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		request := httptest.NewRequestWithContext(ended, http.MethodPost, "/", nil)
		request.RemoteAddr = "10.0.0.1:443"
		address := client.Refused{Handler: "discounts", Reason: client.RefusedAddress, Status: 403,
			Address: netip.MustParseAddr("192.0.2.9"), Hop: 1, Err: errors.New("not in Sources")}
		clock := client.Refused{Handler: "payments refund", Reason: client.RefusedClock, Status: 401,
			Header: "X-Timestamp",
			Skew:   time.Hour, Err: errors.New("too old")}
		for range 3 {
			n.Notify(request, &address, hook, logger)
		}
		n.Notify(request, &clock, hook, logger)
		time.Sleep(time.Minute - 1)
		n.Notify(request, &address, nil, logger)
		time.Sleep(time.Nanosecond)
		n.Notify(request, &address, nil, logger)
		n.Notify(request, &address, nil, logger)
		time.Sleep(time.Minute)
		n.Notify(request, &address, nil, logger)
		const first = `level=WARN msg="discounts: request refused" refused.reason=address refused.status=403 ` +
			`refused.cause="not in Sources" ` +
			`refused.remote=10.0.0.1 refused.address=192.0.2.9 refused.hop=1 not_logged=`
		want := first + "0\n" + `level=WARN msg="payments refund: request refused" refused.reason=clock ` +
			`refused.status=401 refused.cause="too old" ` +
			`refused.remote=10.0.0.1 refused.header=X-Timestamp refused.skew=1h0m0s not_logged=0` + "\n" + first +
			"3\n" + first + "1\n"
		if got := log.String(); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		if heard[client.RefusedAddress] != 3 || heard[client.RefusedClock] != 1 {
			t.Errorf("the hook got %v", heard)
		}
		text := "discounts: request refused with status 403 (address): not in Sources"
		if got := address.String(); got != text {
			t.Errorf("got %q, want %q", got, text)
		}
	})
}

func TestRefusedBodies(t *testing.T) {
	for err, want := range map[error]string{
		ErrEncoded: "415 encoding", ErrFull: "503 full", errors.New("broken off"): "400 transfer",
	} {
		r := RefusedBody(err)
		if got := fmt.Sprint(r.Status, " ", r.Reason); got != want || !errors.Is(r.Err, err) {
			t.Errorf("%v: got %s, want %s", err, got, want)
		}
	}
}
