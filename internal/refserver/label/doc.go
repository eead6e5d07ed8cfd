// Package label is the platform where it asks shipping carriers for labels, and to
// cancel, suspend and reactivate them.
//
// New makes a Platform. Request begins labels as the merchant does. Wake asks for labels that an app has begun over the
// API. Undo cancels, suspends or reactivates labels. Each makes a call for every carrier concerned, and one more for
// every 50 labels. Calls has the records of all of them. No call is signed.
//
// A label comes from the carrier's app, which reports it over the API. A label that does not come in time fails by the
// clock, with an event: see expiry.go. Assumed are:
//
//   - The carrier is the one whose id is the carrier_id of the fulfillment order's
//     shipment. It is asked if its app is installed and it has a callback_labels_url.
//   - Every 2xx accepts. Labels that a 207 does not mention are accepted. If a carrier is late four times, or gives any
//     other answer, its labels are FAILED, with the reason OTHER_ERROR. Only late calls of generate are repeated.
//   - The reason of a 207 is an object with type or code and message, or a text.
//   - A label is CANCELED once the carrier has agreed; the seven codes are the reasons why it may not. Labels that a
//     207 to a cancellation does not mention are not cancelled.
//   - Suspending and reactivating change no status: the table of labels has none for it.
//     A carrier need not have either address.
//   - At most 50 labels are in one call of any kind.
package label
