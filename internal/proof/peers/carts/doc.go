// Package carts measures the handler of package discounts beside handlers written by hand. All of them read a cart,
// run a plan that takes fifty per cent off each line, time it out after 700 ms, and answer the same commands.
//
//	go test .             # they answer the same
//	go test -bench . .    # each handler, by turns with ours
//
// # The peers
//
//   - codec: the JSON library and the public types of this module, a goroutine for the plan and a select with the
//     deadline.
//   - timeout: the same codec in http.TimeoutHandler instead of goroutine and select.
//   - v2: github.com/go-json-experiment/json into structs with a field for each member of a cart, amounts as
//     decimal.Decimal, with goroutine and select.
//   - v1: encoding/json into the same structs, with goroutine and select.
//
// None of them checks a cart or its own answer against the contract, survives a plan that panics, bounds plans in
// progress, or caches the result of a late plan. Ours does all of that.
package carts
