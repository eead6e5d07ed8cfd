//go:build !race

// The race detector takes half a minute for lines of this length, and nothing here runs beside them.

package webhooktest_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/commerceplatform/commerce-go/webhook/webhooktest"
)

// TestReplayReadsWhatWasRecorded: also the largest body of what a line takes most room for.
func TestReplayReadsWhatWasRecorded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		silent := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { _, _ = io.Copy(io.Discard, r.Body) })
		from := webhooktest.Sender{Handler: &webhooktest.Recorder{Handler: silent, Out: &out}}
		body := append(append([]byte(`"`), bytes.Repeat([]byte("\x7f"), 4<<20-2)...), '"')
		if _, err := from.Deliver(t.Context(), body); err != nil {
			t.Fatal(err)
		}
		records := 0
		err := webhooktest.Replay(t.Context(), &out, webhooktest.Sender{Handler: silent}, func(webhooktest.Record, int) error { records++; return nil })
		if records != 1 || err != nil {
			t.Errorf("got %d records, %v; want the one that was recorded", records, err)
		}
		longer := strings.NewReader("\n" + strings.Repeat("x", 40<<20))
		if err := webhooktest.Replay(t.Context(), longer, webhooktest.Sender{Handler: silent}, nil); err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("got %v, want an error of line 2, which is too long", err)
		}
	})
}
