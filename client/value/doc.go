// Package value has the values that records, inputs and callbacks consist of: [ID], [Money], [Time], [Text], [Secret],
// [Opt] and others. Package client has the same types under the same names: client.ID is value.ID.
//
// An app that calls the API uses the names of package client. A program that makes no calls, such as one that only
// receives webhooks, imports this package instead, and then compiles and links no client:
//
//	handler := &webhook.Handler{Secrets: []value.Secret{value.Secret(os.Getenv("SECRET"))}, Registry: &events}
//
// The values are exact: an id or an amount never passes through floating point. They read each form that the platform
// sends, and write the form of the contract.
//
// # Guarantees
//
// Amounts and ids are never rounded. A Secret is never printed. Values are read from and written to databases without
// loss, and a value that cannot be read leaves the old one unchanged.
//
// # See also
//
// Package [github.com/commerceplatform/commerce-go/client] has the same names.
package value
