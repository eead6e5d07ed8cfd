package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

// starter is the program of commerce-refserver.
//
//go:embed starter.js
var starter []byte

// manifest is a package.json.
type manifest struct {
	Name         string            `json:"name"`
	Version      string            `json:"version"`
	Description  string            `json:"description"`
	License      string            `json:"license"`
	Bin          map[string]string `json:"bin,omitempty"`
	OS           []string          `json:"os,omitempty"`
	CPU          []string          `json:"cpu,omitempty"`
	Engines      map[string]string `json:"engines,omitempty"`
	Dependencies map[string]string `json:"optionalDependencies,omitempty"`
}

const npmName = "commerce-refserver"

// npm returns the names of the platform in Node, and that of its package.
func (t target) npm() (os, cpu, name string) {
	os, cpu = t.os, t.arch
	if os == "windows" {
		os = "win32"
	}
	if cpu == "amd64" {
		cpu = "x64"
	}
	return os, cpu, npmName + "-" + os + "-" + cpu
}

// npmPlatform writes the package with the program for a platform.
func (d *dist) npmPlatform(t target, binary []byte, pages []file) error {
	os, cpu, name := t.npm()
	m := manifest{Name: name, Description: "The program of commerce-refserver for " + t.String(), OS: []string{os}, CPU: []string{cpu}}
	return d.npm(m, append([]file{{"bin/" + t.program(), binary, true}}, pages...))
}

// npmProgram writes the package that users install. It requires those of all platforms as optional ones, of which npm
// installs the one that fits.
func (d *dist) npmProgram(pages []file) error {
	m := manifest{
		Name: npmName, Description: "A commerce platform in memory, against which apps and partners run their tests",
		Bin: map[string]string{npmName: "bin/starter.js"}, Engines: map[string]string{"node": ">=18"}, Dependencies: map[string]string{},
	}
	for _, t := range targets {
		_, _, name := t.npm()
		m.Dependencies[name] = d.version
	}
	return d.npm(m, append([]file{{"bin/starter.js", starter, true}}, pages...))
}

// npm writes a package, as npm pack would.
func (d *dist) npm(m manifest, files []file) error {
	m.Version, m.License = d.version, "Apache-2.0"
	about, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	content, err := tarred("package/", append([]file{{"package.json", append(about, '\n'), false}}, files...))
	if err != nil {
		return err
	}
	return d.write(fmt.Sprintf("%s-%s.tgz", m.Name, m.Version), content)
}
