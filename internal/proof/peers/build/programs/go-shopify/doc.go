// Command go-shopify reads a product by bold-commerce/go-shopify.
package main
