package oauth_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/hostile"
	"github.com/commerceplatform/commerce-go/oauth"
)

// Of a token answer that was cut or spoiled there is no half of an installation, and no error says what was in it.
func TestExchangeOfSpoiledAnswers(t *testing.T) {
	const token = "cnry_7f3a"
	refusals := []string{
		`{"error":"invalid_grant","error_description":"The authorization code has expired"}`,
		`{"code":401,"message":"Unauthorized","description":"Invalid client secret"}`,
		`{"error":"invalid_client","message":"Unauthorized"}`,
	}
	var all hostile.Tally
	for _, v := range []struct {
		status  int
		answers []string
	}{
		{200, []string{
			`{"access_token":"` + token + `","token_type":"bearer","scope":"read_products,write_orders","user_id":"789"}`,
			`{"access_token":"` + token + `","token_type":"Bearer","scope":"read_products write_orders","user_id":9007199254740993}`,
			`{"access_token":"` + token + `","user_id":789,"store_id":789,"newer":{"list":[1,null]}}`,
		}},
		{400, refusals}, {401, refusals}, {500, refusals},
	} {
		var good [][]byte
		for _, answer := range v.answers {
			good = append(good, []byte(answer))
		}
		reader := hostile.Reader{Lax: true, Bytes: 4 << 20, Read: func(body []byte) bool {
			_, app := answering(v.status, string(body))
			in, err := app.Exchange(t.Context(), "the-code")
			switch {
			case err == nil && (in.StoreID <= 0 || in.Token == ""):
				t.Errorf("%.100q: got %+v", body, in)
			case err != nil && (in.StoreID != 0 || in.Token != "" || in.Scopes.String() != oauth.Scopes{}.String()):
				t.Errorf("%.100q: %v, and yet %+v", body, err, in)
			case err != nil && (len(err.Error()) > 500 || strings.Contains(err.Error(), token)):
				t.Errorf("%.100q: said in %d bytes: %.200v", body, len(err.Error()), err)
			}
			return err == nil && !bytes.HasPrefix(body, []byte("\ufeff")) // a byte order mark spoils nothing here
		}}
		all = all.Add(reader.Play(t, hostile.Documents(hostile.OfHandler/10, good...)))
	}
	if all.Documents < hostile.OfHandler {
		t.Errorf("%d documents, want %d at least", all.Documents, hostile.OfHandler)
	}
	t.Logf("%v", all)
}

// What a browser or the platform may send at any length is refused or cut, and not repeated.
func TestLongTexts(t *testing.T) {
	long := strings.Repeat("a", 1<<20)
	h := &oauth.Handler{App: oauth.App{ID: appID, Secret: appSecret, AuthURL: "https://auth.example"}, Tokens: &oauth.MemoryStore{}}
	for _, query := range []string{"code=" + long, "state=" + long, "code=" + long + "&state=" + long, "code=c&state=" + long, "error=" + long, long, strings.Repeat("a=b&", 1<<18)} {
		var told error
		h.OnError = func(_ context.Context, err error) { told = err }
		w := httptest.NewRecorder()
		spent := hostile.Cost(func() { h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "https://app.example/oauth?"+query, nil)) })
		if w.Code < 300 || w.Body.Len() > 8<<10 || told != nil && len(told.Error()) > 500 || spent.Bytes > 32<<20 {
			t.Errorf("%.60s: status %d, %d bytes, told %.200v, cost %v", query, w.Code, w.Body.Len(), told, spent)
		}
		t.Logf("%.20s: status %d, %v", query, w.Code, spent)
	}
	if scopes := oauth.ParseScopes(long); len(scopes) != 1 || scopes.Has(oauth.ScopeReadOrders) {
		t.Errorf("got %d scopes", len(scopes))
	}
}
