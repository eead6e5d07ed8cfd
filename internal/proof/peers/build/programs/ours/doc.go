// Command ours reads a product by this module.
package main
