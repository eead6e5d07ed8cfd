package api

import (
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// The versions of the API, as they stand in a path.
const (
	V1       = "v1"
	V202503  = "2025-03"
	Unstable = "unstable"
)

// Versions returns every version, oldest first.
func Versions() []string { return []string{V1, V202503, Unstable} }

// Provenance is the source of an operation.
type Provenance string

const (
	// Contract operations are shown by the contract.
	Contract Provenance = "contract"
	// Supplement operations are shown by other published text about the API.
	Supplement Provenance = "supplement"
	// Assumed operations are inferred; their answers say so in ProvenanceHeader.
	Assumed Provenance = "assumed"
)

// ProvenanceHeader says how well founded an answer is, if it is inferred. An operation that is shown may
// have refusals that are not.
const ProvenanceHeader = "X-Ref-Provenance"

// Handler answers one request inside a transaction. A write that returns an
// error is rolled back. The value is written as JSON with the operation's
// success status; it may also be an *Answer or a *List.
type Handler func(tx *world.Tx, in *In) (any, error)

// Op is one operation of the API.
type Op struct {
	// ID is resource.act, for example "products.create". Faults and the request
	// log name operations by it.
	ID string
	// Method and Path are as the endpoint table has them: "/products/{id}".
	Method, Path string
	// Scopes lists permissions of which one is enough; none means that any token
	// will do.
	Scopes []string
	// ScopeNote describes the scopes that the handler requires with In.Need.
	ScopeNote string
	// Versions that have the operation; nil is all of them.
	Versions []string
	// Feature has to be switched on for the app, if it is not empty.
	Feature string
	// StoreFeature has to be among the features of the store, if it is not empty.
	StoreFeature string
	// Success is the status of a good answer; 0 is 200. At 204 nothing is written.
	Success int
	// Query names the parameters the operation reads, except fields and those of paging.
	Query []string
	// NoBody is set for a write that takes none; one that comes is not looked at.
	NoBody bool
	// ContentType is set for a write whose body is not JSON, for example
	// "multipart/form-data"; the handler then reads In.Raw.
	ContentType string
	// Emits names the events a good call may send.
	Emits []string
	// Errors lists the refusals peculiar to the operation.
	Errors []ErrCase
	// Paging says how a handler's *List is cut into pages.
	Paging Paging
	// Provenance is Contract if it is left empty.
	Provenance Provenance
	// Digits is set for a row whose last {name} takes integers only, so another row may have the same shape.
	Digits bool
	// AsksCarriers is set for an operation that makes labels: the platform then asks
	// the carriers for them.
	AsksCarriers bool
	// Secret is set for an operation of an app rather than of a store: the app's
	// client secret is the token and the path begins with {base_url}/{version}/apps/.
	Secret bool

	Handler Handler
}

// BelowRecord reports whether the operation is about what a record of the store has, as the variants of a product.
func (o *Op) BelowRecord() bool { return !o.Secret && strings.Contains(o.Path, "}/") }

// ErrCase is one documented refusal.
type ErrCase struct {
	Status int
	Text   string
}

// In reports whether the version has the operation.
func (o Op) In(version string) bool {
	for _, v := range o.AllVersions() {
		if v == version {
			return true
		}
	}
	return false
}

// AllVersions returns the versions that have the operation.
func (o Op) AllVersions() []string {
	if o.Versions == nil {
		return Versions()
	}
	return o.Versions
}

// Writes reports whether the operation may change something.
func (o Op) Writes() bool { return o.Method != "GET" }

// Origin is the provenance, with its default filled in.
func (o Op) Origin() Provenance {
	if o.Provenance == "" {
		return Contract
	}
	return o.Provenance
}

// Status is the status of a good answer, with its default filled in.
func (o Op) Status() int {
	if o.Success == 0 {
		return 200
	}
	return o.Success
}

// ScopeText is what the operation table prints under scope.
func (o Op) ScopeText() string {
	switch {
	case o.ScopeNote != "":
		return o.ScopeNote
	case len(o.Scopes) == 0:
		return "none"
	}
	return world.Scopes(o.Scopes).String()
}
