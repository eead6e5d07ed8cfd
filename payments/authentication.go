package payments

import (
	"fmt"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/enum"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Authentication holds the store's credentials with the provider, which are used in
// payment requests. The secrets among them are sent to the platform and print as
// [redacted] everywhere else. Members that the contract does not name are not kept: they
// might be secrets.
type Authentication struct {
	Type AuthenticationType `json:"type"` // which of the other fields are needed
	// APIKey is of APIKey.
	APIKey client.Secret `json:"api_key,omitzero"`
	// AccessToken is of AuthenticationTypeBearerToken and AuthenticationTypeOAuth.
	AccessToken client.Secret `json:"access_token,omitzero"`
	// ClientID, ClientSecret, RefreshToken, ExpiresAt and RefreshTokenURL are of AuthenticationTypeOAuth. The
	// platform posts to the address, where a [RefreshHandler] is, when ExpiresAt has come.
	ClientID        string        `json:"client_id,omitzero"`
	ClientSecret    client.Secret `json:"client_secret,omitzero"`
	RefreshToken    client.Secret `json:"refresh_token,omitzero"`
	ExpiresAt       client.Time   `json:"expires_at,omitzero"`
	RefreshTokenURL string        `json:"refresh_token_url,omitzero"`
	// Username and Password are of AuthenticationTypeBasic.
	Username string        `json:"username,omitzero"`
	Password client.Secret `json:"password,omitzero"`
}

// AuthenticationType is the kind of the credentials.
type AuthenticationType string

// The values of AuthenticationType.
const (
	AuthenticationTypeAPIKey      AuthenticationType = "api_key" // needs APIKey
	AuthenticationTypeBearerToken AuthenticationType = "token"   // needs AccessToken
	AuthenticationTypeOAuth       AuthenticationType = "oauth"   // needs client, tokens and RefreshTokenURL
	AuthenticationTypeBasic       AuthenticationType = "basic"   // needs Username and Password
)

// Known reports whether the contract names the value.
func (t AuthenticationType) Known() bool {
	return enum.Known(t, AuthenticationTypeAPIKey, AuthenticationTypeBearerToken, AuthenticationTypeOAuth, AuthenticationTypeBasic)
}

// UnmarshalJSON reads the credentials. What is no object that it knows reads as none: an
// error would repeat a part of a secret.
func (a *Authentication) UnmarshalJSON(data []byte) error {
	type plain Authentication
	var v plain
	if wire.Unmarshal(data, &v) != nil {
		v = plain{}
	}
	*a = Authentication(v)
	return nil
}

// Format prints the type only, whatever the verb. What has no fitting verb, such as a pointer
// under %s, fmt prints without asking the fields what they want to show.
func (a Authentication) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "payments.Authentication{Type: %q}", string(a.Type))
}

// check wants the members without which the kind makes no sense, and what the platform posts
// to the refresh address if there is one.
func (a *Authentication) check() error {
	if a == nil {
		return nil
	}
	if !a.Type.Known() {
		return engine.Invalid("authentication.type", a.Type, "api_key, token, oauth or basic")
	}
	refreshed := a.RefreshTokenURL != ""
	for _, member := range []struct {
		name, value string
		required    bool
	}{
		{"api_key", string(a.APIKey), a.Type == AuthenticationTypeAPIKey},
		{"access_token", string(a.AccessToken), a.Type == AuthenticationTypeBearerToken || a.Type == AuthenticationTypeOAuth && !refreshed},
		{"client_id", a.ClientID, refreshed},
		{"client_secret", string(a.ClientSecret), refreshed},
		{"refresh_token", string(a.RefreshToken), refreshed},
		{"username", a.Username, a.Type == AuthenticationTypeBasic},
		{"password", string(a.Password), false},
	} {
		field := "authentication." + member.name
		if member.required && member.value == "" {
			return engine.Invalid(field, "", fmt.Sprintf("a value for type %s", a.Type))
		}
		if member.value == redacted {
			return engine.Invalid(field, redacted, "the secret itself, not what is printed for it")
		}
	}
	return checkOptionalHTTPS("authentication.refresh_token_url", a.RefreshTokenURL)
}

// credentials is the form of Authentication that shows its secrets, for the wire only.
type credentials struct {
	Type            AuthenticationType `json:"type"`
	APIKey          string             `json:"api_key,omitzero"`
	AccessToken     string             `json:"access_token,omitzero"`
	ClientID        string             `json:"client_id,omitzero"`
	ClientSecret    string             `json:"client_secret,omitzero"`
	RefreshToken    string             `json:"refresh_token,omitzero"`
	ExpiresAt       client.Time        `json:"expires_at,omitzero"`
	RefreshTokenURL string             `json:"refresh_token_url,omitzero"`
	Username        string             `json:"username,omitzero"`
	Password        string             `json:"password,omitzero"`
}

func (a *Authentication) credentials() credentials {
	if a == nil {
		return credentials{}
	}
	return credentials{
		a.Type, string(a.APIKey), string(a.AccessToken), a.ClientID, string(a.ClientSecret), string(a.RefreshToken),
		a.ExpiresAt, a.RefreshTokenURL, a.Username, string(a.Password),
	}
}
