// Package aptget installs the programs that tests require, except Go, on Debian and Ubuntu.
package aptget
