// Package router finds the operation for a method and a path.
//
// It is a trie in which a literal segment is tried before a {name}, with a way
// back: /products/sku/{sku} and /products/{product_id}/variants live side by
// side, which the patterns of net/http refuse. Segments are unescaped one by one,
// so that a value may contain a slash, and one trailing slash does not count.
package router
