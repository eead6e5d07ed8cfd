// Package rules is the part of a checkout that asks apps about a purchase. The apps hide ways to pay and of delivery,
// choose the locations that it ships from, and may block it.
//
// New makes a Platform. PaymentOptions, ShippingOptions, Places and MayFinish each ask the apps that have registered an
// address for the domain, with the cart as it is, and return what is left after their answers. Runs has the records of
// what was asked and answered. The package asks and judges; buying is for others, who call it.
//
// Any 2xx is an answer, unless it is late: see Timeout. Without an answer there is no rule, and the checkout continues.
// The contract says that. Assumed are:
//
//   - Apps are asked by id, one after the other, all with the same cart. An option that any of them hides is hidden. Of
//     several orders of locations the first one counts. One app is enough to block a purchase. Each is asked each time,
//     and answers are not cached.
//   - Options that an answer lists are taken away, unless Settings.Keep says that they alone are kept. They are
//     compared letter by letter, those of delivery by the ids and the code that GET /shipping_carriers/options shows.
//     Contingencies are no options of a carrier, and stay.
//   - Nobody is asked about options where there are none.
//   - No rule is 204, an empty body, {}, or a command of another domain. An answer with a mistake is none as a whole.
//     An option that does not exist is no mistake, a location that does not exist is one.
//   - Locations that an order leaves out are not shipped from. Locations of equal priority count in the order of the
//     answer.
//   - The timestamp is in milliseconds. The stock of unlimited goods is null. Requests about payments have no address
//     and no package, and the province of the address is null but for an abandoned checkout that has one.
//   - An abandoned checkout is asked about as its cart is, under the same id: it ends at the same step.
package rules
