// Package inboxopstest has the rules of package inboxops as tests of an inbox: each engine runs them. They speak HTTP,
// as a browser without script does.
package inboxopstest
