// Package payment is the platform where it calls payment apps: to refund, to take a
// payment, to give one up, and to ask how the payments of an order are.
//
// New makes a Platform. Refund, Process, Cancel, Review and Status make one call each and
// return its record; Refresh gets new credentials of a provider. Calls has the records
// of them all, and PublicKey is what the apps verify the signature of a call with.
//
// No answer changes a transaction or its order: those change when the app reports an
// event over the API, as it does after it has accepted a refund. The documentation
// shows the addresses, the order of what is signed, the 20 seconds, and of the answers
// the statuses and the error codes of a refund. Assumed are:
//
//   - The signature is RSASSA-PKCS1-v1_5 in standard Base64, and the timestamp is in
//     seconds since 1970. A call without a body is signed with the digest of nothing.
//     The URL is the one called, with its query. Refunds are signed like the others.
//   - store_id is a number and amount is an object with value and currency. The body
//     that takes a payment is not shown: it names the store, the order, the provider,
//     the attempt, the method and the amount. A cancellation has no body.
//   - The credentials of a provider travel in Authorization, as Basic or Bearer, or as
//     X-Api-Key. Those of type oauth are refreshed before a call if they have expired.
//     expires_at is then written in RFC 3339. The refresh itself is not signed.
//   - A refund is asked of a transaction that is paid or partially refunded, for no
//     more than what is left, and for less only if supports_partial_refund is true.
//   - A decision of the merchant about a payment that needs review is a POST of {}, without signature and credentials.
//     It is sent to the accept_url or the cancel_url of the last event that asks for it, until that expires. Any 2xx
//     accepts it.
//   - An app is called in stores it is installed in, and at no address that a webhook
//     may not have.
//   - Of all calls only a cancellation is repeated: after 1 second, then after twice
//     the time before, never more than an hour, until the answer is 200.
package payment
