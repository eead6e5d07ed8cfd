// Package clock is the server's only source of time.
//
// Real follows the machine, and inside a testing/synctest bubble it follows the
// bubble. Virtual stands still until someone advances it, so that a webhook's
// 48 hours of retries pass in a microsecond and always in the same order.
package clock
