package manifests

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"
)

// source is the folder of the program.
const source = "../../../examples/flagship"

// The files that are compared.
const (
	dockerfile = "Dockerfile"
	compose    = "compose.yaml"
	kubernetes = "kubernetes.yaml"
)

// manifests are the texts of the files, by name.
type manifests map[string]string

// program is the flagship, built once for all tests.
var program *flagship

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) (status int) {
	dir, err := os.MkdirTemp("", "manifests-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if program, err = build(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	status = m.Run()
	if err := goleak.Find(); err != nil && status == 0 {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return status
}

func read(t *testing.T) manifests {
	t.Helper()
	all := manifests{}
	for _, name := range []string{dockerfile, compose, kubernetes} {
		text, err := os.ReadFile(filepath.Join(source, "deploy", name))
		if err != nil {
			t.Fatal(err)
		}
		all[name] = string(text)
	}
	return all
}
