// Command stripe-go reads a customer by stripe/stripe-go.
package main
