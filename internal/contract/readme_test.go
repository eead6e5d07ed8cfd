package contract

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// README is read in one sitting, and a word that a newcomer searches for leads to its page.
func TestReadmeIsShort(t *testing.T) {
	readme := text(t, "README.md")
	if lines := strings.Count(readme, "\n"); lines > 150 {
		t.Errorf("README has %d lines, want at most 150", lines)
	}
	for _, word := range []string{
		"GDPR", "session", "middleware", "OpenTelemetry", "graceful shutdown", "Docker", "pagination", "retry", "idempotency",
		"multi-tenant", "Kubernetes", "rate limit",
	} {
		linked := regexp.MustCompile(`(?im)^.*\b` + word + `\b.*\]\([^)]+\).*$`)
		if !linked.MatchString(readme) {
			t.Errorf("README has no line with %q and a link", word)
		}
	}
	for _, page := range guides(t) {
		if !strings.Contains(readme, "("+page+")") {
			t.Errorf("README does not link to %s", page)
		}
	}
	dirs := map[string]bool{}
	for _, s := range allSources(t) {
		if public(s.dir) && !s.test() && s.file.Name.Name != "main" {
			dirs[s.dir] = true
		}
	}
	for dir := range dirs {
		if !strings.Contains(readme, "("+dir+")") {
			t.Errorf("README does not link to package %s", dir)
		}
	}
}

// A page is read in one sitting, too.
func TestPagesAreShort(t *testing.T) {
	for page, most := range map[string]int{
		"CONTRIBUTING.md": 1800, "webhook/docs/runbook.md": 1500, "webhook/docs/settings.md": 1500, "webhook/docs/sqlite.md": 1500,
		"webhook/docs/postgres.md": 1500, "webhook/docs/production.md": 1500, "webhook/docs/scale.md": 1200,
	} {
		if n := len(strings.Fields(text(t, page))); n > most {
			t.Errorf("%s has %d words, want at most %d", page, n, most)
		}
	}
}

// guides are the pages that explain packages to users.
func guides(t *testing.T) (all []string) {
	t.Helper()
	for _, page := range pages(t, ".md") {
		if dir := path.Dir(page); dir == "client/docs" || dir == "webhook/docs" {
			all = append(all, page)
		}
	}
	if len(all) < 10 {
		t.Fatalf("found the pages %q", all)
	}
	return all
}

// Every test that README and the pages about guarantees and tests name exists, in the package that they name.
func TestReadmeNamesTestsThatExist(t *testing.T) {
	known, named := tests(t), map[string]int{}
	test := regexp.MustCompile("`((?:Test|Fuzz)[A-Za-z0-9]+)`")
	for _, page := range []string{"README.md", "client/docs/guarantees.md", "client/docs/reference-server.md"} {
		for line := range strings.Lines(text(t, page)) {
			for part := range strings.SplitSeq(line, ";") {
				_, dir, _ := strings.Cut(part, "` in ")
				dir, _, _ = strings.Cut(dir, " ")
				for _, m := range test.FindAllStringSubmatch(part, -1) {
					if named[page]++; !known[dir+"."+m[1]] {
						t.Errorf("%s names %s in %q, which does not exist", page, m[1], dir)
					}
				}
			}
		}
	}
	if named["README.md"] < 10 || named["client/docs/guarantees.md"] < 60 || named["client/docs/reference-server.md"] < 30 {
		t.Errorf("the pages name these numbers of tests: %v", named)
	}
}

// What README promises is in the complete table, with the same tests.
func TestReadmeGuaranteesAreInTheTable(t *testing.T) {
	_, short, _ := strings.Cut(text(t, "README.md"), "\n## What is guaranteed\n")
	short, _, _ = strings.Cut(short, "\n## ")
	all := text(t, "client/docs/guarantees.md")
	names := firsts("`(Test[A-Za-z0-9]+)`", short)
	for _, name := range names {
		if !strings.Contains(all, "`"+name+"`") {
			t.Errorf("README names %s, which guarantees.md does not", name)
		}
	}
	if len(names) < 10 {
		t.Errorf("README names %d tests of guarantees", len(names))
	}
}

var (
	link    = regexp.MustCompile(`\]\(([^)#\s]*)(?:#([^)\s]*))?\)`)
	fences  = regexp.MustCompile("(?s)```.*?```")
	inline  = regexp.MustCompile("`[^`\n]*`")
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
)

// Every link of a page leads to a file or directory that exists, and to a heading that the page has.
func TestLinksLeadSomewhere(t *testing.T) {
	links, headings := 0, 0
	for _, page := range pages(t, ".md") {
		for _, m := range link.FindAllStringSubmatch(inline.ReplaceAllString(fences.ReplaceAllString(text(t, page), ""), ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			links++
			to := page
			if m[1] != "" {
				to = path.Join(path.Dir(page), m[1])
			}
			if _, err := os.Stat(filepath.Join(root, to)); err != nil {
				t.Errorf("%s links to %s: %v", page, m[1], err)
				continue
			}
			if m[2] == "" {
				continue
			}
			if headings++; !strings.HasSuffix(to, ".md") || !slices.Contains(anchors(text(t, to)), m[2]) {
				t.Errorf("%s links to the heading #%s, which %s does not have", page, m[2], to)
			}
		}
	}
	if links < 150 || headings < 20 {
		t.Errorf("found %d links, %d of them to headings", links, headings)
	}
}

// anchors returns the names of the headings of a page, as a browser shows them.
func anchors(page string) (all []string) {
	for _, m := range heading.FindAllStringSubmatch(fences.ReplaceAllString(page, ""), -1) {
		name := strings.Map(func(r rune) rune {
			switch {
			case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '_':
				return r
			case r == ' ':
				return '-'
			}
			return -1
		}, strings.ToLower(link.ReplaceAllString(m[1], "")))
		all = append(all, name)
	}
	return all
}

// A target or a command that a page shows exists.
func TestPagesNameCommandsThatExist(t *testing.T) {
	helped := firsts(`(?m)^([a-z-]+):.*## `, text(t, "Makefile"))
	verbs, programs := []string{"serve", "help"}, 0
	for _, s := range allSources(t) {
		if s.dir == "internal/cmd/refserver" {
			verbs = append(verbs, firsts(`\bname: "([a-z]+)", +(?:args|most|does|least)`, text(t, s.dir+"/"+s.name))...)
		}
	}
	for _, page := range append(guides(t), "README.md") {
		in := text(t, page)
		for _, target := range firsts("(?m)(?:`|^)make ([a-z-]+)", in) {
			if !slices.Contains(helped, target) {
				t.Errorf("%s names make %s, which make help does not list", page, target)
			}
		}
		for _, dir := range firsts(`go run \./([a-z/]+)`, in) {
			programs++
			if _, err := os.Stat(filepath.Join(root, dir, "main.go")); err != nil {
				t.Errorf("%s runs %s: %v", page, dir, err)
			}
		}
		for _, verb := range firsts("(?m)(?:`|^)refserver ([a-z]+)", in) {
			if !slices.Contains(verbs, verb) {
				t.Errorf("%s names refserver %s, which is none of %q", page, verb, verbs)
			}
		}
	}
	if programs < 3 {
		t.Errorf("the pages run %d programs", programs)
	}
}
