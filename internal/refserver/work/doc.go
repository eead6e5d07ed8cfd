// Package work has the common parts of the packages that call apps. A Group is their work in the background, which can
// be waited for and ended. A Log is their record of the calls, and a Bell reports changes to followers.
//
// New makes a Group; Go does something at once and After when the clock of the server says so. Settle waits for what is
// under way, Close ends it all. Those packages share one Group, since each begins work for the others. For example, an
// app may request a label after a webhook, and the label causes another webhook. No goroutine exists while there is
// nothing to do, so that a test in a bubble can end.
package work
