package main

import (
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Limits of the program: what is beyond them belongs into the packages of the SDK.
const (
	mostWiring = 150 // lines
	mostFiles  = 12
	mostLines  = 200 // of a file
)

// purpose are the files about what this app does. In them, wiring is what is between "// wiring" and "// end of
// wiring"; the other files are all wiring.
var purpose = []string{"offer.go", "courier.go", "copies.go", "page.go", "customers.go", "tags.go",
	"demo.go", "today.go"}

// Wiring is every line of code that is not about what this app does. Blank lines, comments, the package clause and
// imports are not counted.
func TestWiringIsShort(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	programs, wiring := 0, 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		programs++
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(source), "\n"); n > mostLines {
			t.Errorf("%s has %d lines, want %d at most", name, n, mostLines)
		}
		n := wiringOf(source, !slices.Contains(purpose, name))
		wiring += n
		t.Logf("%-12s %3d", name, n)
	}
	if programs > mostFiles || programs < 2 {
		t.Errorf("%d files, want %d at most", programs, mostFiles)
	}
	if wiring > mostWiring {
		t.Errorf("%d lines of wiring, want %d at most", wiring, mostWiring)
	}
	t.Logf("%d lines of wiring in %d files", wiring, programs)
}

// wiringOf counts the lines of wiring of a file. On says that its first line is wiring.
func wiringOf(source []byte, on bool) int {
	positions := token.NewFileSet()
	file := positions.AddFile("", positions.Base(), len(source))
	var s scanner.Scanner
	s.Init(file, source, nil, scanner.ScanComments)
	lines := map[int]bool{}
	declared := false // the imports are over
	for {
		at, kind, text := s.Scan()
		switch {
		case kind == token.EOF:
			return len(lines)
		case kind == token.COMMENT && text == "// wiring":
			on = true
		case kind == token.COMMENT && text == "// end of wiring":
			on = false
		case kind == token.FUNC || kind == token.VAR || kind == token.CONST || kind == token.TYPE:
			declared = true
		}
		if declared && on && kind != token.COMMENT && text != "\n" { // a semicolon that the scanner added
			first := file.Line(at)
			for i := range 1 + strings.Count(text, "\n") {
				lines[first+i] = true
			}
		}
	}
}

// The count itself: a statement over two lines is two, a text over two lines too.
func TestWiringOf(t *testing.T) {
	const source = `// Package x is not counted.
package x

import (
	"fmt"
)

// f is not counted.
func f() {
	fmt.Println(1, // one
		2)

	// wiring
	fmt.Println(` + "`a\nb`" + `)
	// end of wiring

	// end
}
`
	if got := wiringOf([]byte(source), false); got != 2 {
		t.Errorf("between the marks: %d lines, want 2", got)
	}
	if got := wiringOf([]byte(source), true); got != 5 {
		t.Errorf("from the beginning: %d lines, want 5", got)
	}
}
