// Package peers sets this module beside the clients of other platforms, doing the same kind of work: a page of a
// catalog, a small call, the receipt of a signed delivery. It is a module of its own, so that nobody else downloads them.
package peers
