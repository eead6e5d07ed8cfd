package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/commerceplatform/commerce-go/internal/hostile"
)

// registry is the platform's, which keeps addresses in a spelling of its own.
type registry struct {
	spell  func(url string) string              // nil: as it is sent
	event  func(event string) string            // likewise
	unique int                                  // the status for a second registration; 0: it is made
	lost   int                                  // answers to creates that do not arrive
	before func(r *registry, url, event string) // called at a create, before it is made

	all  []Webhook
	made int // the id of the last registration
	gets int
}

func (r *registry) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method == http.MethodGet {
		r.gets++
		url, event := req.URL.Query().Get("url"), req.URL.Query().Get("event")
		shown := []Webhook{} // an exact filter, as the contract has it
		for _, w := range r.all {
			if (url == "" || w.URL == url) && (event == "" || string(w.Event) == event) {
				shown = append(shown, w)
			}
		}
		return jsonAnswer(http.StatusOK, shown, "X-Total-Count", strconv.Itoa(len(shown)))
	}
	if req.Method == http.MethodDelete {
		r.all = slices.DeleteFunc(r.all, func(w Webhook) bool { return strings.HasSuffix(req.URL.Path, "/"+w.ID.String()) })
		return jsonAnswer(http.StatusOK, struct{}{})
	}
	var in WebhookInput
	body, err := io.ReadAll(req.Body)
	if err == nil {
		err = json.Unmarshal(body, &in)
	}
	if err != nil {
		return nil, err
	}
	if r.before != nil {
		r.before(r, in.URL, string(in.Event))
	}
	if r.spell != nil {
		in.URL = r.spell(in.URL)
	}
	if r.event != nil {
		in.Event = WebhookEvent(r.event(string(in.Event)))
	}
	if r.unique != 0 && slices.ContainsFunc(r.all, func(w Webhook) bool { return w.URL == in.URL && w.Event == in.Event }) {
		return jsonAnswer(r.unique, map[string]any{
			"code": r.unique, "message": http.StatusText(r.unique), "description": nil, "url": []string{"has already been taken"},
		})
	}
	w := r.add(in.URL, string(in.Event))
	if r.lost > 0 {
		r.lost--
		return nil, io.ErrUnexpectedEOF
	}
	return jsonAnswer(http.StatusCreated, w)
}

func (r *registry) add(url, event string) Webhook {
	r.made++
	w := Webhook{ID: ID(r.made), URL: url, Event: WebhookEvent(event)}
	r.all = append(r.all, w)
	return w
}

func jsonAnswer(code int, body any, headers ...string) (*http.Response, error) {
	data, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	return hostile.Status(code, string(data), headers...)(nil)
}

// Each start of an app whose platform spells addresses in its own way made one registration more for each event.
func TestEnsureKeepsOneRegistration(t *testing.T) {
	events := []WebhookEvent{"order/paid", "app/uninstalled"}
	for _, test := range []struct {
		name string
		url  []string // of each start
		registry
	}{
		{name: "host in upper case, answered in lower case", url: []string{"https://App.Example/Hooks"},
			registry: registry{spell: func(string) string { return "https://app.example/Hooks" }}},
		{name: "default port, answered without", url: []string{"https://app.example:443"},
			registry: registry{spell: func(string) string { return "https://app.example/" }}},
		{name: "international host, answered in ASCII", url: []string{"https://ñandú.example/h"},
			registry: registry{spell: func(string) string { return "https://xn--and-6ma2c.example/h" }}},
		{name: "escapes, answered without", url: []string{"https://app.example/%7Eme"},
			registry: registry{spell: func(string) string { return "https://app.example/~me" }}},
		{name: "configured in three spellings", url: []string{"https://app.example", "HTTPS://APP.EXAMPLE:443/", "https://app.example./"}},
		{name: "events in upper case", url: []string{"https://app.example/h"}, registry: registry{event: strings.ToUpper}},
		{name: "lost answer", url: []string{"https://APP.example/h"},
			registry: registry{lost: 1, spell: strings.ToLower}},
		{name: "another replica is quicker, 422", url: []string{"https://APP.example/h"}, registry: registry{unique: 422, spell: strings.ToLower,
			before: func(r *registry, _, event string) { r.add("https://app.example/h", event) }}},
		{name: "another replica is quicker, 409", url: []string{"https://app.example/h"}, registry: registry{unique: 409,
			before: func(r *registry, url, event string) { r.add(url, event) }}},
	} {
		for _, one := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/one=%v", test.name, one), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					r := test.registry
					s := (*WebhookService)(view(t, VersionV1, &r))
					for start := range 3 {
						got, err := ensured(t.Context(), s, one, test.url[start%len(test.url)], events)
						if err != nil || len(got) != 2 || got[0].ID != 1 || got[1].ID != 2 {
							t.Errorf("start %d: got %v, %v; want registrations 1 and 2", start, hookIDs(got), err)
						}
					}
					if len(r.all) != 2 {
						t.Errorf("%d registrations, want one for each event", len(r.all))
					}
				})
			})
		}
	}
}

func hookIDs(all []*Webhook) (got []ID) {
	for _, w := range all {
		got = append(got, w.ID)
	}
	return got
}

// ensured registers by Ensure, or by a CreateOrGet for each event.
func ensured(ctx context.Context, s *WebhookService, one bool, url string, events []WebhookEvent) (all []*Webhook, err error) {
	if !one {
		return s.Ensure(ctx, url, events...)
	}
	for _, event := range events {
		w, _, err := s.CreateOrGet(ctx, WebhookInput{url, event})
		if err != nil {
			return all, err
		}
		all = append(all, w)
	}
	return all, nil
}

// Spellings that are registered already stay, and the oldest is the one that is meant.
func TestEnsureMeetsDuplicates(t *testing.T) {
	r := &registry{}
	for _, url := range []string{"https://other.example/h", "https://app.example:443/h", "https://app.example/h", "https://APP.example/h", "https://app.example/H"} {
		r.add(url, "order/paid")
	}
	slices.Reverse(r.all) // the platform promises no order
	s := (*WebhookService)(view(t, VersionV1, r))
	for range 3 {
		if got, err := s.Ensure(t.Context(), "https://app.example/h", "order/paid", "Order/Paid"); err != nil || len(got) != 2 || got[0].ID != 2 || got[1].ID != 2 {
			t.Errorf("got %v, %v; want registration 2 for both", hookIDs(got), err)
		}
	}
	if len(r.all) != 5 || r.gets != 3 {
		t.Errorf("%d registrations after %d requests, want 5 after 3", len(r.all), r.gets)
	}
}

// Where the platform takes a second registration, one of each event stays of those that processes make at the same
// time.
func TestEnsureBesideAnother(t *testing.T) {
	r := &registry{before: func(r *registry, url, event string) {
		if event == "order/paid" { // another process is faster
			r.add(url, event)
		}
	}}
	got, err := (*WebhookService)(view(t, VersionV1, r)).Ensure(t.Context(), "https://app.example/h", "order/paid", "order/packed", "order/paid")
	if err != nil || !slices.Equal(hookIDs(got), []ID{1, 3, 1}) {
		t.Errorf("got %v, %v; want 1, 3 and 1", hookIDs(got), err)
	}
	if !slices.Equal(hookIDs([]*Webhook{&r.all[0], &r.all[len(r.all)-1]}), []ID{1, 3}) || len(r.all) != 2 {
		t.Errorf("left are %+v, want 1 and 3", r.all)
	}
}

// A refusal that is not about uniqueness is returned.
func TestEnsureIsRefused(t *testing.T) {
	for _, code := range []int{409, 422} {
		r := &registry{unique: code, before: func(r *registry, url, event string) { r.add(url, event) }}
		r.spell = func(string) string { r.all[0].URL = "https://elsewhere.example"; return r.all[0].URL }
		_, err := (*WebhookService)(view(t, VersionV1, r)).Ensure(t.Context(), "https://app.example/h", "order/paid")
		if e, ok := errors.AsType[*Error](err); !ok || e.Status != code {
			t.Errorf("got %v, want the %d", err, code)
		}
	}
}
