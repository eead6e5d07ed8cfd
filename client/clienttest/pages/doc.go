// Package pages shows a clienttest.Server in a browser, with buttons for the acts of customers and merchants. It is a
// package of its own, so that tests without a browser do not link the pages.
package pages
