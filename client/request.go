package client

import (
	"net/url"

	"github.com/commerceplatform/commerce-go/internal/engine"
)

// Request describes one call of the API.
type Request struct {
	// Method is the HTTP method; empty means GET.
	Method string
	// Version of the API; empty means Version202503.
	Version Version
	// Path below the store, with a placeholder for every value:
	// "/products/{product_id}/variants/{id}".
	Path string
	// Args fill the placeholders in order. They are printed with fmt.Sprint and
	// escaped, so a SKU with a slash stays one segment.
	Args []any
	// Query is appended to the address.
	Query url.Values
	// Body is sent as JSON. Nil sends none.
	Body any
	// Secrets says that there are secrets in the body or in the answer. An answer may repeat
	// what it refuses, so errors then keep no Body and no Raw, and of the platform's words
	// only those that it sent as JSON.
	Secrets bool
	// Retry overrides the retry class, which the table of endpoints gives for
	// known ones and which is the most careful of the method for others.
	Retry RetryClass
}

func (r Request) engine() engine.Request {
	return engine.Request{
		Method: r.Method, Version: string(r.Version), Path: r.Path, Args: r.Args, Query: r.Query, Body: r.Body,
		Secrets: r.Secrets, Retry: engine.Class(r.Retry),
	}
}

// RetryClass says what may be repeated after which failure. The platform has no
// idempotency key, so a class follows from what the endpoint does.
type RetryClass string

// The classes. Every endpoint of the contract has one.
const (
	RetryClassRead          = RetryClass(engine.Read)          // nothing changes
	RetryClassAbsolutePut   = RetryClass(engine.AbsolutePut)   // sets fields of a record by id
	RetryClassOverwrite     = RetryClass(engine.Overwrite)     // overwrites associations
	RetryClassAddingPut     = RetryClass(engine.AddingPut)     // adds values to a set
	RetryClassReplaceAll    = RetryClass(engine.ReplaceAll)    // overwrites a collection and deletes what is absent
	RetryClassAbsolutePatch = RetryClass(engine.AbsolutePatch) // sets fields of several records by id
	RetryClassStatusPatch   = RetryClass(engine.StatusPatch)   // allowed in one state only
	RetryClassRemove        = RetryClass(engine.Remove)        // deletes by id
	RetryClassStatePut      = RetryClass(engine.StatePut)      // moves a state machine
	RetryClassKeyedCreate   = RetryClass(engine.KeyedCreate)   // creates a record that a natural key can find
	RetryClassCreate        = RetryClass(engine.Create)        // creates a record without natural key
	RetryClassEffectCreate  = RetryClass(engine.EffectCreate)  // creates, with effects such as mails or payments
	RetryClassTokenExchange = RetryClass(engine.TokenExchange) // spends a code that is good once
)
