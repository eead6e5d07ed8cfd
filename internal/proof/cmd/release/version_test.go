package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/proof/fileproxy"
)

// A partner without a checkout runs the command by its module and a version, from an empty directory. Except in make soak,
// the go command loads all of it and lists what it would compile.
func TestRunByVersion(t *testing.T) {
	const version = "v0.1.0"
	proxy := t.TempDir()
	module, err := fileproxy.Pack(proxy, root, ".", version)
	if err != nil {
		t.Fatal(err)
	}
	target, says := module+"/internal/cmd/refserver@"+version, "/compile"
	args := []string{"install", "-n", target}
	if whole {
		args, says = []string{"run", target, "help", "cart"}, "usage: refserver cart"
	}
	c := exec.CommandContext(t.Context(), "go", args...)
	c.Dir = t.TempDir()
	if c.Env, err = fileproxy.Environment(proxy, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	out, err := c.CombinedOutput()
	if err != nil || !strings.Contains(string(out), says) {
		t.Errorf("%v\n%s", err, out)
	}
}
