// Command net-http reads a product by net/http and encoding/json alone. It is the floor of the others.
package main
