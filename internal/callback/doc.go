// Package callback has what the handlers of the platform's calls have in common: how a body
// is taken in, how a configuration is checked, how a panic becomes an error, and how a failure
// is told and printed. What a call means, and what it is answered, is for the packages
// webhook, discounts, shipping and payments to say.
package callback
