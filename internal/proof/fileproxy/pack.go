package fileproxy

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// moduleLine is the line of a go.mod that has the path.
var moduleLine = regexp.MustCompile(`(?m)^module (\S+)$`)

// Pack publishes the module in directory dir of the tree root as version, and returns its path. As in a release, files
// of modules within it are left out, and a module without a LICENSE gets that of the root. Directories whose name begins
// with a dot and node_modules are left out too.
func Pack(proxy, root, dir, version string) (module string, err error) {
	from := filepath.Join(root, filepath.FromSlash(dir))
	gomod, err := os.ReadFile(filepath.Join(from, "go.mod"))
	if err != nil {
		return "", err
	}
	line := moduleLine.FindSubmatch(gomod)
	if line == nil {
		return "", fmt.Errorf("%s/go.mod: has no line that begins with module", dir)
	}
	module = string(line[1])
	at := filepath.Join(proxy, filepath.FromSlash(module), "@v")
	info, err := json.Marshal(map[string]string{"Version": version})
	if err != nil {
		return "", err
	}
	err = errors.Join(
		os.MkdirAll(at, 0o700),
		os.WriteFile(filepath.Join(at, version+".mod"), gomod, 0o600),
		os.WriteFile(filepath.Join(at, version+".info"), info, 0o600),
		os.WriteFile(filepath.Join(at, "list"), []byte(version+"\n"), 0o600),
	)
	if err != nil {
		return "", err
	}
	return module, archive(filepath.Join(at, version+".zip"), root, from, module+"@"+version+"/")
}

// archive writes the files of a module.
func archive(file, root, from, prefix string) error {
	to, err := os.Create(file)
	if err != nil {
		return err
	}
	z := zip.NewWriter(to)
	licensed := false
	err = filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || path == from:
			return err
		case d.IsDir() && left(path, d.Name()):
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		licensed = licensed || rel == "LICENSE"
		return add(z, prefix+filepath.ToSlash(rel), path)
	})
	if license := filepath.Join(root, "LICENSE"); err == nil && !licensed {
		if _, missing := os.Stat(license); missing == nil {
			err = add(z, prefix+"LICENSE", license)
		}
	}
	return errors.Join(err, z.Close(), to.Close())
}

// left reports whether a directory is left out.
func left(path, name string) bool {
	_, nested := os.Stat(filepath.Join(path, "go.mod"))
	return nested == nil || name == "node_modules" || strings.HasPrefix(name, ".")
}

// add stores a file. Compression would only cost time.
func add(z *zip.Writer, name, path string) error {
	from, err := os.Open(path)
	if err != nil {
		return err
	}
	defer from.Close()
	w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
	if err != nil {
		return err
	}
	_, err = io.Copy(w, from)
	return err
}
