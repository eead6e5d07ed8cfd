// Package seed fills a server with things to try the API on.
//
// Empty makes a store and an app that is installed in it. Demo adds a catalog with a kit and a hidden branch,
// customers, coupons, orders in each state of interest, shipments, a cart and content; Charge adds a paid transaction.
// The file names say what is made where.
//
// Records are made by the operations of the API where there is one, so that nothing is there that the API would refuse.
// Orders are written as they are, since the API makes none in the past, and so are the checkout and the cart. Ids and
// times follow from the clock and the seed of the world. So the documentation of the demo store stays true.
package seed
