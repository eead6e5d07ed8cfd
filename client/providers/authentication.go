package providers

import (
	"fmt"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Authentication holds the store's credentials with the provider, which are used in payment requests. Its secrets are
// sent to the platform, and are printed as [redacted] elsewhere. Members that the contract does not name are dropped,
// because they could be secrets.
type Authentication struct {
	Type AuthenticationType `json:"type"` // determines which other fields are required
	// APIKey is required for AuthenticationTypeAPIKey.
	APIKey client.Secret `json:"api_key,omitzero"`
	// AccessToken is required for AuthenticationTypeBearerToken, and for AuthenticationTypeOAuth without
	// RefreshTokenURL.
	AccessToken client.Secret `json:"access_token,omitzero"`
	// ClientID, ClientSecret, RefreshToken, ExpiresAt and RefreshTokenURL are for AuthenticationTypeOAuth. The
	// platform posts to RefreshTokenURL, the URL of a [RefreshHandler], at the time ExpiresAt. RefreshTokenURL requires
	// ClientID, ClientSecret and RefreshToken.
	ClientID        string        `json:"client_id,omitzero"`
	ClientSecret    client.Secret `json:"client_secret,omitzero"`
	RefreshToken    client.Secret `json:"refresh_token,omitzero"`
	ExpiresAt       client.Time   `json:"expires_at,omitzero"`
	RefreshTokenURL string        `json:"refresh_token_url,omitzero"`
	// Username is required for AuthenticationTypeBasic. Password may be empty.
	Username string        `json:"username,omitzero"`
	Password client.Secret `json:"password,omitzero"`
}

// AuthenticationType is the kind of the credentials.
type AuthenticationType string

// The values of AuthenticationType.
const (
	AuthenticationTypeAPIKey      AuthenticationType = "api_key" // requires APIKey
	AuthenticationTypeBearerToken AuthenticationType = "token"   // requires AccessToken
	AuthenticationTypeOAuth       AuthenticationType = "oauth"   // requires AccessToken or RefreshTokenURL
	AuthenticationTypeBasic       AuthenticationType = "basic"   // requires Username
)

// Known reports whether the contract names the value.
func (t AuthenticationType) Known() bool {
	return wire.Known(t, AuthenticationTypeAPIKey, AuthenticationTypeBearerToken, AuthenticationTypeOAuth, AuthenticationTypeBasic)
}

// UnmarshalJSON reads the credentials. An unreadable value results in zero credentials and no error, because an error
// could quote a part of a secret.
func (a *Authentication) UnmarshalJSON(data []byte) error {
	type plain Authentication
	var v plain
	if wire.Unmarshal(data, &v) != nil {
		v = plain{}
	}
	*a = Authentication(v)
	return nil
}

// Format prints only the type for every verb. For unsuitable verbs, such as %s for a pointer, fmt prints fields
// without calling their methods.
func (a Authentication) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "providers.Authentication{Type: %q}", string(a.Type))
}

// check verifies that the members required by the type are set, with the members that the platform posts to the refresh
// URL.
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
			return engine.Invalid(field, redacted, "the secret itself, not its printed form")
		}
	}
	return checkOptionalHTTPS("authentication.refresh_token_url", a.RefreshTokenURL)
}

// credentials is the wire form of Authentication, with its secrets.
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
