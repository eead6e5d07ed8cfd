// Package manifests tests that the manifests of examples/flagship/deploy fit the program that they run. Each is decoded
// as strictly as the tools of its format can, and compared with what the program itself answers: its flags by -h, its
// environment by its source and by its errors, its probes by starting it with the arguments of the manifest.
//
// Each comparison is seen to fail too: TestMutations changes the manifests in one place each, and requires a finding.
//
// It is a module of its own, because it requires the types of Compose and of Kubernetes.
package manifests
