package client

import (
	"net/url"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// Request describes one call of the API.
type Request struct {
	// Method is the HTTP method; empty means GET.
	Method string
	// Version is the version of the API; empty means Version202503.
	Version Version
	// Path is the path below the store, with a placeholder for every value, such as
	// "/products/{product_id}/variants/{id}".
	Path string
	// Args fill the placeholders in order. They are formatted with fmt.Sprint and escaped, so a SKU with a slash stays
	// one segment.
	Args []any
	// Query is appended to the URL.
	Query url.Values
	// Body is sent as JSON. Nil sends no body.
	Body any
	// Secrets reports that the body or the answer contains secrets. An answer may repeat rejected values. Errors
	// therefore have no Body and no Raw, and only those messages of the platform that it sent as JSON.
	Secrets bool
	// Retry overrides the retry class. By default, a known endpoint has the class of the table of endpoints. Other
	// endpoints have the most careful class of the method.
	Retry RetryClass
}

func (r Request) engine() engine.Request {
	return engine.Request{
		Method: r.Method, Version: string(r.Version), Path: r.Path, Args: r.Args, Query: r.Query, Body: r.Body,
		Secrets: r.Secrets, Retry: engine.Class(r.Retry),
	}
}

// RetryClass determines after which failures a call is retried. The platform has no idempotency key, so the class
// follows from the effect of the endpoint.
type RetryClass string

// The retry classes. Every endpoint of the contract has one.
const (
	RetryClassRead          = RetryClass(engine.Read)          // changes nothing
	RetryClassAbsolutePut   = RetryClass(engine.AbsolutePut)   // sets fields of a record by id
	RetryClassOverwrite     = RetryClass(engine.Overwrite)     // overwrites associations
	RetryClassAddingPut     = RetryClass(engine.AddingPut)     // adds values to a set
	RetryClassReplaceAll    = RetryClass(engine.ReplaceAll)    // overwrites a collection and deletes absent records
	RetryClassAbsolutePatch = RetryClass(engine.AbsolutePatch) // sets fields of several records by id
	RetryClassStatusPatch   = RetryClass(engine.StatusPatch)   // is allowed in one state only
	RetryClassRemove        = RetryClass(engine.Remove)        // deletes by id
	RetryClassStatePut      = RetryClass(engine.StatePut)      // changes the state of a record
	RetryClassKeyedCreate   = RetryClass(engine.KeyedCreate)   // creates a record that a natural key can find
	RetryClassCreate        = RetryClass(engine.Create)        // creates a record without natural key
	RetryClassEffectCreate  = RetryClass(engine.EffectCreate)  // creates a record with side effects such as emails or payments
	RetryClassTokenExchange = RetryClass(engine.TokenExchange) // exchanges a code that is valid once
)
