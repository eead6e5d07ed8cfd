package manifests

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// used matches an image that a Dockerfile or compose.yaml names, without that of the app.
var used = regexp.MustCompile(`(?m)^ *(?:FROM(?: --platform=\S+)?|image:) +(\S+)`)

// release is the workflow that publishes the pinned files.
const release = "../../../.github/workflows/release.yml"

// registry is a docker command that answers the digest of an image, or another text.
func registry(t *testing.T, answer string) string {
	t.Helper()
	dir := t.TempDir()
	script := "#!/bin/sh\nfor image; do :; done\n" + answer + "\n"
	if err := os.WriteFile(filepath.Join(dir, "docker"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

// pin runs pin.sh with a registry, and returns the directory of the copies.
func pin(t *testing.T, answer string) (dir string, out []byte, err error) {
	t.Helper()
	dir = t.TempDir()
	c := exec.CommandContext(t.Context(), "./pin.sh", dir)
	c.Dir = source + "/deploy"
	c.Env = append(os.Environ(), "PATH="+registry(t, answer)+":"+os.Getenv("PATH"))
	out, err = c.CombinedOutput()
	return dir, out, err
}

// TestPinned compares what a release renders: each public image has the digest that the registry answers, and nothing
// else differs.
func TestPinned(t *testing.T) {
	dir, out, err := pin(t, `echo "sha256:$(printf %s "$image" | sha256sum | cut -d' ' -f1)"`)
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	all, pinned := read(t), manifests{}
	for name, before := range all {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		pinned[name] = string(text)
		images := 0
		for _, m := range used.FindAllStringSubmatch(pinned[name], -1) {
			image, digest, _ := strings.Cut(m[1], "@")
			if strings.HasPrefix(image, "registry.example/") {
				continue
			}
			images++
			if want := fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(image))); digest != want {
				t.Errorf("%s: %s has the digest %q, want %q", name, image, digest, want)
			}
		}
		if want := map[string]int{dockerfile: 2, compose: 2}[name]; images != want {
			t.Errorf("%s: %d public images, want %d", name, images, want)
		}
		if without := regexp.MustCompile(`@sha256:[0-9a-f]{64}`).ReplaceAllString(pinned[name], ""); without != before {
			t.Errorf("%s: more than the digests differs:\n%s", name, without)
		}
	}
	f, _ := program.compareAll(t.Context(), pinned, "")
	for _, finding := range f {
		t.Errorf("pinned: %s", finding)
	}
	for _, answer := range []string{"exit 1", "echo latest"} {
		if dir, out, err := pin(t, answer); err == nil {
			t.Errorf("%q: pin.sh wrote %s: %s", answer, dir, out)
		}
	}
}

// TestReleasePins has the release pin the files before it counts its archives.
func TestReleasePins(t *testing.T) {
	text, err := os.ReadFile(release)
	if err != nil {
		t.Fatal(err)
	}
	rendered := strings.Index(string(text), `examples/flagship/deploy/pin.sh "$PWD/pinned"`)
	packed := strings.Index(string(text), `tar -czf "dist/commerce-flagship-deploy-${GITHUB_REF_NAME#v}.tar.gz" -C pinned .`)
	required := strings.Index(string(text), `grep -q '@sha256:' pinned/Dockerfile && grep -q '@sha256:' pinned/compose.yaml`)
	uploaded := strings.Index(string(text), "actions/upload-artifact@")
	if rendered < 0 || required < rendered || packed < required || uploaded < packed {
		t.Errorf("release.yml: rendered at %d, checked at %d, packed at %d, uploaded at %d", rendered, required, packed, uploaded)
	}
}
