// Package console shows the platform in a browser: its records, its calls to partners and their answers. It has a
// button for each act of a customer, of a merchant and of time.
//
//	a := control.New(control.Options{Server: s, BaseURL: base, Shop: shop})
//	a.Mount(console.New(a, contract.Files)) // of package client/contract
//	url, err := a.Listen("127.0.0.1:8082") // the pages are at http://127.0.0.1:8082/
//
// Every number on a page is from an answer of the control API, and every button is a call of it. So a program can do
// whatever a page can do. A form names an act and the members that it shows; its call, fields and labels are made from
// the declaration of the act (package act). The page Acts has a form of each act.
//
// The overview says how to connect an app and has the newest problems. The log (log.go) is the one list of events,
// calls and acts, with filters in the address. It leads to a page for each entry (entry.go), which package copied
// writes as curl and as Go, and to comparisons (compare.go). Rows that are picked are acted on together. Charts
// (charts.go) are drawn from the series of the control API. A cart (cart.go) is a summary with four views. The clock
// (clock.go) is on every page.
//
// Pages are made of sections: facts, tables, forms, charts and graphs, which one template draws (assets/page.html). A
// page is a function that returns its sections. Forms are POST and end with a redirect (do.go), and the outcome
// (outcome.go) is shown after the button, so everything works without a script. A form that loses data is followed by a
// question, and keeps a snapshot.
//
// The script (assets/console.mjs) changes a page in place after an act and when the platform reports a change: it asks
// for the page again and compares the two. Whatever is the same stays the same element. A form stays as it is while
// somebody types in it. Sections, rows, facts and forms have keys for that (data-key). The script also has the keys.
//
// The size of a page and the work for it do not depend on the number of records. Lists are read from the newest record,
// a page at a time, and long texts are truncated.
//
// The control API guards the pages as it guards itself: loopback addresses, known hosts and no other site.
package console
