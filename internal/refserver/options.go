package refserver

import (
	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/clock"
	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/traffic"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Options say how a server behaves. The zero value is the contract, on the
// machine's clock.
type Options struct {
	// Clock is the server's clock; nil is clock.Real.
	Clock clock.Clock
	// Seed makes generated ids repeat from run to run. Tokens and codes never do.
	Seed uint64
	// Limits are the numbers of the contract; nil is world.Contract().
	Limits *world.Limits
	// Bucket and Leak are the request rate of an app and a store; 0 is the
	// contract's. Stores on the highest plans have ten times as much.
	Bucket, Leak int

	// Strict accepts only the header form that a version documents for the token, only JSON for the exchange of a code,
	// and only UUIDs as ids of checkout options. A POST, PUT or PATCH requires a Content-Type, even if it has no body.
	Strict bool
	// RefuseUnread answers 422 to a body or a query with something in it that
	// nothing reads. Otherwise the request log says so.
	RefuseUnread bool
	// Readings are the other answers to questions that the contract leaves open.
	Readings api.Readings

	// Disabled are features that the platform has enabled for no app, whatever the app has, for
	// example business_rules.
	Disabled []string

	// AutoApprove installs apps without asking the merchant.
	AutoApprove bool

	// PlatformDomains are refused as addresses of partners.
	PlatformDomains []string
	// AnyPort lets partners register ports other than 443.
	AnyPort bool

	// Delivery says how webhooks are sent: Header, Retries, Timeout, AllowNetwork, Duplicate, Reorder, AtOnce, ReadLate
	// and Kept. The rest is filled in by the server.
	Delivery delivery.Options

	// Kept is how many entries the journal keeps, and at least how many calls to apps of a kind. 0 or less is 10,000.
	Kept int
	// LogSize is how many requests the log keeps; 0 or less is 1000.
	LogSize int
	// OnRequest is called with the entry of each request in the log, before the answer is written, by several
	// goroutines at a time. Nil is not called.
	OnRequest func(traffic.Request)
	// LogAnswers has the log keep the first 64 KiB of each answer, and the headers, as well.
	LogAnswers bool
	// ExtraOps are operations in addition to those of the platform.
	ExtraOps []api.Op
}

func (o Options) rate() traffic.Rate {
	r := traffic.StandardRate()
	if o.Bucket > 0 {
		r.Bucket = o.Bucket
	}
	if o.Leak > 0 {
		r.Leak = o.Leak
	}
	return r
}
