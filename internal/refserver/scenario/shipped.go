package scenario

import (
	"embed"
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
