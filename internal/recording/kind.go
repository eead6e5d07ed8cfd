package recording

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"path"
	"slices"
)

// Kind is what a call of the platform is about.
type Kind string

// The kinds of calls that are recorded.
const (
	Deliveries Kind = "deliveries" // of webhooks
	Carts      Kind = "carts"      // of a discount app
	Rates      Kind = "rates"      // of a carrier
	Labels     Kind = "labels"     // of a carrier
	Payments   Kind = "payments"   // of a payment app
)

// Kinds are all kinds.
func Kinds() []Kind { return []Kind{Deliveries, Carts, Rates, Labels, Payments} }

// The operations of payments. Those of labels are the last segment of the path: generate, cancel, suspension,
// reactivate.
const (
	Refund  = "refund"
	Process = "process"
	Cancel  = "cancel"
	Status  = "status"
)

// Call is a request of the platform.
type Call struct {
	Method string
	Host   string
	// Target is the path with the query, as it is sent.
	Target string
	Header http.Header
	Body   []byte
}

// The headers of signed calls.
const (
	SignatureHeader        = "X-Platform-Hmac-Sha256"
	paymentTimestampHeader = "X-Timestamp"
	paymentSignatureHeader = "X-Signature"
)

// Kind recognises the call by what the contract says of its method, path, headers and body. The operation says which of
// the calls about labels or payments it is. Both are empty for a call that is not one of these.
// The header is that of the signature of deliveries; empty means SignatureHeader.
func (c Call) Kind(header string) (kind Kind, operation string) {
	if header == "" {
		header = SignatureHeader
	}
	at, err := url.ParseRequestURI(c.Target)
	if err != nil {
		return "", ""
	}
	last, m := path.Base(at.Path), c.members(at)
	switch post := c.Method == http.MethodPost; {
	case c.Method == http.MethodGet && m.has("?order_id") && c.isSignedPayment():
		return Payments, Status
	case !post || m.has("grant_type") || m.has("client_secret"): // a refresh of credentials consists of secrets
		return "", ""
	case m.has("execution_tier", "products"):
		return Carts, ""
	case m.has("destination", "items"):
		return Rates, ""
	case last == "generate" && m.has("[]fulfillment_order_info"):
		return Labels, last
	case slices.Contains([]string{"cancel", "suspension", "reactivate"}, last) && m.has("labels"):
		return Labels, last
	case m.has("payment_provider_id", "transaction_id"):
		return Payments, Refund
	case m.has("payment_provider_id", "payment_attempt_id"):
		return Payments, Process
	case len(c.Body) == 0 && m.has("?payment_attempt_id"):
		return Payments, Cancel
	case m.has("store_id") && c.Header.Get(header) != "":
		return Deliveries, ""
	}
	return "", ""
}

func (c Call) isSignedPayment() bool {
	return c.Header.Get(paymentSignatureHeader) != "" && c.Header.Get(paymentTimestampHeader) != ""
}

// names are those of the members of a body, of the first element of an array with [] in front, and of the query with ?.
type names map[string]bool

func (n names) has(all ...string) bool {
	return !slices.ContainsFunc(all, func(name string) bool { return !n[name] })
}

func (c Call) members(at *url.URL) names {
	out := names{}
	for name := range at.Query() {
		out["?"+name] = true
	}
	body, before := bytes.TrimSpace(c.Body), ""
	var elements []json.RawMessage
	if json.Unmarshal(body, &elements) == nil && len(elements) > 0 {
		body, before = elements[0], "[]"
	}
	var object map[string]json.RawMessage
	_ = json.Unmarshal(body, &object) // what is not an object has no members
	for name := range object {
		out[before+name] = true
	}
	return out
}

// Among is Kind for a handler of some kinds of calls. Others are not recognised.
func (c Call) Among(kinds []Kind) (Kind, string) {
	kind, operation := c.Kind("")
	if !slices.Contains(kinds, kind) {
		return "", ""
	}
	return kind, operation
}
