// Command release checks that a version can be released, and reports everything that is wrong at once: file, value, rule
// and remedy. It changes nothing unless a flag says so, and it never pushes.
//
//	.bin/release v0.1.0            # check, and print the commands that create the tags
//	.bin/release -prepare v0.1.0   # write changelog, go.mod files and compatibility table
//	.bin/release -tag v0.1.0       # check, and create the annotated tags
//	.bin/release -tagged v0.1.0    # check a commit that has the tags, as the workflow does
//
// A repository has several modules, and all have the same version. One is published unless its directory is within
// internal or examples. Each has a tag: v0.1.0 for the root, webhook/sqlite/v0.1.0 for webhook/sqlite.
//
// The go.mod of a nested module requires the modules of this repository (its siblings) at the version, and replaces them
// with their directories. Whoever works on the repository uses the directories. Whoever imports the module gets the
// version, because the go command ignores replaces of modules that are not the main one. The commit with the tags requires
// the version that the tags create, so all tags must be pushed at once.
//
// The exit status is 0 if the version can be released, and 1 otherwise.
package main
