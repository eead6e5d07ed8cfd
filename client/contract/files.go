package contract

import "embed"

// Files has the documents by their names, such as "callbacks.json" and "examples/cart.json".
//
//go:embed *.json *.md *.mjs *.py *.pem examples
var Files embed.FS
