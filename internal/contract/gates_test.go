package contract

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// text returns a file of the repository.
func text(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// workflows returns the text of each workflow, by the name of its file.
func workflows(t *testing.T) map[string]string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(root, ".github/workflows/*.yml"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, name := range names {
		all[filepath.Base(name)] = text(t, ".github/workflows/"+filepath.Base(name))
	}
	if len(all) < 5 {
		t.Fatalf("found %d workflows", len(all))
	}
	return all
}

// firsts returns the first group of each match.
func firsts(expression, in string) (all []string) {
	for _, m := range regexp.MustCompile(expression).FindAllStringSubmatch(in, -1) {
		all = append(all, m[1])
	}
	return all
}

// commands returns the lines of a script that do something.
func commands(script string) (all []string) {
	for line := range strings.Lines(script) {
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "set ") && !strings.HasPrefix(line, "cd ") {
			all = append(all, line)
		}
	}
	return all
}

// CONTRIBUTING lists the commands that .ci/run and the workflow run, and no others decide about a change.
func TestGatesAgree(t *testing.T) {
	listed := firsts("(?s)`\\.ci/run` runs [^`]*`test`:\n\n```sh\n(.*?)```", text(t, "CONTRIBUTING.md"))
	if len(listed) != 1 {
		t.Fatalf("CONTRIBUTING has %d lists of what .ci/run runs, want one", len(listed))
	}
	want := commands(listed[0])
	if got := commands(text(t, ".ci/run")); len(got) < 3 || !slices.Equal(got, want) {
		t.Errorf(".ci/run runs %q, CONTRIBUTING lists %q", got, want)
	}
	ran := firsts(`(?m)^ +- run: (make .*)$`, workflows(t)["test.yml"])
	if !slices.Equal(ran, want) {
		t.Errorf("the workflow runs %q, CONTRIBUTING lists %q", ran, want)
	}
}

// Every target that a page, a script or a workflow names exists, and CONTRIBUTING names every target of make help.
func TestTargetsAreNamed(t *testing.T) {
	helped := firsts(`(?m)^([a-z-]+):.*## `, text(t, "Makefile"))
	pages := workflows(t)
	for _, page := range []string{"README.md", "CONTRIBUTING.md", ".ci/run", ".github/PULL_REQUEST_TEMPLATE.md"} {
		pages[page] = text(t, page)
	}
	for page, in := range pages {
		for _, target := range firsts("(?m)(?:`|^|run: )make ([a-z-]+)", in) {
			if !slices.Contains(helped, target) {
				t.Errorf("%s names make %s, which make help does not list", page, target)
			}
		}
	}
	named := firsts("`make ([a-z-]+)", pages["CONTRIBUTING.md"])
	for _, target := range helped {
		if target != "help" && !slices.Contains(named, target) {
			t.Errorf("CONTRIBUTING does not name make %s", target)
		}
	}
	if len(helped) < 10 {
		t.Errorf("make help lists %d targets", len(helped))
	}
}

// A run of today and one of next year use the same tools.
func TestToolsArePinned(t *testing.T) {
	scripts := workflows(t)
	for _, name := range []string{"Makefile", ".ci/run"} {
		scripts[name] = text(t, name)
	}
	commit := regexp.MustCompile(`^[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	exact := regexp.MustCompile(`^\d+\.\d+\.\d+$`)
	tools := firsts(`(?m)^\s+\S+/([a-z]+)$`, text(t, "internal/tools/go.mod"))
	actions, versions, used := 0, 0, 0
	for name, script := range scripts {
		for _, floats := range []string{"@latest", "-latest", "@main", "@master", "go install ", "stable"} {
			if strings.Contains(script, floats) {
				t.Errorf("%s has %q: want an exact version", name, floats)
			}
		}
		for _, action := range firsts(`(?m)uses: (.*)$`, script) {
			if actions++; !commit.MatchString(action) {
				t.Errorf("%s uses %s: want its commit, and its version in a comment", name, action)
			}
		}
		for _, line := range firsts(`(?m)^ +go(?:-version)?: (.*)$`, script) {
			for _, version := range firsts(`"([^"]*)"`, line) {
				if versions++; !exact.MatchString(version) {
					t.Errorf("%s has Go %q: want three numbers", name, version)
				}
			}
		}
		for _, tool := range firsts(`(?:internal/tools/go\.mod|\$\(TOOL\)) ([a-z]+)`, script) {
			if used++; !slices.Contains(tools, tool) {
				t.Errorf("%s runs %s, which internal/tools/go.mod does not have: %q", name, tool, tools)
			}
		}
	}
	if node := strings.TrimSpace(text(t, ".node-version")); !exact.MatchString(node) {
		t.Errorf(".node-version is %q: want three numbers", node)
	}
	if actions < 15 || versions < 8 || used < 3 {
		t.Errorf("found %d actions, %d versions of Go and %d tools", actions, versions, used)
	}
}

// Workflows may read the repository. The job that creates a release may also write it, and sign where the release comes
// from. It runs no code of the repository after the tests: no make target, and no package.
func TestWorkflowsMayReadOnly(t *testing.T) {
	for name, script := range workflows(t) {
		if !strings.Contains(script, "\npermissions:\n  contents: read\n\n") {
			t.Errorf("%s: the workflow must have permissions: contents: read", name)
		}
		_, job, found := strings.Cut(script, "\n  release:\n")
		if !found {
			job = ""
		}
		may := firsts(`(?m)^ +([a-z-]+: write)\b`, job)
		if got := firsts(`([\w-]+: write)`, script); !slices.Equal(got, may) {
			t.Errorf("%s: permissions are %q, want those of the job release alone: %q", name, got, may)
		}
		if name != "release.yml" {
			continue
		}
		if want := []string{"contents: write", "packages: write", "id-token: write", "attestations: write"}; !slices.Equal(may, want) {
			t.Errorf("%s: permissions of the job release are %q, want %q", name, may, want)
		}
		for _, runs := range []string{"make ", "go run", "go test", "go build"} {
			if strings.Contains(job, runs) {
				t.Errorf("%s: the job release has %q: only the job check may run code", name, runs)
			}
		}
		if !strings.Contains(job, "needs: check\n") || !strings.Contains(script, `make release STEP=tagged VERSION="$GITHUB_REF_NAME"`) {
			t.Errorf("%s: the job release must need the job check, which must run the check", name)
		}
	}
}

// What the Makefile says of a module is of one that exists.
func TestMakefileNamesModules(t *testing.T) {
	modules := firsts(`(?m)^(?:REQUIRES_|test-[a-z]+: test-)([a-z]+/[a-z/]+) (?:=|##)`, text(t, "Makefile"))
	for _, module := range modules {
		if _, err := os.Stat(filepath.Join(root, module, "go.mod")); err != nil {
			t.Errorf("the Makefile names module %s: %v", module, err)
		}
	}
	if len(modules) < 4 {
		t.Errorf("the Makefile names the modules %q", modules)
	}
}
