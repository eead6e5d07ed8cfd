package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// module is a module of the repository.
type module struct {
	dir  string // from the root of the repository: "." or "webhook/sqlite"
	file modfile
}

// modfile is a go.mod, as go mod edit -json prints it.
type modfile struct {
	Module           reference
	Require, Exclude []reference
	Replace          []struct{ Old, New reference }
	Retract          []struct{ Low, High, Rationale string }
}

type reference struct{ Path, Version string }

func readModule(ctx context.Context, root, file string) (m module, err error) {
	m.dir = path.Dir(file)
	text, err := command(ctx, root, "go", "mod", "edit", "-json", filepath.FromSlash(file))
	if err != nil {
		return m, err
	}
	if err := json.Unmarshal([]byte(text), &m.file); err != nil {
		return m, fmt.Errorf("%s: %w", file, err)
	}
	return m, nil
}

// published reports whether users import the module.
func (m module) published() bool {
	return !slices.ContainsFunc(strings.Split(m.dir, "/"), func(s string) bool {
		return s == "internal" || s == "examples" || s == "testdata"
	})
}

// name returns the path of a file of the module, from the root of the repository.
func (m module) name(file string) string { return path.Join(m.dir, file) }

// tag returns the name of the tag of a version: that of a nested module begins with its directory.
func (m module) tag(version string) string { return path.Join(m.dir, version) }

// sibling returns the module of the repository that has a path. A fork of another module is no sibling, because its path
// does not begin with that of the root.
func (r *release) sibling(modulePath string) (module, bool) {
	if !strings.HasPrefix(modulePath+"/", r.modules[0].file.Module.Path+"/") {
		return module{}, false
	}
	at := slices.IndexFunc(r.modules, func(m module) bool { return m.file.Module.Path == modulePath })
	if at < 0 {
		return module{}, false
	}
	return r.modules[at], true
}

// checkModules reports what a go.mod says that would be wrong for those who import the module.
func (r *release) checkModules(context.Context) error {
	for _, m := range r.modules {
		for _, req := range m.file.Require {
			r.checkRequire(m, req)
		}
		if m.published() {
			r.checkDirectives(m)
		}
	}
	return nil
}

// checkRequire reports another version of a sibling than that of the release. Modules that are not published have it too:
// they replace modules that require it, and a version below would be the wrong one to the go command.
func (r *release) checkRequire(m module, req reference) {
	to, ok := r.sibling(req.Path)
	if !ok {
		return
	}
	at := m.name("go.mod")
	if m.published() && !to.published() {
		r.report(at, "require "+req.Path, "a published module must not require one that is not", "move what it imports")
		return
	}
	if req.Version != r.version {
		r.report(at, "require "+req.Path+" "+req.Version, "modules of this repository must be required at "+r.version, "run release -prepare "+r.version)
	}
}

// checkDirectives reports what the go command ignores, or refuses, in a module that is not the main one.
func (r *release) checkDirectives(m module) {
	at := m.name("go.mod")
	for _, rep := range m.file.Replace {
		value := strings.TrimSpace("replace "+rep.Old.Path+" "+rep.Old.Version) + " => " + rep.New.Path
		to, ours := r.sibling(rep.Old.Path)
		switch {
		case m.dir == ".":
			r.report(at, value, "the root module must have no replace, because go run and go install with a version refuse it", "remove it")
		case !ours:
			r.report(at, value, "a published module may replace modules of this repository alone, because those who import it get the original", "remove it")
		case path.Join(m.dir, rep.New.Path) != to.dir || rep.Old.Version != "":
			r.report(at, value, "a module of this repository must be replaced with its directory", "replace it with "+to.dir)
		case !slices.ContainsFunc(m.file.Require, func(req reference) bool { return req.Path == rep.Old.Path }):
			r.report(at, value, "what is replaced must also be required at "+r.version, "add the require, or remove the replace")
		}
	}
	for _, ex := range m.file.Exclude {
		r.report(at, "exclude "+ex.Path+" "+ex.Version, "a published module must have no exclude, because those who import it do not have it", "require a later version")
	}
	for _, ret := range m.file.Retract {
		r.checkRetract(m, ret.Low, ret.High, ret.Rationale)
	}
}

// checkRetract reports a retraction that has no reason, has the version itself, or whose ends were never released.
func (r *release) checkRetract(m module, low, high, rationale string) {
	at, value := m.name("go.mod"), "retract ["+low+", "+high+"]"
	if strings.TrimSpace(rationale) == "" {
		r.report(at, value, "a retraction must have its reason in a comment, which the go command shows", "add the comment")
	}
	from, to, is := parse(low), parse(high), parse(r.version)
	if from == nil || to == nil || is == nil {
		r.report(at, value, "a retraction must have versions vX.Y.Z", "correct it")
		return
	}
	if slices.Compare(from, is) <= 0 && slices.Compare(is, to) <= 0 {
		r.report(at, value, "must not retract "+r.version+", which is released", "correct it")
		return
	}
	for _, end := range slices.Compact([]string{low, high}) {
		if !slices.Contains(r.tags, m.tag(end)) {
			r.report(at, value, "must retract versions that were released, and there is no tag "+m.tag(end), "correct it")
		}
	}
}
