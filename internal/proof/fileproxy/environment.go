package fileproxy

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Environment returns the environment of a user whose home directory is empty, who has downloaded no module, and whose
// go command has no settings. Modules come from the proxy; those of others from the downloads of this machine. Compiled
// packages are shared with this machine: paths of directories are not in them, so the next run finds them.
func Environment(proxy, home string) ([]string, error) {
	out, err := exec.Command("go", "env", "GOMODCACHE", "GOCACHE").Output()
	if err != nil {
		return nil, err
	}
	dirs := strings.Fields(string(out))
	if len(dirs) != 2 {
		return nil, errors.New("go env: GOMODCACHE and GOCACHE must be paths without spaces")
	}
	// A go command that reports its use may still write after its end, when the test removes the directory.
	telemetry := filepath.Join(home, ".config", "go", "telemetry")
	err = errors.Join(os.MkdirAll(telemetry, 0o700), os.WriteFile(filepath.Join(telemetry, "mode"), []byte("off"), 0o600))
	if err != nil {
		return nil, err
	}
	env := slices.DeleteFunc(os.Environ(), func(s string) bool {
		name, _, _ := strings.Cut(s, "=")
		return strings.HasPrefix(name, "GO") || strings.HasPrefix(name, "XDG_") || name == "HOME"
	})
	return append(env,
		"HOME="+home, "GOENV=off", "GOWORK=off", "GOTOOLCHAIN=local", "GOFLAGS=-modcacherw -trimpath",
		"GOMODCACHE="+filepath.Join(home, "go", "pkg", "mod"), "GOCACHE="+dirs[1],
		"GOPROXY=file://"+proxy+",file://"+filepath.Join(dirs[0], "cache", "download"), "GOSUMDB=off",
	), nil
}
