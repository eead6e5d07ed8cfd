package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/commerceplatform/commerce-go/internal/proctest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A user without Go unpacks the archive, or installs the packages, in an empty directory, and starts the platform.
func TestProofInstall(t *testing.T) {
	made := made(t, t.TempDir())
	host := target{runtime.GOOS, runtime.GOARCH}
	t.Run("archive", func(t *testing.T) {
		home := t.TempDir()
		unpack(t, filepath.Join(made, "commerce-refserver_0.1.0_"+host.os+"_"+host.arch+".tar.gz"), home)
		starts(t, home, filepath.Join(home, "commerce-refserver_0.1.0_"+host.os+"_"+host.arch, host.program()))
	})
	t.Run("npm", func(t *testing.T) {
		npm, err := exec.LookPath("npm")
		if err != nil {
			t.Skip("this machine has no npm")
		}
		home := t.TempDir()
		_, _, platform := host.npm()
		install := exec.CommandContext(t.Context(), npm, "install", "--offline", "--no-audit", "--no-fund", "--prefix", home,
			filepath.Join(made, platform+"-0.1.0.tgz"), filepath.Join(made, npmName+"-0.1.0.tgz"))
		install.Dir = home
		install.Env = append(os.Environ(), "HOME="+home, "npm_config_cache="+filepath.Join(home, "cache"))
		if out, err := install.CombinedOutput(); err != nil {
			t.Fatalf("npm install: %v: %s", err, out)
		}
		starts(t, home, filepath.Join(home, "node_modules", ".bin", npmName))
	})
}

// made builds what is published for this machine.
func made(t *testing.T, dir string) string {
	t.Helper()
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	d := dist{
		repository: root, dir: dir, version: "0.1.0", targets: []target{{runtime.GOOS, runtime.GOARCH}}, log: io.Discard,
		env: []string{"GOFLAGS=" + proctest.BuildFlags()}, // as the tests are compiled, which saves a minute
	}
	if err := d.build(t.Context()); err != nil {
		t.Fatal(err)
	}
	return dir
}

// starts starts the platform as README.md says, reads where it is, and ends it.
func starts(t *testing.T, dir, program string) {
	t.Helper()
	var stderr bytes.Buffer
	cmd := exec.CommandContext(t.Context(), program, "serve", "--demo", "--addr", "127.0.0.1:0", "--control", "127.0.0.1:0", "--json")
	cmd.Dir, cmd.Stderr = dir, &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var in struct {
		Token   string `json:"access_token"`
		Control string `json:"control_url"`
	}
	if err := json.NewDecoder(stdout).Decode(&in); err != nil || in.Token == "" {
		t.Errorf("%+v, %v, %s", in, err, &stderr)
	}
	cart := exec.CommandContext(t.Context(), program, "env", "--control", in.Control)
	cart.Dir = dir
	if out, err := cart.CombinedOutput(); err != nil || !strings.Contains(string(out), in.Token) {
		t.Errorf("refserver env: %v: %s", err, out)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("after an interrupt: %v: %s", err, &stderr)
	}
}

func unpack(t *testing.T, archive, dir string) {
	t.Helper()
	f, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	plain, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for tape := tar.NewReader(plain); ; {
		head, err := tape.Next()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(tape)
		at := filepath.Join(dir, head.Name)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(at), 0o755)
		}
		if err == nil {
			err = os.WriteFile(at, content, fs.FileMode(head.Mode))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// The same content gives the same bytes, whenever it is packed.
func TestArchivesRepeat(t *testing.T) {
	files := []file{{"refserver", bytes.Repeat([]byte("program "), 1000), true}, {"LICENSE", []byte("free"), false}}
	for name, pack := range map[string]func(string, []file) ([]byte, error){"tar.gz": tarred, "zip": zipped} {
		once, err := pack("below/", files)
		again, err2 := pack("below/", files)
		if err != nil || err2 != nil || len(once) == 0 || !bytes.Equal(once, again) {
			t.Errorf("%s: %d and %d bytes, %v, %v; want the same", name, len(once), len(again), err, err2)
		}
	}
}

// -list names each file that a build writes, and the image, and writes nothing.
func TestListNamesWhatIsPublished(t *testing.T) {
	var out strings.Builder
	t.Chdir("../../../..") // the root of the repository
	if err := run(t.Context(), []string{"-list", "-only", "linux/arm64", "-out", filepath.Join(t.TempDir(), "none"), "v1.2.3"}, &out); err != nil {
		t.Fatal(err)
	}
	const want = `archive  commerce-refserver_1.2.3_linux_arm64.tar.gz
npm      commerce-refserver-linux-arm64-1.2.3.tgz
npm      commerce-refserver-1.2.3.tgz
image    refserver:1.2.3 for linux/amd64 and linux/arm64, by internal/cmd/refserver/Dockerfile
file     SHA256SUMS
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

// A version that npm refuses, and a directory with files of an earlier run, write nothing.
func TestRefused(t *testing.T) {
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "old.tgz"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args []string
		want string
	}{
		{nil, "must be one version"},
		{[]string{"0.1.0"}, "must be one version"},
		{[]string{"v1.2"}, "must be one version"},
		{[]string{"v1.2.3", "v1.2.4"}, "must be one version"},
		{[]string{"-only", "plan9/amd64", "v1.2.3"}, "must be one of"},
		{[]string{"-out", full, "v1.2.3"}, "must be empty, and has old.tgz"},
	} {
		if err := run(t.Context(), test.args, io.Discard); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: got %v, want %q", test.args, err, test.want)
		}
	}
}
