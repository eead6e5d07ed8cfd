package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/proof/fileproxy"
	"github.com/commerceplatform/commerce-go/internal/tier"
)

// whole also compiles and runs every program, which takes minutes if nothing is compiled yet.
var whole = tier.Size(false, false, true)

const root = "../../../.."

// user has an empty home, and gets modules from a proxy.
type user struct {
	t   *testing.T
	env []string
}

// run runs the go command in a directory, and prints both as a terminal would.
func (u *user) run(dir string, args ...string) (string, error) {
	u.t.Helper()
	c := exec.CommandContext(u.t.Context(), args[0], args[1:]...)
	c.Dir, c.Env = dir, u.env
	out, err := c.CombinedOutput()
	shown := strings.TrimSpace(string(out))
	if lines := strings.Split(shown, "\n"); len(lines) > 12 {
		shown = strings.Join(append(lines[:4], fmt.Sprintf("… %d lines …", len(lines)-8)), "\n") + "\n" + strings.Join(lines[len(lines)-4:], "\n")
	}
	u.t.Logf("$ %s\n%s", strings.Join(args, " "), shown)
	return string(out), err
}

// program is what a user writes first with a module.
type program struct {
	get    string // the package that go get names
	text   string
	prints string
	dear   bool // compiled by make soak only, because its requirements take a minute to compile
}

// build gets the module of a program and builds it in an empty directory.
func (u *user) build(p program, version string) error {
	u.t.Helper()
	dir := u.t.TempDir()
	u.t.Logf("in an empty directory, main.go imports %s", p.get)
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(p.text), 0o600); err != nil {
		return err
	}
	steps := [][]string{
		{"go", "mod", "init", "example.com/app"}, {"go", "get", p.get + "@" + version},
		{"go", "build", "-o", "app", "."}, {"./app"},
	}
	if p.dear && !whole {
		steps = append(steps[:2], []string{"go", "list", "-mod=readonly", "-deps", "-f", "{{with .Error}}{{.}}{{end}}", "."})
	}
	out := ""
	for _, step := range steps {
		var err error
		if out, err = u.run(dir, step...); err != nil {
			return fmt.Errorf("%s: %w: %s", strings.Join(step, " "), err, out)
		}
	}
	if (!p.dear || whole) && !strings.Contains(out, p.prints) {
		return fmt.Errorf("%s: got %q, want %q", p.get, out, p.prints)
	}
	if p.dear && !whole && strings.Contains(out, ": ") {
		return fmt.Errorf("go list: %s", out)
	}
	return nil
}

// publish packs the published modules of a repository, and returns somebody who gets them.
func publish(r *repository, version string) *user {
	r.t.Helper()
	c, err := open(r.t.Context(), r.dir, version)
	if err != nil {
		r.t.Fatal(err)
	}
	proxy := r.t.TempDir()
	for _, m := range c.published() {
		if _, err := fileproxy.Pack(proxy, r.dir, m.dir, version); err != nil {
			r.t.Fatal(err)
		}
	}
	env, err := fileproxy.Environment(proxy, r.t.TempDir())
	if err != nil {
		r.t.Fatal(err)
	}
	return &user{r.t, env}
}

// copied makes a repository of the files of the working tree that git knows or would add.
func copied(t *testing.T) *repository {
	t.Helper()
	files, err := command(t.Context(), root, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	if err != nil {
		t.Fatal(err)
	}
	dir, n := t.TempDir(), 0
	for name := range strings.SplitSeq(strings.TrimRight(files, "\x00"), "\x00") {
		data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if errors.Is(err, os.ErrNotExist) {
			continue // removed, but not yet from the index
		}
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(err, os.MkdirAll(filepath.Dir(to), 0o700), os.WriteFile(to, data, 0o600)); err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n < 500 {
		t.Fatalf("copied %d files, want the whole repository", n)
	}
	return commit(t, dir)
}

const ours = "github.com/commerceplatform/commerce-go"

// programs has one for each module that users import.
func programs() []program {
	return []program{
		{get: ours + "/client/v202503", prints: "2025-03", text: `package main

import (
	"fmt"

	"` + ours + `/client"
	"` + ours + `/client/v202503"
)

func main() {
	fmt.Println(client.Version202503, client.MustMoney("12.50"), v202503.Products != nil)
}
`},
		{get: ours + "/client/otelcommerce", prints: "false", dear: true, text: `package main

import (
	"fmt"

	"` + ours + `/client/otelcommerce"
)

func main() {
	fmt.Println(otelcommerce.Telemetry{}.SeparateRuns)
}
`},
		{get: ours + "/webhook/sqlite", prints: "opened", dear: true, text: `package main

import (
	"context"
	"fmt"

	"` + ours + `/webhook"
	"` + ours + `/webhook/sqlite"
)

func main() {
	inbox, err := sqlite.Open(context.Background(), "inbox.db", sqlite.Options{})
	if err != nil {
		panic(err)
	}
	defer inbox.Close()
	var _ webhook.Inbox = inbox
	fmt.Println("opened")
}
`},
		{get: ours + "/webhook/postgres", prints: "newer schema", dear: true, text: `package main

import (
	"fmt"

	"` + ours + `/webhook"
	"` + ours + `/webhook/postgres"
)

func main() {
	var _ webhook.Inbox = (*postgres.Inbox)(nil)
	fmt.Println(postgres.ErrNewerSchema)
}
`},
	}
}

// Version 0.1.0 of the working tree is prepared, checked and tagged in a copy, and published in a directory. Then
// somebody with an empty home gets each module, builds a program with it, and runs the commands of the documentation by
// their version. Without -whole, the programs that are dear to compile are loaded only.
func TestRehearsal(t *testing.T) {
	const version = "v0.1.0"
	r := copied(t)
	for _, args := range [][]string{{"-prepare", version}, nil, {version}, {"-tag", version}} {
		if args == nil {
			r.save()
			t.Log("$ git commit")
			continue
		}
		out, err := "", error(nil)
		if args[0] == version && !whole {
			out = r.check(version, false)
		} else {
			out, err = r.release(args...)
		}
		t.Logf("$ release %s\n%s", strings.Join(args, " "), out)
		if err != nil || strings.Contains(out, ": ") && args[0] == version && !whole {
			t.Fatalf("release %q: %v", args, err)
		}
	}
	u := publish(r, version)
	for _, p := range programs() {
		if err := u.build(p, version); err != nil {
			t.Error(err)
		}
	}
	for _, c := range []struct {
		args   []string
		prints string
	}{
		{[]string{"internal/cmd/refserver", "help", "cart"}, "usage: refserver cart"},
		{[]string{"examples/quickstart"}, "signature was verified"},
	} {
		target, says := ours+"/"+c.args[0]+"@"+version, "/compile"
		args := []string{"go", "install", "-n", target}
		if whole {
			args, says = append([]string{"go", "run", target}, c.args[1:]...), c.prints
		}
		out, err := u.run(t.TempDir(), args...)
		if err != nil || !strings.Contains(out, says) {
			t.Errorf("%q: %v, want %q", args, err, says)
		}
	}
}

// Somebody who gets a module notices mistakes that the check reports. What go.mod and go.sum lack, only the check
// notices.
func TestRehearsalNotices(t *testing.T) {
	const disk = "package main\n\nimport \"example.com/shop/disk\"\n\nfunc main() { println(disk.ID()) }\n"
	for name, tt := range map[string]struct {
		spoil  func(*repository)
		finds  string // by the check
		notice string // by the user
	}{
		"nothing": {spoil: func(*repository) {}},
		"a sibling at a version that never existed": {
			func(r *repository) { r.change("disk/go.mod", "example.com/shop v0.1.0", "example.com/shop v0.0.0") },
			"disk/go.mod: require example.com/shop v0.0.0", "example.com/shop@v0.0.0",
		},
		"a fork that is needed": {
			func(r *repository) {
				r.write("fork/go.mod", "module github.com/google/uuid\n")
				r.write("fork/uuid.go", "package uuid\n\nfunc Ours() string { return \"\" }\n")
				r.change("disk/go.mod", "=> ..", "=> ..\n\nreplace github.com/google/uuid => ../fork")
				r.change("disk/disk.go", "uuid.Nil.String()", "uuid.Ours()")
			},
			"disk/go.mod: replace github.com/google/uuid => ../fork", "undefined: uuid.Ours",
		},
		"a requirement that is missing": {
			func(r *repository) {
				r.change("disk/go.mod", "\tgithub.com/google/uuid v1.6.0\n", "")
				r.write("disk/go.sum", "")
			},
			"disk/go.sum: \"go list", "", // users have a go.sum of their own, and get whatever version is the newest
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := shop(t)
			r.prepared("v0.1.0")
			tt.spoil(r)
			r.save()
			if got := r.check("v0.1.0", false); tt.finds == "" && got != "" || !strings.Contains(got, tt.finds) {
				t.Errorf("the check reports\n%s\nwant %q", got, tt.finds)
			}
			err := publish(r, "v0.1.0").build(program{get: "example.com/shop/disk", text: disk}, "v0.1.0")
			if tt.notice == "" && err != nil || tt.notice != "" && (err == nil || !strings.Contains(err.Error(), tt.notice)) {
				t.Errorf("the user gets %v, want %q", err, tt.notice)
			}
		})
	}
}

// The command of a module whose go.mod has a replace cannot be run by its version.
func TestReplaceOfTheRootIsNoticed(t *testing.T) {
	r := shop(t)
	r.prepared("v0.1.0")
	if out, err := publish(r, "v0.1.0").run(t.TempDir(), "go", "run", "example.com/shop/cmd/hello@v0.1.0"); err != nil {
		t.Errorf("without a replace: %v\n%s", err, out)
	}
	r.change("go.mod", "go 1.26.0", "go 1.26.0\n\nreplace example.com/shop/disk => ./disk")
	r.save()
	if got := r.check("v0.1.0", false); !strings.Contains(got, "go.mod: replace example.com/shop/disk => ./disk: the root module must have no replace") {
		t.Errorf("the check reports\n%s", got)
	}
	out, err := publish(r, "v0.1.0").run(t.TempDir(), "go", "run", "example.com/shop/cmd/hello@v0.1.0")
	if err == nil || !strings.Contains(out, "replace") {
		t.Errorf("with a replace: %v\n%s", err, out)
	}
}
