package webhook

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
)

// The privacy requests name no event in their bodies: the address says
// which they are.
func TestBodiesWithoutEvent(t *testing.T) {
	var got []string
	var events Registry
	On(&events, StoreRedactRequested, func(_ context.Context, d Delivery[StoreRedact]) error {
		got = append(got, string(d.Event)+" "+d.StoreID.String())
		return nil
	})
	On(&events, CustomerRedactRequested, func(_ context.Context, d Delivery[CustomerRedact]) error {
		got = append(got, string(d.Event)+" "+d.Payload.Customer.ID.String())
		return nil
	})
	for _, tt := range []struct {
		event      Name
		body, want string
	}{
		{StoreRedactRequested.Name, `{"store_id":7}`, "store/redact 7"},
		{CustomerRedactRequested.Name, `{"store_id":7,"customer":{"id":5},"orders_to_redact":[1]}`,
			"customers/redact 5"},
		{CustomerRedactRequested.Name, `{"store_id":7,"event":"store/redact"}`, "store/redact 7"},
		{"", `{"store_id":7}`, "malformed"},
		{StoreRedactRequested.Name, `{"store_id":7,"event":null}`, "malformed"},
		{StoreRedactRequested.Name, `{"store_id":7,"event":""}`, "malformed"},
		{StoreRedactRequested.Name, `{}`, "malformed"},
	} {
		got = nil
		h := &Handler{Secrets: []client.Secret{testSecret}, Registry: &events, Event: tt.event,
			OnFailure: func(_ context.Context, f *Failure) {
				if errors.Is(f.Err, ErrMalformed) {
					got = append(got, "malformed")
				}
			}}
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(tt.body))
		r.Header.Set(SignatureHeader, Sign(testSecret, []byte(tt.body)))
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != http.StatusOK || len(got) != 1 || got[0] != tt.want {
			t.Errorf("Event %q, body %s: status %d, %q; want 200, %q", tt.event, tt.body, w.Code, got, tt.want)
		}
	}
	if err := (&Handler{
		Secrets: []client.Secret{testSecret}, Registry: &events, Event: "store/redacted"}).Check(); err == nil {
		t.Error("an Event that does not exist was accepted")
	}
}

// TestProtectedWhateverTheBody: what comes to an address of data protection is a duty, even if nobody can read it. It
// was turned away by a full inbox, missing in Stats.OldestProtected, and not erased.
func TestProtectedWhateverTheBody(t *testing.T) {
	for body, event := range map[string]Name{
		`{"store_id":7,"customer":{"id":5,"email":"a@b`:               CustomerRedactRequested.Name,
		"{\"store_id\":7,\"customer\":{\"id\":5,\"email\":\"\xff\"}}": CustomerRedactRequested.Name,
		`not JSON`:                             CustomerRedactRequested.Name,
		`{"store_id":7,"customer":{"id":0}}`:   CustomerRedactRequested.Name,
		`{"store_id":0,"customer":{"id":5}}`:   CustomerRedactRequested.Name,
		`{"store_id":7,"event":null}`:          "", // that it names no event is not for the address to say
		`{"store_id":7,"event":"kit/updated"}`: "kit/updated",
	} {
		var r Registry
		On(&r, CustomerRedactRequested, nop)
		e := r.Entry("", CustomerRedactRequested.Name, []byte(body))
		if want := event != "kit/updated"; e.Event != event || e.Protected != want || string(e.Body) != body {
			t.Errorf("%s: got event %q, protected %t; want %q, %t", body, e.Event, e.Protected, event, want)
		}
	}
}
