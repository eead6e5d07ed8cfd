// Package browsing is what the engines of an inbox share to implement webhook.Browser.
//
// [Counter] adds up the groups that an engine counts step by step. [Step] and [Groups] bound how many entries a
// statement looks at, so that none takes long, whatever the filter, and none holds a snapshot for long.
package browsing
