// Package ledgerproof proves, on a database, what package payments promises of a Cashier with a sqlledger.Ledger: with
// two replicas, a storm of calls and a kill between each two steps, money moves once and the platform is notified
// once. An attempt that is cancelled before, during or after its payment is never charged, or its money is given back
// once. The modules with drivers run it.
//
// The test process is the platform, which is the reference server, and the bank, which moves the money of each key once
// and counts. The replicas are children, which kill themselves (kill -9) at a step.
package ledgerproof
