package scenario

import (
	"embed"
	"errors"
	"io/fs"
	"slices"
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

// Named returns the scenarios with the names; all if there are none.
func Named(all []Scenario, names []string) (out []Scenario, err error) {
	if len(all) == 0 {
		return nil, errors.New("there is no file *.json")
	}
	if len(names) == 0 {
		return all, nil
	}
	var known []string
	for _, s := range all {
		known = append(known, s.Name)
	}
	for _, name := range names {
		i := slices.Index(known, name)
		if i < 0 {
			return nil, unknown("scenario", name, known)
		}
		out = append(out, all[i])
	}
	return out, nil
}

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
