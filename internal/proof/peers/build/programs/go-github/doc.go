// Command go-github reads a repository by google/go-github.
package main
