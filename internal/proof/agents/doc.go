// Package agents tests that a coding agent uses the reference server: the client of the official SDK of the Model
// Context Protocol drives "refserver mcp". It is apart from the command, whose module does not require the SDK, because
// "go install" refuses a module that replaces others by directories.
package agents
