// Package res holds the operations of the API, one file per resource.
//
// In each file the route table comes first and then one function per row, in the
// same order. A function reads the request, checks the rules in the contract's
// order and changes state last. Bodies are in <resource>_body.go where they take
// more than a few lines.
//
// # Who is told
//
// A change is told once, when it is committed, and a request that is refused or
// that changes nothing is not told. Whatever happens to a variant, its stock or an
// image changes the product: product/updated, with a new updated_at. A category
// whose visibility follows that of another has changed itself: category/updated
// for each. One that only gained or lost a subcategory has not, because
// subcategories are read from the children. Deleting a category puts its children
// at the top, category/updated for each, and takes its products out of it,
// product/updated for each. Events names all events and what they need.
//
// # What the contract leaves open
//
//   - A member that is sent replaces the one that is stored, also in all languages
//     of a name. Members that are read-only or unknown change nothing, so that an
//     answer may be sent back.
//   - Handles are made once from the names and stay when a name changes. One that
//     is taken in its language gets a number behind it.
//   - Two combinations of values are the same if, value by value, they agree in
//     every language that both have, and have one in common. Where a batch could
//     mean several stored variants, an identical combination comes before one that
//     is the same in the main language and that before any other, and each variant
//     is meant once; the rest are new.
//   - A product without variants of its own has a single one without values. The
//     first variant that is added takes its place, and deleting the last one brings
//     one back. Its values need not agree with the attributes.
//   - Stock without a location is the first location's, the others keep theirs;
//     null and "" mean unlimited. Several locations in one body need the feature
//     inventory-levels of the store. Stock and variations beyond 10^15 are refused.
//   - What is wrong with prices and stock is told of all variants of a body at once.
//   - null in a flag of a product or in the visibility of a category says nothing.
//   - The picture at the src of an image is not fetched. Its format is that of its
//     ending; endings of other formats are refused, and any other is a jpg.
//   - Of the filters of products that are about variants, one variant that fits is
//     enough. Prices sort by the lowest of a product, and none comes last.
//   - Texts of refusals for which the contract has a rule but no words are marked
//     as assumed where they are declared.
package res
