// Package work has what the parts of the platform that call apps have in common: a Group is
// what they do in the background, which can be waited for and ended, a Log is what they
// remember of the calls, and a Bell reports changes to those who follow them.
//
// New makes a Group; Go does something at once and After when the clock of the server says so. Settle waits for what is
// under way, Close ends it all. Those parts share one Group, since each begins work for the others: a webhook has an app
// ask for a label, which is told by a webhook. No goroutine exists while there is nothing to do, so that a test in a
// bubble can end.
package work
