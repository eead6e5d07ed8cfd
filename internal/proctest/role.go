package proctest

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
)

// Variable is the environment variable with the role of a child.
const Variable = "COMMERCE_TEST_CHILD"

// Main runs this process as the child that it is, by the role that the test gave it, and exits. It returns at once if
// the process is no child. TestMain calls it before anything else.
func Main(roles map[string]func() error) {
	name, is := os.LookupEnv(Variable)
	if !is {
		return
	}
	role := roles[name]
	if role == nil {
		fmt.Fprintf(os.Stderr, "proctest: TestMain has no role %q\n", name)
		os.Exit(1)
	}
	if err := role(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// command returns a child that is not started, with variables ("NAME=value") added to the environment of this process.
func command(role string, env []string) *exec.Cmd {
	c := exec.Command(os.Args[0])
	c.Env = append(append(os.Environ(), Variable+"="+role), env...)
	c.SysProcAttr = dieWithParent()
	return c
}

// Run runs a child to its end, and fails the test unless its role returned nil.
func Run(t testing.TB, role string, env ...string) {
	t.Helper()
	if out, err := command(role, env).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}
