package client

import (
	"net/netip"

	"github.com/commerceplatform/commerce-go/client/access"
)

// The access of an app to stores, and of callers to its handlers, is that of package access. A program that makes no
// calls imports that package in place of this one.
type (
	// Access is the access that the API grants an app in a store; see [access.State].
	Access = access.State
	// Judge decides whether the app is installed in a store; see [access.Judge].
	Judge = access.Judge
	// Verdict is the decision of a Judge about a store; see [access.Verdict].
	Verdict = access.Verdict
	// Act is something that cannot be undone, for which a Judge requires evidence; see [access.Act].
	Act = access.Act
	// AuthorizationOutage is a time in which the platform refuses many tokens; see [access.AuthorizationOutage].
	AuthorizationOutage = access.AuthorizationOutage
	// Sources is the allow-list of the addresses from which the platform calls; see [access.Sources].
	Sources = access.Sources
	// Refused describes a request that a handler rejected; see [access.Refused].
	Refused = access.Refused
	// RefusedReason is a check that a request failed; see [access.RefusedReason].
	RefusedReason = access.RefusedReason
)

// The values of Access. A probe never returns AccessDoubtful; a Judge does.
const (
	AccessActive    = access.Active    // installed, and the API answers
	AccessSuspended = access.Suspended // installed, and the API answers 402
	AccessDoubtful  = access.Doubtful  // the token is refused, which may pass; nothing may be ended because of it
	AccessGone      = access.Gone      // not installed: the token is invalid or missing
)

// The values of Act.
const (
	ActErase         = access.ActErase         // handle app/uninstalled and store/redact, delete pending deliveries
	ActEndPromotions = access.ActEndPromotions // answer 310 to a cart
	ActRetire        = access.ActRetire        // use a token no longer
)

// The values of RefusedReason.
const (
	RefusedMethod      = access.RefusedMethod      // the HTTP method is not the one in the contract
	RefusedAddress     = access.RefusedAddress     // the address is not in Sources
	RefusedToken       = access.RefusedToken       // no segment of the path is a token
	RefusedUnsigned    = access.RefusedUnsigned    // not exactly one well-formed signature or timestamp
	RefusedSignature   = access.RefusedSignature   // the signature does not match
	RefusedClock       = access.RefusedClock       // the timestamp is too far from the clock of this machine
	RefusedContentType = access.RefusedContentType // the body is not of the contract's type
	RefusedEncoding    = access.RefusedEncoding    // the body is compressed
	RefusedSize        = access.RefusedSize        // the body is larger than MaxBody
	RefusedTransfer    = access.RefusedTransfer    // the body did not arrive in time or broke off
	RefusedFull        = access.RefusedFull        // the handler is already receiving MaxReceiving bytes
	RefusedFunction    = access.RefusedFunction    // the path names a function that is not set
	RefusedMalformed   = access.RefusedMalformed   // the body of a call without signature is malformed
)

// ErrDoubtful means that it is not certain yet whether the app is installed; see [access.ErrDoubtful].
var ErrDoubtful = access.ErrDoubtful

// AccessOf derives the state of an installation from the error of one API call; see [access.Of].
func AccessOf(err error) (Access, error) { return access.Of(err) }

// ListedSources is [access.ListedSources].
func ListedSources(allowed, proxies string) (*Sources, error) {
	return access.ListedSources(allowed, proxies)
}

// ParseSources is [access.ParseSources].
func ParseSources(texts ...string) ([]netip.Prefix, error) { return access.ParseSources(texts...) }
