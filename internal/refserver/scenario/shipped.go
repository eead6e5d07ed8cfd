package scenario

import (
	"embed"
	"io/fs"
	"path"
	"slices"
	"strings"
)

//go:embed shipped/*.json
var embedded embed.FS

// Schema is the JSON Schema of the files.
//
//go:embed schema.json
var Schema string

// Files are the scenarios that ship.
func Files() fs.FS {
	sub, err := fs.Sub(embedded, "shipped")
	if err != nil {
		panic(err) // the directory is embedded above
	}
	return sub
}

// Shipped returns the scenarios that ship, by name.
func Shipped() ([]Scenario, error) { return Read(Files()) }

// Read returns the scenarios in a file system, by name.
func Read(files fs.FS) (out []Scenario, err error) {
	names, err := fs.Glob(files, "*.json")
	slices.Sort(names)
	for _, name := range names {
		raw, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		s, err := Parse(name, raw)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, err
}

// Named returns the scenario that ships under a name, or the names of all.
func Named(name string) (s Scenario, ok bool, all []string, err error) {
	shipped, err := Shipped()
	for _, one := range shipped {
		all = append(all, one.Name)
		if one.Name == strings.TrimSuffix(path.Base(name), ".json") {
			s, ok = one, true
		}
	}
	return s, ok, all, err
}
