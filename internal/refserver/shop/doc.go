// Package shop is the storefront of a store: carts that a customer changes, with the
// discounts that apps take off them.
//
// New opens one. NewCart makes a cart, and Add, SetQuantity, ApplyCoupon and the like change it. After each change the
// cart is sent to the apps that have promotions in the store, one tier after the other. Their answers are judged,
// applied and kept as Runs. View is the customer's view of the result. Carts and their discounts are records of the
// world, so that the API shows them too.
//
// Buy makes a cart, or an abandoned checkout, an order, and has an app take the payment.
//
// A change asks the apps by id, first in the tier line_item, then in cross_items. An
// app is asked in a tier if it is installed and has registered promotions of it, active
// or not. That both tiers follow one another so is assumed, as are these:
//
//   - What changes nothing is no change, and neither is what an app takes off. Changes
//     by the API are not those of the consumer, whom the contract speaks of.
//   - promotions of the payload are those of all apps, also of the other tier.
//   - Each discount is a part of the price of the lines, or of their sum after the discounts per product. It is rounded
//     to cents, half a cent up. No price is negative, so an excess is left out, of the discounts with the greatest ids
//     first. An amount per product is for the whole line.
//   - total of the payload includes shipping, as that of an order does, and
//     total_discount what coupons take off.
//   - The combination settings of promotions have no effect: the contract does not say which they have. A Run warns of
//     promotions and coupons that act on one cart and do not combine.
//   - A command is about promotions of the tier that it answers; one about another is
//     invalid, be it a removal from the whole cart. So is an answer that names a promotion
//     twice for one part of the cart.
//   - An answer that cannot be applied takes all discounts off the cart, those of
//     other apps too, and no further app is asked about that change.
//   - 310 is believed: the app's promotions are removed as by an uninstallation.
//   - Stores whose active languages have several currencies send no carts.
//   - Lines cost what the price table of the customer says, if there is one: see package res.
//   - A kit is put into a cart as its components, each at its price less the discount
//     of the kit, and is changed as a whole.
//   - A purchase costs the amount that the cart showed. Apps are not asked again, and prices are those of when the
//     lines were added. A coupon without a discount is rejected, not ignored. The rules of a coupon about combining,
//     and about the cheapest shipping, have no effect. A cancelled order does not give a use of its coupon back.
//   - One rate is chosen for all origins, which is that of each, and its cost is the sum. A
//     quote is for the lines that the cart has, and for one address. Without any rates the
//     order costs what the cart says for shipping. The day counts of an order are those from
//     Monday to Friday up to the dates of the rate.
//   - What an origin lacks leaves from the other locations, by priority.
//   - The order keeps the token and the ids of the lines, and has an id of its own. Who sold
//     it is in extra, as sold_by. The members of contents and promotions_applied are those of
//     the callbacks. The shipping method is the id of the carrier, or "custom".
//   - An order that costs nothing is pending, and no app is asked for it.
//   - A checkout that was bought stays readable, with completed_at.
//   - An abandoned cart stays, and its checkout follows it while it can be changed. It has its lines, coupons, contact,
//     address and the discounts of apps, but no shipping option. A cart that is abandoned a second time has the same
//     checkout, whose hours do not begin again. There is no event.
package shop
