package payment

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"time"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// credentials returns the header with the store's credentials in the app. Expired credentials are refreshed first, as
// far as that is possible.
func (p *Platform) credentials(ctx context.Context, store int64, from world.PaymentProvider) (http.Header, error) {
	auth := from.Authentication
	if member(auth, "type") == "oauth" && p.expired(auth) && member(auth, "refresh_token_url") != "" {
		c, err := p.refresh(ctx, store, from)
		if err != nil {
			return nil, err
		}
		if c.Outcome == Accepted {
			fresh, err := p.provider(store, from.ID)
			if err != nil {
				return nil, err
			}
			auth = fresh.Authentication
		}
	}
	h := http.Header{}
	switch member(auth, "type") {
	case "api_key":
		h.Set("X-Api-Key", member(auth, "api_key"))
	case "token", "oauth":
		h.Set("Authorization", "Bearer "+member(auth, "access_token"))
	case "basic":
		pair := member(auth, "username") + ":" + member(auth, "password")
		h.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(pair)))
	}
	return h, nil
}

// member is one of the credentials that is a text.
func member(auth map[string]json.RawMessage, name string) string {
	var s string
	_ = json.Unmarshal(auth[name], &s) // what is not a text is none
	return s
}

// expired is false for credentials whose end is not known.
func (p *Platform) expired(auth map[string]json.RawMessage) bool {
	at, err := api.ParseTime(member(auth, "expires_at"))
	return err == nil && !at.After(p.world.Clock().Now())
}

type refreshJSON struct {
	GrantType    string `json:"grant_type"`
	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret"`
	RefreshToken string `json:"refresh_token"`
}

// Refresh gets new credentials of a provider of type oauth, at its refresh_token_url,
// and keeps them. It fails if the provider cannot be asked or ctx ends, not because of
// what is answered: then the credentials stay as they are.
func (p *Platform) Refresh(ctx context.Context, store int64, provider string) (Call, error) {
	from, err := p.provider(store, provider)
	if err != nil {
		return Call{}, err
	}
	return p.refresh(ctx, store, from)
}

func (p *Platform) refresh(ctx context.Context, store int64, from world.PaymentProvider) (Call, error) {
	auth := from.Authentication
	c := Call{
		At: p.world.Clock().Now(), Kind: Refresh, Store: store, App: from.AppID, Provider: from.ID, Try: 1,
		Method: http.MethodPost, URL: member(auth, "refresh_token_url"),
	}
	if kind := member(auth, "type"); kind != "oauth" || c.URL == "" {
		return c, fmt.Errorf("payment provider %s: authentication: must be of type oauth, with a refresh_token_url", from.ID)
	}
	err := p.check(c.URL)
	if err != nil {
		return c, fmt.Errorf("payment provider %s: refresh_token_url: %w", from.ID, err)
	}
	c.Request, err = json.Marshal(refreshJSON{"refresh_token", member(auth, "client_id"), member(auth, "client_secret"), member(auth, "refresh_token")})
	if err != nil {
		return c, err
	}
	c, err = p.send(ctx, c, http.Header{})
	answer := c.Answer
	c.Request, c.Answer, c.Wire.Later = nil, nil, nil
	if err != nil {
		return c, err
	}
	if c.requires(http.StatusOK); c.Outcome == Accepted {
		c.Unread = delivery.Unread[tokensJSON](answer)
		if err := p.renew(store, from.ID, answer); err != nil {
			c.Outcome, c.Reason = Failed, err.Error()
		}
	}
	return p.record(c), nil
}

// tokensJSON is the answer to a refresh.
type tokensJSON struct {
	AccessToken  string `json:"access_token"`
	RefreshToken string `json:"refresh_token"`
	ExpiresIn    int64  `json:"expires_in"`
}

// renew keeps new credentials.
func (p *Platform) renew(store int64, provider string, answer []byte) error {
	var b tokensJSON
	if err := json.Unmarshal(answer, &b); err != nil || b.AccessToken == "" || b.RefreshToken == "" || b.ExpiresIn <= 0 {
		// The answer has secrets, so it is not quoted.
		return fmt.Errorf("the answer: must have access_token, refresh_token and a positive expires_in")
	}
	return p.world.Update(0, store, func(tx *world.Tx) error {
		kept, ok := tx.PaymentProviders.Get(provider)
		if !ok {
			return fmt.Errorf("payment provider %q is gone", provider)
		}
		if kind := member(kept.Authentication, "type"); kind != "oauth" { // the app was asked without a lock
			return fmt.Errorf("the credentials were changed meanwhile: type %q: must be oauth", kind)
		}
		kept.Authentication = maps.Clone(kept.Authentication)
		until := tx.Now().Add(time.Duration(min(b.ExpiresIn, maxSeconds)) * time.Second).UTC().Format(time.RFC3339)
		for name, value := range map[string]string{"access_token": b.AccessToken, "refresh_token": b.RefreshToken, "expires_at": until} {
			raw, err := json.Marshal(value)
			if err != nil {
				return err
			}
			kept.Authentication[name] = raw
		}
		return tx.PaymentProviders.Put(provider, kept)
	})
}

// maxSeconds bounds how long credentials live, so that no time overflows.
const maxSeconds = 100 * 365 * 24 * 60 * 60
