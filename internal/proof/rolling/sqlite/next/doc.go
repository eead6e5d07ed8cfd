// Command next is a replica of the next release. The proof of rolling upgrades builds it with one more migration.
package main
