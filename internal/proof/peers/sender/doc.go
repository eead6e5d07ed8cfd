// Package sender sends signed deliveries to a server from a process of its own, so that what the sender costs is not
// part of what the process under test uses, and no garbage collector works for both.
//
// A benchmark calls [Main] first in its TestMain, and [Send] where it sends: the process is the same binary again.
package sender
