// Package res holds the operations of the API, one file per resource.
//
// In each file the route table comes first and then one function per row, in the
// same order. A function reads the request, checks the rules in the contract's
// order and changes state last. Package body reads the bodies and has the words in
// which they are refused. The bodies of a resource are in <resource>_body.go where they
// take more than a few lines.
//
// # Events
//
// A change sends its events once, when it is committed. A request that is rejected or that changes nothing sends none.
// Every change of a variant, its stock or an image changes the product: product/updated, with a new updated_at. A
// category whose visibility follows that of another has changed itself: category/updated for each. One that only gained
// or lost a subcategory has not, because subcategories are read from the children. Deleting a category puts its
// children at the top, category/updated for each, and takes its products out of it, product/updated for each. Events
// names all events and what they need.
//
// # Fulfillment orders
//
//   - An order has one for each location its stock was taken from. The costs of the
//     shipment and the discounts are those of the first. No operation makes one.
//   - Nothing goes back but from PACKED to UNPACKED; going forward, statuses may be
//     left out. The status that is already there changes nothing. READY_FOR_SHIP is
//     PACKED and MARKED_AS_FULFILLED is DISPATCHED.
//   - What is frozen is refused whenever it is named, also with the value it has.
//   - A tracking event may be added to what was dispatched, also after the delivery; a second event of the delivery
//     corrects its time.
//   - A legacy fulfillment is the same event with an integer id, and it may come before the dispatch. Both resources
//     show it.
//   - READY_FOR_PICKUP counts as fulfilled in the shipping status of the order. Version
//     v1 calls orders that are partly packed unpacked and those partly sent
//     unfulfilled. A change of the order's fields is order/updated, once per request.
//   - The shipping members of an order are those of the first: when it left, the tracking, the carrier, and for a
//     pickup the location, which is the pickup option.
//   - A label waits for its carrier's app to report; the platform fetches the documents
//     at once, so that READY_TO_DOWNLOAD is READY_TO_USE in the answer. Downloading again
//     is no change. STARTED and IN_PROGRESS may last 30 minutes each, and a label that is
//     not ready after an hour has failed. Package label asks the carriers.
//   - The custom fields of a line are those of its variant, by id.
//
// # Coupons, locations, fields and content
//
//   - Codes of coupons are compared without regard to case, and free again once the
//     coupon is deleted. Percentages above 100 and coupons that end before they begin
//     are let through: no rule forbids them. A coupon whose categories or products are
//     deleted is for nothing, until it is given others or none.
//   - A consumer's first purchase is found by the email alone, without regard to case. An order that was cancelled does
//     not count. A sale without an email is always a first one.
//   - A new location comes last. is_default and priority in its body say nothing; the
//     operations made for it change them. Each location whose priority changes, also
//     because another was deleted, is location/updated. Priorities that are sent have
//     to be different and have a 0, but may leave gaps.
//   - The total of inventory levels counts what variant_id leaves.
//   - Any app may add values to a custom field, only the one that created it may
//     delete it, which takes it from every entity with one event, the field's own.
//     A value that is refused is listed after those the field has. Only text_list
//     limits what an entity's value may be to the values of its field.
//   - An owner may have several metafields with one namespace and key. All apps see them. Metafields of a deleted
//     entity are not found.
//   - Scripts are the calling app's. One that is not associated with the store is not
//     found. An app that is uninstalled loses its associations.
//   - The texts of a page are kept by locale. The answer to a create has them by
//     locale, a read by language; an update without a locale is for all of them.
//   - The demo store has a blog. Posts are listed with drafts, 20 on a page, the oldest first. An update retains
//     what it leaves out, and a taken handle gets a number. Pictures are JPEG or PNG, and are not kept.
//   - Every store has the eight e-mail templates, and texts of its languages alone. An update retains the
//     languages that it does not send, and ignores an id and a type.
//   - A kit is invalid from the moment a component is deleted, which makes its stock 0
//     and leaves it without a price.
//
// # Payment providers
//
//   - One belongs to the app that created it, in one store; other apps do not find it.
//     No other provider of the two may have its checkout options.
//   - An update may leave members out, which stay. The members that the contract does
//     not call optional are refused as null and as "", but lists may have no elements.
//     Logos, pictures and scripts are not fetched, so that https is all that is asked of
//     their addresses; refresh_token_url is called and refused like those of webhooks.
//   - An answer has of the credentials what is not secret. Sent back, it keeps the
//     rest, unless the type is another.
//   - The smallest part of an installment is answered under the name the app gave it,
//     value or amount. Rates keep their decimals.
//   - Deleting one leaves its transactions. Uninstalling the app leaves its providers,
//     but not as active options of the store.
//   - The id of a checkout option is any text of up to 255 characters, as in the published examples. If the server is
//     strict, it must be a UUID, as in the field table. Upper and lower case are the same.
//   - No shape is shown for the options. They are those of the providers, with
//     payment_provider_id: for a payment app its own, otherwise the active ones, which
//     are those of enabled providers whose app is installed.
//   - Package payment calls the apps.
//
// # Shipping carriers
//
//   - One belongs to the app that created it, in one store; other apps do not find it.
//     Its options go with it. The code of an option is unique in its carrier, to the
//     letter. Lists have no pages and may be empty.
//   - Callback addresses are refused like those of webhooks. null takes the one for labels
//     away, and says nothing in a flag.
//   - allow_free_shipping may be true from the start. Additional costs are 0 or more.
//   - The options of the store are those of all carriers whose app is installed, active
//     or not, and of one native carrier; their ids are strings.
//   - Uninstalling the app leaves its carriers, but they are not asked any more. Package
//     carrier asks them for rates.
//
// # External invoices
//
//   - All of it is assumed but the members. The list is in the order of the keys. Series and number may have 255
//     characters. A PUT ignores a key and null for the status or the subtype; for the other members null is no value.
//   - The order, then the storefront, then the body is looked at: a write to an imported order is 403 whatever is in
//     it. Its invoices can be read. An invoice keeps the id of a fulfillment order that is deleted later.
//
// # Price tables
//
//   - Texts of refusals are assumed but that of the 409, and so is whatever the supplement calls so. An answer that
//     rests on an assumption has the mark also where its operation is shown.
//   - An item of PUT product-variants or categories takes the place of the whole exception: without a price there is
//     none any more. Of two items about one variant or category the last one counts. Exceptions and customers leave
//     updated_at of the table alone, and are gone with what they are about. Lists are by id, exceptions in the order of
//     their making.
//   - Ids of bodies may be numbers. A customer whom nobody knows is in no table.
//   - A table affects carts of the storefront from the next read. Its customer must be logged in and approved, and the
//     lines at their prices without it must together reach its minimums. Percentages are taken off the other price of a
//     piece, the promotional price if there is one, and rounded to the cent, half a cent up. A fixed price may be
//     higher than that. Of several categories of a product the greatest discount counts; the categories above them do
//     not. Parts of kits keep the prices of the kit, and count for the minimums. Orders and drafts that the API makes
//     know no tables.
//
// # Promotions
//
//   - One belongs to the app that created it, in one store. One of another app or store
//     is refused, one that nobody has is not found, even when it is deleted.
//   - A new promotion is active and combines with everything, unless it says otherwise. The deprecated setting sets all
//     of the others. The list has only the others.
//   - Everything but the tier may be changed. The tier that is there may be sent back.
//   - What a promotion takes off carts is gone as soon as it is deleted or not active.
//   - The address of an app for carts is one per store. It outlives an uninstallation,
//     the promotions do not. Package shop sends the carts.
//
// # Disputes
//
//   - The transaction need not be the app's, and the platform need not have enabled the app for payments: the scope and
//     the app id are all that is asked. The three disputes of a transaction are counted over all apps. Disputes change
//     neither the order nor the transaction, and send no events.
//   - A status that is already there is no move and is refused. A dispute becomes insured
//     once; from there it goes back to the review, or ends.
//   - Members that the platform ignores with a status are not examined, so they may be invalid. A member that an update
//     leaves out stays, and null removes it. The members of the creation cannot be changed. Sending them again has no
//     effect.
//   - Amounts are strings with exactly two decimals. The withheld amount is in the currency of the dispute. The
//     merchant may have been paid in another currency, and its rate is from the first to the second. The amount may be
//     more than that of the transaction.
//   - The history begins with the time at which the dispute was initiated; later steps
//     have the time of the update.
//
// # Business rules and ways to pay
//
//   - How business rules are refused is assumed, and those refusals say so: as callbacks of discounts are.
//   - The lists of ways to pay show the providers of all apps in the store, to any app. GET /payment-options leaves out
//     providers that are not enabled. The translation_key of an app's option is null, and the logo is the largest one.
//
// # Billing
//
//   - The first plan of an app is its default. A store that has the app is subscribed to it for nothing, every month,
//     in each concept, until an update changes that. If the plan of a subscription is deleted, the default takes its
//     place.
//   - subscription/updated and the events of charges go to every app that registered for them, app_subscription/updated
//     to the app only, when the plan is another. The platform closes charges. A failed charge may be paid later.
//   - Plans have UUIDs, amounts are in the main currency of the store, and creates answer
//     201.
//
// # What the contract leaves open
//
//   - A member that is sent replaces the one that is stored, also in all languages
//     of a name. Members that are read-only or unknown change nothing, so that an
//     answer may be sent back.
//   - Handles are made once from the names and stay when a name changes. One that is taken in its language gets a
//     number.
//   - Two combinations of values are equal if, value by value, they agree in every language that both have, and have
//     one in common. If a batch could mean several stored variants, an identical combination comes first, then one that
//     is equal in the main language, then any other. Each variant is meant once; the rest are new.
//   - A product without variants of its own has a single one without values. The
//     first variant that is added takes its place, and deleting the last one brings
//     one back. Its values need not agree with the attributes.
//   - Stock without a location is the first location's, the others keep theirs;
//     null and "" mean unlimited. Several locations in one body need the feature
//     inventory-levels of the store. Stock and variations beyond 10^15 are refused.
//   - The faults of prices and stock are reported for all variants of a body at once.
//   - null in a flag of a product or in the visibility of a category says nothing.
//   - canonical_url and has_stock of products and url_with_protocol of the store are assumed in all versions. A product
//     has stock if one of its variants has any, or is unlimited. Further members that only old examples and typed
//     clients of the platform name are not sent.
//   - The picture at the src of an image is not fetched. Its format is that of its
//     ending; endings of other formats are refused, and any other is a jpg.
//   - Of the filters of products that are about variants, one variant that fits is
//     enough. Prices sort by the lowest of a product, and none comes last.
//   - Texts of refusals for which the contract has a rule but no words are marked
//     as assumed where they are declared.
//
// # Orders, drafts, checkouts and transactions
//
//   - Only products have to be there to make an order. An order whose customer has an
//     email belongs to the customer with that email, or to a new one with its addresses.
//     A line costs what its variant does, not its promotional price.
//   - A total that is sent is the total; nothing else follows from it. Amounts in USD are made up. An order that is
//     created as paid sends order/created only.
//   - claim takes stock by the priority of the locations, all or nothing; a cancellation
//     gives back what was claimed and no more.
//   - A kit is sold as its components. Each is a line at its list price less the discount of the kit, rounded to the
//     cent. The lines name the kit and its price. A price that a body has for the kit is shared in the proportion of
//     theirs, or is the first component's if the kit has none. A kit that has lost a component is not sold. Each line
//     is edited separately.
//   - An edit changes products only: the members that remove a discount or add a
//     coupon are not known. The total changes by what the products do, and a coupon that
//     was granted counts, whatever has become of it. One that changes nothing is not recorded.
//   - An act without an edge in the table of a status is rejected by its paths. PUT with the current status changes
//     nothing. A cancelled order cannot be packed or sent, but a shipment that had left may still arrive.
//   - The payment status follows from the transactions. An order that was marked as paid by hand stays paid after a
//     transaction without an amount. The discount of a provider counts like a captured amount. It is the
//     discount_amount of the first event or of the transaction, or the sum of the consumer_discounts of the info.
//     order/voided and order/pending are sent alone, the others with order/updated.
//   - What was paid is what was captured, also after a refund; charges to the customer
//     count in total_paid and in total_paid_by_customer_including_fees.
//   - A draft that was confirmed is no draft any more. Its stock is not claimed.
//   - The id of a checkout is that of its cart. Within six hours it is a cart that can be
//     changed, and a coupon can be attached for as long as the checkout is kept. A coupon
//     that does not apply takes nothing off.
//   - Transactions have the refusals of the common shape, with dotted paths as fields. The
//     refund_url in the info of one is refused like the addresses of webhooks.
package res
