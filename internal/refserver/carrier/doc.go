// Package carrier is the checkout of a store where it asks shipping carriers for rates.
//
// New makes a Platform. Quote asks the active carriers of the store what a delivery costs, once per origin, and returns
// what the customer may choose. Calls has the records of the calls, or why there was none. Health returns the state of
// a carrier.
//
// An answer is reused for identical requests: 200 for 15 minutes, 422 for one, others
// not at all. A carrier whose answers fail is not asked any more: circuit.go has the
// table. Where there are no rates, and the merchant has set up contingencies, those are
// shown. That much is the contract's. Assumed are:
//
//   - Identical requests have the same Key. The contract gives the separator of its parts for items only; it is a colon
//     everywhere. null is the empty text.
//   - A reused answer is looked for first, so that an open circuit does not hide it.
//   - An answer 4xx is neutral: it is no request to the circuit, unless Rules say that
//     it is a success. So are statuses below 200 and redirects, which are not followed.
//     Every 2xx is a success, whatever its body; a body that cannot be read has no
//     rates, and no contingency is shown for it.
//   - A circuit belongs to a carrier in a store. It opens with a failure, never with a success. Requests older than 30
//     minutes are not counted. After 5 minutes requests are sent again. These are the health checks. The tenth answer
//     decides, by the same percentage, whether the circuit closes and counts from 0, or stays open for the next 5
//     minutes. Answers to requests that were sent before the circuit changed are ignored.
//   - A carrier is asked about the items of each origin, if it is active and its app is installed. The request has its
//     active options only, and the total price of those items. The name of an origin and its phone are null.
//   - A rate that breaks a rule is left out, the others stay. It also is if its type is
//     not one of the carrier's, or its currency is not that of the request. Amounts are
//     numbers, rounded to cents. Of ship rates with one code the first one counts,
//     whether it is shown or not.
//   - Additional days are days of the calendar. The additional cost is the customer's;
//     free shipping takes it away too.
//   - Contingencies are shown once per origin, whichever carrier is the cause.
package carrier
