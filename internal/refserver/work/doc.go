// Package work has what the parts of the platform that call apps have in common: a Group is
// what they do in the background, which can be waited for and ended, and a Log is what they
// remember of the calls.
package work
