// Package refserver is the platform in memory: the API, the authorization address
// and the webhooks, stateful and faithful to the contract, in one http.Handler.
//
// New returns a Server that is ready; it needs no network and no files. Apps,
// stores and tokens are made by its methods, everything else over HTTP or through
// World. The API is below {base}/{version}/{store_id}, the authorization address
// below {base}/auth.
//
// Package world keeps the state, res has the operations, body reads the bodies of their requests, and api describes
// them. The pipeline in this package runs around each operation. Customers fill their carts in shop. Packages payment,
// carrier and label call the apps of partners. No part imports the client, so the two meet on the wire.
//
// A call that no operation has is answered with a hint at what there is instead, in the description and in the header
// X-Ref-Hint. That the platform has other words, if any, is assumed. A 429 of a clock that stands still has the header
// too.
package refserver
