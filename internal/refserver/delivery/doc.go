// Package delivery carries events to the partners' addresses.
//
// Every target of a committed event becomes a Delivery: a signed POST that is
// tried again, by the waits of Retries, until a 2xx arrives or the attempts run
// out. Addresses are resolved by a table of routes first; the network is reached
// only if that is allowed, and then only at public addresses.
//
// The first attempts of an app are made one after the other, in the order of the
// commits, which makes a run repeatable. Retries come when the clock says so, and
// Duplicate and Reorder bring in what the contract warns of.
//
// Of a partner's address the contract says that it is https and neither a local
// host nor the platform's own. Assumed beyond that: it has no user information, no
// port but 443 unless URLRules.AnyPort says otherwise, and no IP address for a
// host, be it local or not. Host names may have underscores and the letters of any
// script.
package delivery
