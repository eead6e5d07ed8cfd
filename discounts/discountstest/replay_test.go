package discountstest_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/discounts/discountstest"
)

// recordedBy sends carts to a handler and returns the recording.
func recordedBy(t *testing.T, h http.Handler, carts ...string) string {
	t.Helper()
	var file strings.Builder
	recorder := &discountstest.Recorder{Handler: h, Out: &file, Keep: []string{"products.properties.Size"}}
	for _, c := range carts {
		recorder.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/carts", strings.NewReader(c)))
	}
	if err := recorder.Err(); err != nil {
		t.Fatal(err)
	}
	return file.String()
}

// Another installation has other ids: they are mapped, in what is sent and in what is expected.
func TestMap(t *testing.T) {
	before := app("100.00", "10")
	defer before.Promotions.Close()
	file := recordedBy(t, before, cart(1, "200.00"))
	const other = "11111111-2222-4333-8444-555555555555"
	after := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"commands":[{"command":"create_or_update_discount","specs":{"promotion_id":"`+other+
			`","currency":"ARS","discount_specs":{"type":"percentage","amount":"10.00"}}}]}`)
	})
	for _, to := range []discountstest.Sender{{Handler: after}, {Handler: after, Map: map[string]string{outlet.ID.String(): other}}} {
		err := discountstest.Replay(t.Context(), strings.NewReader(file), to, func(r discountstest.Result) error {
			if (len(r.Changes) == 0) != (to.Map != nil) || r.Status != 200 || len(r.Answer) == 0 || r.Err != nil || r.Record.Target != "/carts" {
				t.Errorf("map %v: got %+v", to.Map, r)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// Carts are signed with the secret of the test, and what stays by Keep is there.
func TestSigned(t *testing.T) {
	var signatures []string
	spy := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		signatures = append(signatures, r.Header.Get(discounts.SignatureHeader))
		if strings.Contains(string(body), "XL") && r.Header.Get(discounts.SignatureHeader) == discounts.Sign("s", body) {
			w.WriteHeader(http.StatusNoContent)
		}
	})
	file := recordedBy(t, spy, strings.ReplaceAll(cart(1, "1.00"), `"Engraving":"For Ana"`, `"Size":"XL","Engraving":"For Ana"`))
	var changes []string
	err := discountstest.Replay(t.Context(), strings.NewReader(file), discountstest.Sender{Handler: spy, Secret: "s"}, func(r discountstest.Result) error {
		changes = r.Changes
		return nil
	})
	want := []string{"status: 204, was 200", "the answer: nothing, was not of the form that the contract has"}
	if err != nil || !slices.Equal(changes, want) || signatures[0] != "" || strings.Contains(file, "Ana") {
		t.Errorf("got %v, %q, signatures %q, recording %s", err, changes, signatures, file)
	}
}

// A broken recording is an error that names the line.
func TestBrokenRecording(t *testing.T) {
	err := discountstest.Replay(t.Context(), strings.NewReader("{}\n{x\n"), discountstest.Sender{Handler: http.NotFoundHandler()},
		func(discountstest.Result) error { return nil })
	if err == nil || !strings.HasPrefix(err.Error(), "discountstest: recording, line 2: ") {
		t.Errorf("got %v", err)
	}
}
