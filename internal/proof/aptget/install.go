package aptget

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// Install installs a package, which needs root or a sudo that asks nothing.
func Install(ctx context.Context, name string) error {
	if _, err := exec.LookPath("apt-get"); err != nil {
		return errors.New("there is no apt-get to install it with")
	}
	var as []string
	if os.Getuid() != 0 {
		as = []string{"sudo", "-n"}
	}
	for _, arguments := range [][]string{
		{"apt-get", "-o", "DPkg::Lock::Timeout=300", "update"},
		{"apt-get", "-o", "DPkg::Lock::Timeout=300", "install", "-y", "--no-install-recommends", name},
	} {
		arguments = append(as[:len(as):len(as)], arguments...)
		command := exec.CommandContext(ctx, arguments[0], arguments[1:]...)
		command.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive")
		if out, err := command.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w: %s", strings.Join(arguments, " "), err, last(out))
		}
	}
	return nil
}

// last returns the end of an output, which says what went wrong.
func last(out []byte) string {
	const most = 1000
	return strings.TrimSpace(string(out[max(0, len(out)-most):]))
}
