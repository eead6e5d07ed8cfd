// Command before is a replica of the release before, in whose source the proof of rolling upgrades builds it.
package main
