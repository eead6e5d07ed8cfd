// Command mutants plants defects and wants the tests to notice each of them.
//
//	make mutants                    # all of them
//	make mutants DEFECTS=fencing    # those with the word in their name
//
// mutants.txt lists the defects. Each is a change of a few lines in one file, as in a diff, with
// the test that is there to catch it:
//
//	# the name of the defect
//	file internal/engine/retry.go
//	-the lines as they are, which are in the file exactly once
//	+the lines of the defect
//	test TestRetryMatrix
//
// A defect goes into a copy of its file that the build takes in place of the file, so that the tree stays as it
// is. It is caught if the test passes without it and fails with it; a defect that does not compile, or one that the test
// lives with, makes the command fail. The test is in the package of the file, or in the one that the line names behind it:
//
//	test TestRun ./internal/refserver/shop
package main
