// Package aptget installs what tests require besides Go, on Debian and Ubuntu.
package aptget
