// Package fileproxy is for tests: it publishes a module of a working tree in a directory that the go command uses as a
// module proxy, so that tests can run go get and go run with versions that do not exist yet.
//
//	proxy := t.TempDir()
//	module, err := fileproxy.Pack(proxy, "../../..", "webhook/sqlite", "v0.1.0")
//	…
//	cmd := exec.Command("go", "get", module+"@v0.1.0")
//	cmd.Env, err = fileproxy.Environment(proxy, t.TempDir())
//
// [Environment] is that of a user with an empty home. Modules of others come from the downloads of this machine, so no
// network is required.
package fileproxy
