// Package sender sends signed deliveries to a server from a process of its own. So the cost of the sender is not part
// of that of the process under test, and no garbage collector works for both.
//
// A benchmark calls [Main] first in its TestMain, and [Send] where it sends: the process is the same binary again.
package sender
