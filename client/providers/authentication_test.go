package providers

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/hostile"
)

func TestAuthenticationIsChecked(t *testing.T) {
	refreshed := func(change func(*Authentication)) Authentication {
		a := Authentication{Type: AuthenticationTypeOAuth, ClientID: "c", ClientSecret: "s", RefreshToken: "r", RefreshTokenURL: "https://app.example/refresh"}
		change(&a)
		return a
	}
	for _, test := range []struct {
		want string
		a    Authentication
	}{
		{"type", Authentication{}},
		{"type", Authentication{Type: "kerberos"}},
		{"type", Authentication{Username: "u"}},
		{"", Authentication{Type: AuthenticationTypeAPIKey, APIKey: "k"}},
		{"api_key", Authentication{Type: AuthenticationTypeAPIKey}},
		{"", Authentication{Type: AuthenticationTypeBearerToken, AccessToken: "t"}},
		{"access_token", Authentication{Type: AuthenticationTypeBearerToken, APIKey: "k"}},
		{"", Authentication{Type: AuthenticationTypeBasic, Username: "u"}}, // some have no password
		{"username", Authentication{Type: AuthenticationTypeBasic, Password: "p"}},
		{"", Authentication{Type: AuthenticationTypeOAuth, AccessToken: "t"}},
		{"access_token", Authentication{Type: AuthenticationTypeOAuth, ClientID: "c"}},
		{"", refreshed(func(*Authentication) {})},
		{"client_id", refreshed(func(a *Authentication) { a.ClientID = "" })},
		{"client_secret", refreshed(func(a *Authentication) { a.ClientSecret = "" })},
		{"refresh_token", refreshed(func(a *Authentication) { a.RefreshToken = "" })},
		{"refresh_token_url", refreshed(func(a *Authentication) { a.RefreshTokenURL = "http://app.example/refresh" })},
		{"api_key", Authentication{Type: AuthenticationTypeAPIKey, APIKey: "[redacted]"}}, // was printed, and read back
		{"password", Authentication{Type: AuthenticationTypeBasic, Username: "u", Password: "[redacted]"}},
	} {
		field := ""
		if test.want != "" {
			field = "authentication." + test.want
		}
		refused(t, field, test.a.check())
	}
}

// canaries are the secrets of testdata/wire/payment_provider.json.
const canaries = "canary-"

// silent fails if something that is printed has a canary in it, whole or in hexadecimal.
func silent(t *testing.T, what, printed string) {
	t.Helper()
	if strings.Contains(printed, canaries) || strings.Contains(printed, fmt.Sprintf("%x", canaries)) {
		t.Errorf("%s shows a secret: %s", what, printed)
	}
}

// everyForm prints v in all the ways that a program would.
func everyForm(t *testing.T, what string, v any) {
	t.Helper()
	for form, printed := range hostile.Printed(v) {
		silent(t, what+" as "+form, printed)
	}
}

func TestSecretsAreNeverPrinted(t *testing.T) {
	_, p := document(t)
	if p.Authentication.APIKey == "" || !strings.Contains(string(p.Authentication.Password), canaries) {
		t.Fatal("the canaries were not read")
	}
	in := p.Input()
	for what, v := range map[string]any{
		"a provider": *p, "a pointer to one": p, "a list": []Provider{*p}, "its credentials": *p.Authentication, "an input": in,
		"a pointer to an input": &in, "a map": map[string]any{"p": p}, "a list of pointers": []*Provider{p}, "a list of inputs": []*ProviderInput{&in}, "a list of credentials": []*Authentication{p.Authentication},
		"an embedding": struct{ Provider }{*p},
	} {
		everyForm(t, what, v)
	}
	for _, address := range []string{"http://canary-user@app.example?key=canary-key", "https://me:canary-pass?word@app.example", "https://canary-user:1?2@app.example"} {
		in.Authentication.RefreshTokenURL = address
		everyForm(t, "a refused address", in.Check())
	}
	in.Authentication.Type = "kerberos"
	everyForm(t, "refused credentials", in.Check())
}

// answering returns a service whose requests are answered so, and the bodies it was sent.
func answering(t *testing.T, status int, contentType, body string) (*ProviderService, *bytes.Buffer) {
	t.Helper()
	sent := new(bytes.Buffer)
	c, err := client.New(client.Config{
		BaseURL: "https://api.example.com", StoreID: 123, Token: client.StaticToken("token"), UserAgent: "Tests (tests@app.example)", Retry: client.Retry{Attempts: 1},
		HTTPClient: &http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
			if r.Body != nil {
				if _, err := io.Copy(sent, r.Body); err != nil {
					return nil, err
				}
			}
			return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {contentType}, "X-Request-Id": {"req-1"}}, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
		})},
	})
	if err != nil {
		t.Fatal(err)
	}
	return (*ProviderService)(engine.At((*engine.Core)(c), string(client.Version202503))), sent
}

// The platform may repeat what it refuses, in any form; and an answer that cannot be read may
// have the credentials in it. No error shows them, and each still is what it is.
func TestErrorsRepeatNoSecrets(t *testing.T) {
	data, p := document(t)
	in := p.Input()
	in.Features = nil
	long := strings.Repeat("x", 505) // so that a cut falls into the secret
	broken := strings.Replace(string(data), `"817495"`, `{}`, 1)
	broken = strings.Replace(broken, `817495`, `{}`, 1)
	for _, test := range []struct {
		name        string
		status      int
		kind, body  string
		want, shown string
	}{
		{"a field", 422, "application/json", `{"authentication.api_key":["canary-api-key is not active"],"name":["can't be blank"]}`, "validation", "name: can't be blank"},
		{"the name of a field", 422, "application/json", `{"canary-password":["no"]}`, "validation", "[redacted]: no"},
		{"a message", 400, "application/json", `{"message":"bad token canary-access-token","description":"try again"}`, "validation", "try again"},
		{"a nested error", 403, "application/json", `{"error":{"status":403,"code":"canary-client-secret","detail":["canary-refresh-token"]}}`, "forbidden", "[redacted]"},
		{"an escaped secret", 422, "application/json", `{"name":["canary\u002dapi\u002dkey"]}`, "validation", "name: [redacted]"},
		{"a quoted secret", 422, "application/json", `{"name":["\"canary\\-api\\-key\""]}`, "validation", "name: [redacted]"},
		{"a secret on two lines", 422, "application/json", `{"name":["canary-\napi-key"]}`, "validation", "name: [redacted]"},
		{"no JSON", 500, "text/html", "<p>" + long + "canary-api-key</p>", "server error", "500"},
		{"JSON that ends early", 502, "application/json", `{"message":"canary-api-key`, "server error", "502"},
		{"an answer without id", 201, "application/json", `{"id":null,"authentication":{"api_key":"canary-api-key"}}`, "outcome unknown", "no id"},
		{"an answer that cannot be read", 201, "application/json", `{"id":7,"authentication":{"api_key":"canary-api-key"}}`, "outcome unknown", "secrets"},
		{"an answer of another kind", 201, "text/plain", `canary-api-key`, "outcome unknown", "secrets"},
	} {
		s, sent := answering(t, test.status, test.kind, test.body)
		_, created := s.Create(t.Context(), in)
		if !strings.Contains(sent.String(), `"api_key":"canary-api-key"`) {
			t.Errorf("%s: sent %s", test.name, sent)
		}
		errs := map[string]error{"create": created}
		if test.status > 299 {
			errs["update"] = s.Update(t.Context(), uuid.New(), in)
		}
		for act, err := range errs {
			everyForm(t, test.name, err)
			if !strings.Contains(fmt.Sprint(err), test.shown) || !errors.Is(err, sentinels[test.want]) {
				t.Errorf("%s: %s: got %v, want %s with %s", test.name, act, err, test.want, test.shown)
			}
			if e, ok := errors.AsType[*client.Error](err); test.status > 299 && (!ok || e.Status != test.status || e.Body != nil || e.Attempts != 1) {
				t.Errorf("%s: %s: got %#v", test.name, act, e)
			}
		}
	}
	s, _ := answering(t, 200, "application/json", broken)
	_, err := s.Get(t.Context(), uuid.New())
	everyForm(t, "a provider that cannot be read", err)
	if e, ok := errors.AsType[*client.DecodeError](err); !ok || e.Raw != nil {
		t.Errorf("got %v", err)
	}
	s, _ = answering(t, 200, "application/json", "["+broken+","+string(data)+"]")
	page, err := s.List().Page(t.Context())
	everyForm(t, "a list that cannot be read", err)
	everyForm(t, "a page", page)
	if e, ok := errors.AsType[*client.DecodeError](err); !ok || e.Index != 0 || e.Raw != nil || len(page.Items) != 1 {
		t.Errorf("got %v", err)
	}
}

var sentinels = map[string]error{
	"validation": client.ErrValidation, "forbidden": client.ErrForbidden, "server error": client.ErrServer, "outcome unknown": client.ErrOutcomeUnknown,
}

func TestProviderServiceRequests(t *testing.T) {
	ctx := t.Context()
	id := someID
	for _, test := range []struct {
		answer string
		want   string
		call   func(*ProviderService) error
	}{
		{`{"id":"` + id.String() + `"}`, `{"name":"Acme"`, func(s *ProviderService) error {
			got, err := s.Create(ctx, goodProvider())
			if got != id {
				t.Errorf("created %s", got)
			}
			return err
		}},
		{``, `{"name":"Acme"`, func(s *ProviderService) error { return s.Update(ctx, id, goodProvider()) }},
		{``, ``, func(s *ProviderService) error { return s.Delete(ctx, id) }},
		{`{"id":"` + id.String() + `","name":"Acme"}`, ``, func(s *ProviderService) error {
			p, err := s.Get(ctx, id)
			if err == nil && p.Name != "Acme" {
				t.Errorf("got %v", p)
			}
			return err
		}},
		{`[{"id":"acme","name":"Acme","logo_url":null,"checkout_payment_options":[{"id":"card","supported_payment_method_types":["other"],"new":1}]}]`, ``,
			func(s *ProviderService) error {
				all, err := s.Options().Collect(ctx)
				if len(all) != 1 || all[0].ID != "acme" || len(all[0].Options) != 1 || all[0].Options[0].ID != "card" || all[0].Options[0].Extra["new"] == nil {
					t.Errorf("options %v", all)
				}
				return err
			}},
	} {
		s, sent := answering(t, 200, "application/json", test.answer)
		if err := test.call(s); err != nil || !strings.HasPrefix(sent.String(), test.want) || strings.Contains(sent.String(), "authentication") {
			t.Errorf("sent %s: %v", sent, err)
		}
	}
	s, sent := answering(t, 200, "application/json", `{}`)
	_, created := s.Create(ctx, ProviderInput{})
	if updated := s.Update(ctx, id, ProviderInput{}); !errors.Is(created, client.ErrValidation) || !errors.Is(updated, client.ErrValidation) || sent.Len() > 0 {
		t.Errorf("got %v and %v, and sent %s", created, updated, sent)
	}
	s, _ = answering(t, 404, "application/json", `{"code":404,"message":"Not Found","description":null}`)
	if err := s.Delete(ctx, id); !errors.Is(err, client.ErrNotFound) {
		t.Errorf("Delete: got %v, want ErrNotFound", err)
	}
	if all, err := (*OptionService)(s).List().Collect(ctx); len(all) > 0 || err != nil && !errors.Is(err, client.ErrNotFound) {
		t.Errorf("options: got %v, %v, want none", all, err)
	}
}
