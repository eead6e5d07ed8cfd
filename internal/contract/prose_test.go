package contract

import (
	"encoding/csv"
	"go/ast"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// passage is a piece of prose that a user reads.
type passage struct {
	file    string
	line    int
	text    string
	failure bool // may be the message of a failed test, which has the form "got …, want …"
}

// habit is a turn of phrase, with the plain English to write. Before the words in except, the phrase is allowed.
type habit struct {
	name, plain   string
	found, except *regexp.Regexp
}

// in returns the places of a text that have the habit. lower is the text in lower case.
func (h habit) in(text, lower string) (all []string) {
	if !mayMatch(h.found, lower) {
		return nil
	}
	for _, at := range h.found.FindAllStringIndex(text, -1) {
		if h.except == nil || !h.except.MatchString(text[at[1]:]) {
			all = append(all, text[at[0]:at[1]])
		}
	}
	return all
}

// habits are turns of phrase that make a reader stop, each with the plain English to write.
var habits = []habit{
	{"want", "require, must be, expect", regexp.MustCompile(`(?i)\bwant(s|ed|ing)?\b`), nil},
	{"tell", "report, return, notify, describe", regexp.MustCompile(`(?i)\b(tells?|told|telling)\b`), nil},
	{"mend", "fix, repair", regexp.MustCompile(`(?i)\bmend(s|ed|ing)?\b`), nil},
	{"anew", "again", regexp.MustCompile(`(?i)\banew\b`), nil},
	{"behind", "after", regexp.MustCompile(`(?i)\bbehind\b`), nil},
	{"beside", "next to, also, with", regexp.MustCompile(`(?i)\bbesides?\b`), nil},
	{"stand for", "mean", regexp.MustCompile(`(?i)\b(stands?|stood|standing) for\b`), nil},
	{"for good", "permanently", regexp.MustCompile(`(?i)\bfor good\b`), nil},
	{"of late", "recently", regexp.MustCompile(`(?i)\bof late\b`), nil},
	{"by itself", "automatically, alone", regexp.MustCompile(`(?i)\bby (itself|themselves)\b`), nil},
	{"all the same", "anyway", regexp.MustCompile(`(?i)\ball the same\b`), nil},
	{"say the same", "equivalent, equal", regexp.MustCompile(`(?i)\bsay(s|ing)? the same\b`), nil},
	{"give up", "cancel, stop, dead-letter", regexp.MustCompile(`(?i)\b(gives?|gave|given|giving) up\b`), nil},
	{"at work on", "processing, handling", regexp.MustCompile(`(?i)\bat work\b`), nil},
	{"go on", "continue", regexp.MustCompile(`(?i)\b(go|goes|went|going) on\b`), nil},
	{"so many", "the number", regexp.MustCompile(`(?i)\bso (many|much) `), regexp.MustCompile(`^(?:that|as)`)},
	{"hear of", "receive, be notified", regexp.MustCompile(`(?i)\b(hears?|heard|hearing) (of|from)\b`), nil},
	{"knows nothing", "has no record of", regexp.MustCompile(`(?i)\bknows? nothing\b`), nil},
	{"what as a noun", "the noun", regexp.MustCompile(`(?i)(?:^|[.;:,] )(And |But |So )?[Ww]hat [^?]*?\b(is|are|was|were|has|have|had|must|may|can|cannot|does|do|did|a|an|the|it|they|no|not|\d+)\b[^?]*?[.;:]`), nil},
	{"those that", "the noun", regexp.MustCompile(`(?i)\b([Tt]hose|[Tt]hat) (that|which|who|whose)\b`), nil},
	{"request of data protection", "privacy request", regexp.MustCompile(`(?i)\brequests? of data protection\b|\bdata protection requests?\b`), nil},
	{"a clause as the subject", "a noun", regexp.MustCompile(`(?i)(?:^|[.,;] (?:and )?)that (?:you|it|they|we) \w+ (?:is|was) `), nil},
	{"a label without a noun", "the noun", regexp.MustCompile(`^(?:[A-Z]\w+ it|(?:May|Can|Does|Is) it \w+\?)$`), nil},
	{"also if", "even if", regexp.MustCompile(`(?i)\balso (if|when)\b`), nil},
	{"some seconds", "a few", regexp.MustCompile(`(?i)\bsome (seconds|minutes|hours|hundred|thousand)\b`), nil},
	{"of one moment", "consistent, point in time", regexp.MustCompile(`(?i)\b(of one|earlier) moment\b`), nil},
	{"nothing that", "no noun", regexp.MustCompile(`(?i)\b[Nn]othing (that|which) `), regexp.MustCompile(`^(?:is lost)`)},
}

// words is how long a sentence may be: in a comment or a text of a program, and on a page for users.
const (
	words       = 32
	wordsOnPage = 25
)

// mostWords returns how long a sentence of a file may be.
func mostWords(file string) int {
	if dir := path.Dir(file); strings.HasSuffix(file, ".md") && (dir == "." || strings.HasSuffix(dir, "/docs")) {
		return wordsOnPage
	}
	return words
}

// Users read plain English: no habit of the list is in what they read, and no sentence is too long to be understood at
// once. testdata/prose.tsv lists exceptions, each with its reason.
func TestProseIsPlain(t *testing.T) {
	except := proseExceptions(t)
	counts := map[string]int{}
	for _, p := range passages(t) {
		lower := strings.ToLower(p.text)
		for _, h := range habits {
			if h.name == "want" && p.failure || h.name == "a label without a noun" && strings.HasPrefix(p.file, "internal/refserver/console/") {
				continue // a button of the console has its noun next to it
			}
			for _, found := range h.in(p.text, lower) {
				if except.allows(p.file, found) {
					continue
				}
				counts[h.name]++
				t.Errorf("%s:%d: %q is the habit %q: write %s", p.file, p.line, found, h.name, h.plain)
			}
		}
		for _, sentence := range sentences(p.text) {
			if n := len(strings.Fields(sentence)); n > mostWords(p.file) && !except.allows(p.file, sentence) {
				counts["long"]++
				t.Errorf("%s:%d: a sentence of %d words: %q", p.file, p.line, n, sentence)
			}
		}
	}
	if len(counts) > 0 {
		t.Logf("by habit: %v", counts)
	}
	for _, e := range except {
		if !e.used {
			t.Errorf("testdata/prose.tsv: %s no longer has %q", e.file, e.text)
		}
	}
}

// sentences splits a text. A heading and a list item are passages of their own, and a cell of a table is a
// sentence. So are a list and what comes before its colon.
func sentences(text string) []string {
	return ends.Split(text, -1)
}

type exception struct {
	file, text string
	used       bool
}

type exceptions []*exception

func (all exceptions) allows(file, found string) bool {
	for _, e := range all {
		if e.file == file && strings.Contains(found, e.text) {
			e.used = true
			return true
		}
	}
	return false
}

func proseExceptions(t *testing.T) (all exceptions) {
	t.Helper()
	f, err := os.Open("testdata/prose.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.FieldsPerRecord, r.LazyQuotes = '\t', 3, true
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		if len(strings.Fields(row[2])) < 3 {
			t.Errorf("testdata/prose.tsv: the exception %q of %s has no reason", row[1], row[0])
		}
		all = append(all, &exception{file: row[0], text: row[1]})
	}
	return all
}

// passages returns the prose of pages, of comments, of the texts that programs print, and of templates.
func passages(t *testing.T) (all []passage) {
	t.Helper()
	kits := map[string]bool{} // packages for tests
	for _, s := range allSources(t) {
		kits[s.dir] = kits[s.dir] || !s.test() && slices.ContainsFunc(s.file.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"testing"` })
	}
	for _, s := range allSources(t) {
		if s.test() {
			continue
		}
		name := s.dir + "/" + s.name
		for _, group := range s.file.Comments {
			all = append(all, paragraphs(name, s.fset.Position(group.Pos()).Line, group.Text())...)
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok {
				return true
			}
			if text, err := strconv.Unquote(lit.Value); err == nil && strings.Contains(text, " ") {
				for _, p := range paragraphs(name, s.fset.Position(lit.Pos()).Line, text) {
					p.failure = kits[s.dir]
					all = append(all, p)
				}
			}
			return true
		})
	}
	for _, page := range pages(t, ".md") {
		all = append(all, paragraphs(page, 1, text(t, page))...)
	}
	for _, page := range pages(t, ".mjs") {
		for i, line := range strings.Split(text(t, page), "\n") {
			for _, quoted := range scripted.FindAllString(line, -1) {
				all = append(all, passage{file: page, line: i + 1, text: quoted})
			}
		}
	}
	for _, page := range pages(t, ".html") {
		open := false
		for i, one := range strings.Split(markup.ReplaceAllStringFunc(text(t, page), newlines), "\n") {
			one = strings.TrimSpace(one)
			switch {
			case one != "" && open:
				all[len(all)-1].text += " " + one
			case one != "":
				all = append(all, passage{file: page, line: i + 1, text: one})
			}
			open = one != ""
		}
	}
	if len(all) < 1000 {
		t.Fatalf("%d passages", len(all))
	}
	return all
}

// newlines returns the line ends of a text.
func newlines(text string) string { return strings.Repeat("\n", strings.Count(text, "\n")) }

// pages returns the files of an extension, without those that a program prints.
func pages(t *testing.T, extension string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
		rel, _ := filepath.Rel(root, p)
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || d.Name() == ".git" || d.Name() == ".bin"):
			return filepath.SkipDir
		case filepath.Ext(p) == extension && rel != "internal/refserver/doctor/transcript.md":
			all = append(all, filepath.ToSlash(rel))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var (
	// scripted are the comments and texts of a script.
	scripted = regexp.MustCompile("// .*|\"[^\"]* [^\"]*\"|'[^']* [^']*'|`[^`]* [^`]*`")
	// markup are the tags, styles and actions of a template.
	markup = regexp.MustCompile(`(?s)<style.*?</style>|<script.*?</script>|<[^>]*>|\{\{.*?\}\}`)
	ends   = regexp.MustCompile(`[.!?:;] +| \| `)
	quoted = regexp.MustCompile("`[^`]*`")
	target = regexp.MustCompile(`\]\([^)]*\)`)
	starts = regexp.MustCompile(`^\s*([-*|#>]|\d+\.|//|BUG)`)
)

// paragraphs joins the lines of each paragraph, list item and row of a table. Code is not prose.
func paragraphs(file string, line int, text string) (all []passage) {
	fenced, open := false, false
	for one := range strings.Lines(text) {
		one = strings.TrimRight(one, " \n")
		switch {
		case strings.HasPrefix(strings.TrimSpace(one), "```"):
			fenced, open = !fenced, false
		case fenced, one == "", strings.HasPrefix(one, "\t"), strings.HasPrefix(one, "    ") && !open:
			open = false
		default:
			plain := target.ReplaceAllString(quoted.ReplaceAllString(one, "`…`"), "]")
			if !open || starts.MatchString(one) {
				all = append(all, passage{file: file, line: line, text: strings.TrimSpace(plain)})
			} else {
				all[len(all)-1].text += " " + strings.TrimSpace(plain)
			}
			open = !strings.HasPrefix(one, "#")
		}
		line++
	}
	return all
}

const mostColumns = 120

func widthOf(line string) int { return len([]rune(strings.ReplaceAll(line, "\t", "    "))) }

// narrow are the packages all of whose test code fits the window, too. In other packages some does not yet.
var narrow = []string{"internal/callback", "webhook"}

// A line of prose fits a window of 120 columns. Tables, links, code and what a program prints may be wider. The test
// code of some packages fits it too.
func TestLinesFit(t *testing.T) {
	wide := func(name string, at int, line string) {
		if n := widthOf(line); n > mostColumns {
			t.Errorf("%s:%d: %d columns", name, at, n)
		}
	}
	elsewhere := map[string]int{}
	for _, s := range allSources(t) {
		at, printed := 0, false
		for line := range strings.Lines(text(t, s.dir+"/"+s.name)) {
			at++
			comment, ok := strings.CutPrefix(strings.TrimSpace(line), "//")
			printed = ok && (printed || s.test() && strings.HasSuffix(comment, "utput:"))
			line = strings.TrimRight(line, "\n")
			switch {
			case strings.Contains(line, "://") || printed:
			case ok && !strings.HasPrefix(comment, "api:"), !ok && s.test() && slices.Contains(narrow, s.dir):
				wide(s.dir+"/"+s.name, at, line)
			case !ok && s.test() && widthOf(line) > mostColumns:
				elsewhere[s.dir]++
			}
		}
	}
	t.Logf("wider lines of test code in other packages: %v", elsewhere)
	for _, page := range pages(t, ".md") {
		if page == skillFile {
			continue // each paragraph is a line, because it is generated
		}
		at, fenced := 0, false
		for line := range strings.Lines(text(t, page)) {
			at++
			if strings.HasPrefix(strings.TrimSpace(line), "```") {
				fenced = !fenced
			}
			if !fenced && !strings.HasPrefix(strings.TrimSpace(line), "|") && !strings.Contains(line, "](") {
				wide(page, at, strings.TrimRight(line, "\n"))
			}
		}
	}
}
