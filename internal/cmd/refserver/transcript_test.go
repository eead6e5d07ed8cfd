package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/proctest"
)

var update = flag.Bool("update", false, "write the transcripts")

// deskTest is a server, a partner and a shell that finds the command, each a process of its own.
type deskTest struct {
	*testing.T
	dir string
	env []string
	in  info
	// digests are the names of those that were printed.
	digests map[string]string
}

// openDesk starts a server and a partner. Clock and ids are the same in every run.
func openDesk(t *testing.T) *deskTest {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	// A process under the race detector sleeps a second before it ends, unless it is asked not to.
	script := "#!/bin/sh\nCOMMERCE_TEST_CHILD=refserver GORACE=\"atexit_sleep_ms=0 $GORACE\" exec '" + os.Args[0] + "' \"$@\"\n"
	if err := os.WriteFile(filepath.Join(dir, "refserver"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	partner := proctest.Start(t, "partner")
	t.Cleanup(func() { partner.Kill(t) })
	var in info
	line := begin(t, "serve", "--addr", "127.0.0.1:0", "--demo", "--json", "--control", "127.0.0.1:0", "--clock", "virtual", "--seed", "1")
	if err := json.Unmarshal([]byte(line), &in); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	t.Cleanup(func() { endRecorder(dir) })
	return &deskTest{T: t, dir: dir, in: in, digests: map[string]string{}, env: append(os.Environ(),
		"PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"), controlVariable+"="+in.ControlURL, secretVariable+"=",
		"PARTNER=http://127.0.0.1:"+partner.Line(t), "SERVER="+in.BaseURL)}
}

// endRecorder ends the recorder that a failed script has left, whose number it wrote down.
func endRecorder(dir string) {
	raw, err := os.ReadFile(filepath.Join(dir, "recorder.pid"))
	if err != nil {
		return
	}
	if pid, err := strconv.Atoi(strings.TrimSpace(string(raw))); err == nil && pid > 0 {
		if p, err := os.FindProcess(pid); err == nil {
			_ = p.Kill() // usually it has ended
		}
	}
}

// change starts the partner's program with another plan and another tariff.
func (d *deskTest) change() {
	d.Helper()
	partner := proctest.Start(d.T, "partner", changedPlan+"=1")
	d.Cleanup(func() { partner.Kill(d.T) })
	d.env = append(d.env, "CHANGED=http://127.0.0.1:"+partner.Line(d.T))
}

// shell runs a command line and returns what it prints on both outputs, with what differs from run to run replaced.
func (d *deskTest) shell(line string) (text string, ok bool) {
	d.Helper()
	c := exec.CommandContext(d.Context(), "sh", "-c", line)
	c.Dir, c.Env = d.dir, d.env
	out, err := c.CombinedOutput()
	text = string(out)
	text = digest.ReplaceAllStringFunc(text, d.named)
	for _, r := range differing {
		text = r.shape.ReplaceAllString(text, r.by)
	}
	if _, failed := err.(*exec.ExitError); err != nil && !failed {
		d.Fatal(err)
	}
	if err != nil {
		text += "status " + strings.TrimPrefix(err.Error(), "exit status ") + "\n"
	}
	return text, err == nil
}

// digest is that of a state, which follows each change of what a record has.
var digest = regexp.MustCompile(`\b[0-9a-f]{64}\b`)

// named is a name for a digest: equal ones have one name.
func (d *deskTest) named(digest string) string {
	if d.digests[digest] == "" {
		d.digests[digest] = fmt.Sprintf("DIGEST-%d", len(d.digests)+1)
	}
	return d.digests[digest]
}

// differing is what is not the same in every run.
var differing = []struct {
	shape *regexp.Regexp
	by    string
}{
	{regexp.MustCompile(`\b\d+ ms\b`), "N ms"},
	{regexp.MustCompile(`"ms":[0-9.]+`), `"ms":N`},
	{regexp.MustCompile(`"rev":\d+`), `"rev":N`},
	{regexp.MustCompile(`"took_ms":\d+`), `"took_ms":N`},
	{regexp.MustCompile(`"slowest_ms":\{"(\w+)":\d+`), `"slowest_ms":{"$1":N`},
	{regexp.MustCompile(`127\.0\.0\.1:\d+`), "127.0.0.1:PORT"},
	{regexp.MustCompile(`\b[0-9a-f]{40}\b`), "SECRET"},
	{regexp.MustCompile(`-----BEGIN PUBLIC KEY-----[^-]*-----END PUBLIC KEY-----`), "PUBLIC KEY"},
}

// Each transcript is what a shell prints, command by command.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/transcripts/*.txt")
	if err != nil || len(files) < 8 {
		t.Fatalf("%d transcripts, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			d := openDesk(t)
			if strings.Contains(string(raw), "$CHANGED") {
				d.change()
			}
			var got bytes.Buffer
			for line := range strings.Lines(string(raw)) {
				command, ok := strings.CutPrefix(line, "$ ")
				switch {
				case ok:
					out, _ := d.shell(command)
					got.WriteString(line + out)
				case strings.HasPrefix(line, "# "):
					got.WriteString(line)
				}
			}
			switch {
			case *update:
				if err := os.WriteFile(file, got.Bytes(), 0o600); err != nil {
					t.Fatal(err)
				}
			case got.String() != string(raw):
				t.Errorf("%s is not what the commands print (-update writes it):\n%s", file, got.String())
			}
		})
	}
}

// The examples of the lessons run, in their order, against a server of their own.
func TestLessons(t *testing.T) {
	for _, c := range commands() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var script strings.Builder
			for line := range strings.Lines(c.lesson + "\n") {
				if example, ok := strings.CutPrefix(line, "    "); ok {
					script.WriteString(example)
				}
			}
			if script.Len() == 0 {
				t.Fatal("the lesson has no example")
			}
			if c.name == "serve" {
				return // which the other tests do
			}
			d := openDesk(t)
			address, guard, err := freeAddress()
			if err != nil {
				t.Fatal(err)
			}
			defer guard.Close()
			here := strings.NewReplacer("http://127.0.0.1:3000", "$PARTNER", "127.0.0.1:3001", address,
				"recorder.txt &", "recorder.txt & echo $! > recorder.pid")
			text := here.Replace(script.String())
			if out, ok := d.shell("set -e\n" + text); !ok {
				t.Errorf("%s\n%s", script.String(), out)
			}
		})
	}
}
