package shippingtest_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/shipping/shippingtest"
)

// Calls about labels are recorded beside requests for rates, and are made again at their paths.
func TestLabels(t *testing.T) {
	const label = "01J9ZX3Q4V5W6Y7Z8A9B0C1D2E"
	body := `[{"id":"` + label + `","status":"STARTED","fulfillment_order_info":{"id":"01J9ZX3Q4V5W6Y7Z8A9B0C1D2F","recipient":{"name":"Ana Souza","email":"ana@souza.br"}}}]`
	var file strings.Builder
	recorder := &shippingtest.Recorder{Handler: carrier(1000, token), Out: &file}
	recorder.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/labels/generate", strings.NewReader(body)))
	recorder.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/elsewhere", strings.NewReader(`{"store_id":1}`)))
	if got := file.String(); strings.Count(got, "\n") != 1 || strings.Contains(got, "Ana") || strings.Contains(got, "souza") || recorder.Err() != nil {
		t.Fatalf("recorded %s, %v", got, recorder.Err())
	}
	refuses := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusMultiStatus)
		_, _ = io.WriteString(w, `[{"id":"`+label+`","status":"FAILED","reason":{"type":"OTHER_ERROR"}}]`)
	})
	for _, tc := range []struct {
		handler http.Handler
		want    string
	}{
		{carrier(1000, token), ""},
		{refuses, "status: 207, was 202; label " + label + ": FAILED OTHER_ERROR, was nothing"},
	} {
		err := shippingtest.Replay(t.Context(), strings.NewReader(file.String()), shippingtest.Sender{Handler: tc.handler}, func(r shippingtest.Result) error {
			if got := strings.Join(r.Changes, "; "); got != tc.want || r.Record.Operation != "generate" || r.Record.Target != "/labels/generate" {
				t.Errorf("got %+v, want %q", r, tc.want)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}
