package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/providers"
	"github.com/commerceplatform/commerce-go/discounts"
	"github.com/commerceplatform/commerce-go/oauth"
	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/shipping"
	"github.com/commerceplatform/commerce-go/webhook"
)

// Whatever holds a secret does not show it, by any verb, in any place: fmt does not ask the values within a value that
// it has no verb for, such as a slice of pointers printed with %s.
func TestHoldersShowNoSecret(t *testing.T) {
	const canary = "cnry7f3acnry7f3a"
	hooks := &webhook.Handler{Secrets: []client.Secret{canary}, Registry: &webhook.Registry{}}
	carts := &discounts.Handler{Secrets: []client.Secret{canary}}
	rates := &shipping.Handler{Access: shipping.Access{PathTokens: []client.Secret{canary}}}
	labels := &shipping.LabelHandler{Access: shipping.Access{PathTokens: []client.Secret{canary}}}
	quiet := slog.New(slog.DiscardHandler)
	hooks.Logger, carts.Logger, rates.Logger, labels.Logger = quiet, quiet, quiet, quiet
	for _, h := range []http.Handler{hooks, carts, rates, labels} { // that have made what they need by then
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/", strings.NewReader("{}")))
	}
	config := client.Config{BaseURL: "https://api.example.com", StoreID: 1, Token: client.StaticToken(canary), UserAgent: "Test (t@example.com)"}
	one, err := client.New(config)
	if err != nil {
		t.Fatal(err)
	}
	secret := client.Secret(canary)
	held := []any{
		hooks, carts, rates, labels, &rates.Access, one, &config, &secret,
		&client.AppConfig{ID: 1, Secret: canary}, &client.CustomerInput{Email: "a@example.com", Password: canary}, &oauth.App{ID: 1, Secret: canary},
		&providers.Authentication{APIKey: canary, AccessToken: canary, ClientSecret: canary, RefreshToken: canary, Password: canary},
		&providers.ProviderInput{Name: "Pay", Authentication: &providers.Authentication{APIKey: canary}},
		&payments.RefreshRequest{ClientSecret: canary, RefreshToken: canary}, &payments.Tokens{AccessToken: canary, RefreshToken: canary},
	}
	var out bytes.Buffer
	loggers := []*slog.Logger{slog.New(slog.NewTextHandler(&out, nil)), slog.New(slog.NewJSONHandler(&out, nil))}
	shown := 0
	for _, v := range held {
		within := reflect.MakeSlice(reflect.SliceOf(reflect.TypeOf(v)), 0, 1)
		for _, place := range []any{v, []any{v}, map[string]any{"it": v}, struct{ It any }{v}, reflect.Append(within, reflect.ValueOf(v)).Interface()} {
			out.Reset()
			for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x", "%X", "%t", "%p", "%c", "%08.3f"} {
				_, _ = fmt.Fprintf(&out, verb+"\n", place)
			}
			for _, log := range loggers {
				log.Info("shown", "value", place)
			}
			if data, err := json.Marshal(place); err == nil {
				out.Write(data)
			}
			shown++
			for _, spelled := range []string{canary, fmt.Sprintf("%x", canary), fmt.Sprintf("%X", canary)} {
				if at := bytes.Index(out.Bytes(), []byte(spelled)); at >= 0 {
					t.Errorf("%T in %T shows a secret: …%s…", v, place, out.Bytes()[max(0, at-60):at+20])
				}
			}
		}
	}
	t.Logf("%d values in %d places: no secret shown", len(held), shown)
}
