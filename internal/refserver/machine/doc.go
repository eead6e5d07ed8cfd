// Package machine writes state machines down as tables, so that what a resource
// enforces, what the documentation draws and what a test tries out is one thing.
//
// A Machine has states and edges. Next tells where something leads from a state, and Leads whether it may lead to
// another one; what has no edge is refused. The tables are in package res, in the file of what they are about:
// order_states.go, order_payment.go, category_tree.go, dispute_states.go and the like. Tests there try each pair of states.
package machine
