// Package console shows the platform in a browser: what is in it, what it sent to partners and what came back, with a
// button for everything that a customer, a merchant or time does.
//
//	a := control.New(control.Options{Server: s, BaseURL: base, Shop: shop})
//	a.Mount(console.New(a))
//	url, err := a.Listen("127.0.0.1:8082") // the pages are at http://127.0.0.1:8082/
//
// Every number on a page is from an answer of the control API, and every button is a call of it, which the page names. So a
// page can do nothing that a program cannot do too. Pages are made of sections: facts, tables, forms and graphs, which one
// template draws (assets/page.html); a page is a function that returns its sections. Forms are POST and end with a redirect,
// so all of it works without script. Script brings lists up to date.
//
// The control API guards the pages as it guards itself: loopback addresses, known hosts and no other site.
package console
