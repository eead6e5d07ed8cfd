// Package console shows the platform in a browser: what is in it, what it sent to partners and what came back, with a
// button for everything that a customer, a merchant or time does.
//
//	a := control.New(control.Options{Server: s, BaseURL: base, Shop: shop})
//	a.Mount(console.New(a))
//	url, err := a.Listen("127.0.0.1:8082") // the pages are at http://127.0.0.1:8082/
//
// Every number on a page is from an answer of the control API, and every button is a call of it, which the page names.
// So a page can do nothing that a program cannot do too. Pages are made of sections: facts, tables, forms and graphs,
// which one template draws (assets/page.html); a page is a function that returns its sections. Forms are POST and end
// with a redirect, so all of it works without script.
//
// The script (assets/console.mjs) changes a page in place: it follows the count of changes of the control API, asks for
// the page again, and compares the two. Whatever is the same stays the same element. A form stays as it is while the
// focus is in it or fields of it are changed. Sections, rows, facts and forms have keys for that (data-key), which come
// from their texts.
//
// The size of a page and the work for it do not depend on how much the platform has: lists are read from the newest, a
// page of them at a time, and long texts are cut.
//
// The control API guards the pages as it guards itself: loopback addresses, known hosts and no other site.
package console
