// Package doctortest runs the command "refserver doctor", as a process, against the endpoint of an app that a test has
// started. It is for the examples of this module.
//
//	doctortest.Build(t).Examine(t, platform.Control(), listener.URL+"/carts", "--as", "discounts")
//
// A finding fails the test, in the words of the command.
package doctortest
