package contract

import (
	"regexp"
	"strings"
	"testing"
)

// spelled is the name of a symbol in a text: the package, a symbol, and a member of it. Each page leaves out parts.
var spelled = regexp.MustCompile(`(?:\b([a-z][a-z0-9]+)\.)?\b([A-Z]\w*)(?:\.([A-Z]\w*))?`)

// A symbol that a page names exists: a symbol of a package, and a member of a type, which may be one of an embedded
// type.
func TestPagesNameSymbolsThatExist(t *testing.T) {
	packages, symbolsOf, types, members := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, s := range allSources(t) {
		if s.test() || !public(s.dir) {
			continue
		}
		pkg := s.file.Name.Name
		packages[pkg] = true
		for _, sym := range symbols(s.file) {
			symbol, member, _ := strings.Cut(sym.name, ".")
			if sym.kind == "type" {
				types[symbol] = true
			}
			if member == "" {
				symbolsOf[pkg+"."+symbol] = true
			}
			members[member] = true
			members[symbol+"."+member] = true
		}
	}
	named := 0
	for _, page := range append(guides(t), "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md") {
		for _, span := range inline.FindAllString(fences.ReplaceAllString(text(t, page), ""), -1) {
			for _, m := range spelled.FindAllStringSubmatch(span, -1) {
				pkg, symbol, member := m[1], m[2], m[3]
				if packages[pkg] {
					if named++; !symbolsOf[pkg+"."+symbol] {
						t.Errorf("%s names %s.%s, which does not exist", page, pkg, symbol)
					}
				}
				if types[symbol] && member != "" && (pkg == "" || packages[pkg]) {
					if named++; !members[symbol+"."+member] {
						t.Errorf("%s names %s.%s, which does not exist", page, symbol, member)
					}
				}
			}
		}
	}
	if named < 500 {
		t.Errorf("the pages name %d symbols", named)
	}
}
