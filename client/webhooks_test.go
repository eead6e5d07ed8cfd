package client

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/hostile"
)

func TestWebhookInputIsChecked(t *testing.T) {
	for _, test := range []struct {
		name     string
		creating bool
		in       WebhookInput
		want     string
	}{
		{"both", true, WebhookInput{"https://app.example/hooks", "product/created"}, ""},
		{"an event of the future", true, WebhookInput{"https://app.example/hooks", "planet/moved"}, ""},
		{"no url to create", true, WebhookInput{Event: "product/created"}, `url: "": must be an https URL`},
		{"no event to create", true, WebhookInput{URL: "https://app.example/hooks"}, `event: "": must be a name of the form`},
		{"url alone to update", false, WebhookInput{URL: "https://app.example/hooks"}, ""},
		{"insecure", false, WebhookInput{URL: "http://app.example/hooks"}, `url: "http://app.example/hooks": must be an https URL`},
		{"no host", false, WebhookInput{URL: "https:///hooks"}, `url: "https:///hooks": must be an https URL`},
		{"no category", false, WebhookInput{Event: "created"}, `event: "created": must be a name of the form`},
	} {
		t.Run(test.name, func(t *testing.T) { refusal(t, test.in.check(VersionV1, test.creating), test.want) })
	}
}

// TestWebhookEventsOfVersions: an event that v1 lacks was sent, and came back as a 422 about an invalid event.
func TestWebhookEventsOfVersions(t *testing.T) {
	for _, event := range []WebhookEvent{"app_subscription/updated", "charge/created", "charge/paid", "charge/failed",
		"customer/created", "customer/updated", "customer/deleted", "subscription/updated", "order/unpacked"} {
		in := WebhookInput{"https://app.example/hooks", event}
		for _, creating := range []bool{true, false} {
			if err := in.check(VersionV1, creating); !errors.Is(err, ErrNotInVersion) {
				t.Errorf("%s in v1: got %v, want ErrNotInVersion", event, err)
			}
		}
		for _, v := range []Version{Version202503, VersionUnstable} {
			if err := in.check(v, true); err != nil {
				t.Errorf("%s in %s: %v", event, v, err)
			}
		}
	}
	v, seen := answering(t, VersionV1, `[]`)
	if _, err := (*WebhookService)(v).Ensure(t.Context(), "https://app.example/hooks", "order/paid", "customer/created"); !errors.Is(err, ErrNotInVersion) {
		t.Errorf("got %v, want ErrNotInVersion", err)
	}
	if len(*seen) > 0 {
		t.Errorf("asked %v, want nothing", *seen)
	}
}

func TestWebhookServiceRequests(t *testing.T) {
	ctx := t.Context()
	requests(t, VersionV1, as[WebhookService], []request[WebhookService]{
		{"GET /v1/123/webhooks event=order%2Fpaid&since_id=5&url=https%3A%2F%2Fapp.example", `[]`, func(s *WebhookService) error {
			_, err := s.List(WebhookFilter{SinceID: 5, URL: "https://app.example", Event: "order/paid"}).Page(ctx)
			return err
		}},
		{"GET /v1/123/webhooks/7 fields=url", `{"id":7}`, func(s *WebhookService) error { _, err := s.Get(ctx, 7, "url"); return err }},
	})
	v, seen := answering(t, VersionV1, `{}`)
	_, err := (*WebhookService)(v).Create(ctx, WebhookInput{})
	refusal(t, err, "url: ")
	_, err = (*WebhookService)(v).Update(ctx, 7, WebhookInput{Event: "x"})
	refusal(t, err, "event: ")
	if len(*seen) > 0 {
		t.Errorf("asked %v, want nothing", *seen)
	}
}

// TestEnsure: one pass over what is registered, a request for each that is missing, and a look whether somebody else
// was faster.
func TestEnsure(t *testing.T) {
	const url = "https://app.example/hooks"
	registered := `[{"id":1,"event":"order/paid","url":"https://app.example/hooks"},{"id":2,"event":"order/packed","url":"https://app.example/hooks/other"}]`
	var asked []string
	refuse := false
	v := view(t, VersionV1, hostile.RoundTripper(func(r *http.Request) (*http.Response, error) {
		asked = append(asked, r.Method)
		switch {
		case r.Method == http.MethodGet:
			return hostile.Status(200, registered, "X-Total-Count", "2")(r)
		case refuse:
			return hostile.Status(422, `{"url":["refused"]}`)(r)
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		return hostile.Status(201, `{"id":`+strconv.Itoa(len(asked)+10)+`,`+string(body[1:]))(r)
	}))
	got, err := (*WebhookService)(v).Ensure(t.Context(), url, "order/packed", "order/paid", "product/deleted", "order/packed")
	if err != nil {
		t.Fatal(err)
	}
	var ids []ID
	for _, w := range got {
		if w.URL != url {
			t.Errorf("got registration %+v, want one of %s", w, url)
		}
		ids = append(ids, w.ID)
	}
	if want := []ID{12, 1, 13, 12}; !slices.Equal(ids, want) || !slices.Equal(asked, []string{"GET", "POST", "POST", "GET"}) {
		t.Errorf("got %v by %v, want %v by two creates between two passes", ids, asked, want)
	}
	refuse = true
	if got, err := (*WebhookService)(v).Ensure(t.Context(), url, "order/paid", "product/deleted"); !errors.Is(err, ErrValidation) || !strings.Contains(err.Error(), "product/deleted") || len(got) != 1 {
		t.Errorf("got %v, %v; want the first and an error that names the second", got, err)
	}
	asked = nil
	if _, err := (*WebhookService)(v).Ensure(t.Context(), "http://app.example", "order/paid"); !errors.Is(err, ErrValidation) || len(asked) != 0 {
		t.Errorf("got %v after %v, want the URL refused before anything is sent", err, asked)
	}
}
