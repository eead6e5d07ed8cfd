// Command before is a replica of the previous release. The test of rolling upgrades builds it in the source of that
// release.
package main
