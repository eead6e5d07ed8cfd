package access

import (
	"fmt"
	"log/slog"
	"net/netip"
	"time"
)

// Refused describes a request that a handler of package webhook, discounts, shipping or payments rejected before it
// called a function of the app. The handlers log it (at most one line a minute for each reason) and pass it to their
// hook OnRefused. It contains no secret, no signature and no part of a body.
type Refused struct {
	// Handler names the kind of the handler, such as "webhook", "discounts", "shipping rates" or "payments refund".
	Handler string
	// Reason is the check that failed.
	Reason RefusedReason
	// Status is the HTTP status of the answer. A request to generate labels that may succeed on retry gets no answer.
	Status int
	// Remote is the address of the connection, which is the sender or the last proxy. It is invalid if the connection
	// has none, as for a Unix socket.
	Remote netip.Addr
	// Address is the address that was compared with Sources: Remote, or a hop of X-Forwarded-For. It is invalid if no
	// address was compared or the hop is not an address.
	Address netip.Addr
	// Hop is the position of Address in X-Forwarded-For, counted from the end. 1 is the address that the nearest proxy
	// has added. It is 0 if Address is the address of the connection, or no address was compared.
	Hop int
	// Header is the name of the header that Reason refers to, empty if none.
	Header string
	// Skew is the time of this machine's clock less the timestamp of the request. It is 0 unless Reason is
	// RefusedClock.
	Skew time.Duration
	// Err describes the failed check and the fix in case the platform sent the request. It is never nil.
	Err error
}

// RefusedReason is a check that a request failed. New reasons may be added.
type RefusedReason string

// The values of RefusedReason.
const (
	RefusedMethod      RefusedReason = "method"       // the HTTP method is not the one in the contract
	RefusedAddress     RefusedReason = "address"      // the address is not in Sources, or Allow returned false
	RefusedToken       RefusedReason = "token"        // no segment of the path is a token
	RefusedUnsigned    RefusedReason = "unsigned"     // not exactly one well-formed signature or timestamp
	RefusedSignature   RefusedReason = "signature"    // the signature does not match a current secret or key
	RefusedClock       RefusedReason = "clock"        // the timestamp is too far from this machine's clock
	RefusedContentType RefusedReason = "content_type" // the body is not of the contract's type
	RefusedEncoding    RefusedReason = "encoding"     // the body is compressed
	RefusedSize        RefusedReason = "size"         // the body is larger than MaxBody
	RefusedTransfer    RefusedReason = "transfer"     // the body did not arrive in time, or its transfer broke off
	RefusedFull        RefusedReason = "full"         // the handler is already receiving MaxReceiving bytes
	RefusedFunction    RefusedReason = "function"     // the path names a function that is not set
	RefusedMalformed   RefusedReason = "malformed"    // the body of a call without signature is malformed
)

// String returns a description of the request in one line.
func (r Refused) String() string {
	return fmt.Sprintf("%s: request refused with status %d (%s): %v", r.Handler, r.Status, r.Reason, r.Err)
}

// LogValue returns the fields that are set as a group.
func (r Refused) LogValue() slog.Value {
	attrs := []slog.Attr{slog.String("reason", string(r.Reason)), slog.Int("status", r.Status), slog.Any("cause", r.Err)}
	if r.Remote.IsValid() {
		attrs = append(attrs, slog.String("remote", r.Remote.String()))
	}
	if r.Address.IsValid() {
		attrs = append(attrs, slog.String("address", r.Address.String()))
	}
	if r.Hop > 0 {
		attrs = append(attrs, slog.Int("hop", r.Hop))
	}
	if r.Header != "" {
		attrs = append(attrs, slog.String("header", r.Header))
	}
	if r.Skew != 0 {
		attrs = append(attrs, slog.Duration("skew", r.Skew))
	}
	return slog.GroupValue(attrs...)
}
