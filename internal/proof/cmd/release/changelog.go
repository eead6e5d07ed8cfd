package main

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

const (
	changelogFile = "CHANGELOG.md"
	unreleased    = "Unreleased"
	dateLayout    = "2006-01-02"
)

// heading is the first line of a section: ## [0.1.0] - 2026-11-21.
var heading = regexp.MustCompile(`^## \[([^\]]+)\](?: - (\S+))?$`)

// changelog is a file in the format of Keep a Changelog.
type changelog struct {
	before   string // the first section
	sections []section
}

// section is what has changed in a version. The newest is first.
type section struct {
	name string // Unreleased or 0.1.0
	date string // as it is written: 2026-11-21 or Unreleased; empty if there is none
	body string
}

func parseChangelog(text string) (c changelog) {
	for line := range strings.Lines(text) {
		m := heading.FindStringSubmatch(strings.TrimRight(line, "\n"))
		switch last := len(c.sections) - 1; {
		case m != nil:
			c.sections = append(c.sections, section{name: m[1], date: m[2]})
		case last < 0:
			c.before += line
		default:
			c.sections[last].body += line
		}
	}
	return c
}

func (c changelog) String() string {
	var b strings.Builder
	b.WriteString(c.before)
	for i, s := range c.sections {
		b.WriteString("## [" + s.name + "]")
		if s.date != "" {
			b.WriteString(" - " + s.date)
		}
		b.WriteString("\n")
		if body := strings.Trim(s.body, "\n"); body != "" {
			b.WriteString("\n" + body + "\n")
		}
		if i < len(c.sections)-1 {
			b.WriteString("\n")
		}
	}
	return b.String()
}

// entries reports whether a section lists a change.
func (s section) entries() bool { return strings.Contains("\n"+s.body, "\n- ") }

// at returns the index of a section, or -1.
func (c changelog) at(name string) int {
	return slices.IndexFunc(c.sections, func(s section) bool { return s.name == name })
}

// dated moves what is under Unreleased into the section of a version, and gives that section its date. A section of that
// version which exists is that of a first release, or was prepared earlier for a release that did not happen. The
// entries are merged.
func (c changelog) dated(name string, today time.Time) (changelog, error) {
	c.sections = slices.Clone(c.sections)
	from, to := c.at(unreleased), c.at(name)
	if from < 0 || !c.sections[from].entries() {
		if to < 0 || !c.sections[to].entries() {
			return c, fmt.Errorf("%s: section [%s] is empty: a release must list a change; add one", changelogFile, unreleased)
		}
		if day, err := time.Parse(dateLayout, c.sections[to].date); err != nil || day.After(today) {
			c.sections[to].date = today.Format(dateLayout)
		}
		return c, nil
	}
	body := c.sections[from].body
	c.sections[from].body = ""
	if to < 0 {
		to = from + 1
		c.sections = slices.Insert(c.sections, to, section{name: name})
	} else {
		body = merge(body, c.sections[to].body)
	}
	c.sections[to].body, c.sections[to].date = body, today.Format(dateLayout)
	return c, nil
}

// merge adds the groups of an older section (### Added) to those of a newer one.
func merge(newer, older string) string {
	names, bodies := groups(newer)
	also, rest := groups(older)
	for i, name := range also {
		at := slices.Index(names, name)
		if at < 0 {
			names, bodies = append(names, name), append(bodies, rest[i])
			continue
		}
		bodies[at] = strings.Trim(strings.TrimRight(bodies[at], "\n")+"\n"+strings.TrimLeft(rest[i], "\n"), "\n")
	}
	var b strings.Builder
	for i, name := range names {
		if name != "" {
			b.WriteString(name + "\n\n")
		}
		if body := strings.Trim(bodies[i], "\n"); body != "" {
			b.WriteString(body + "\n\n")
		}
	}
	return b.String()
}

// groups splits a section before each line that begins with ###. The first group has no name.
func groups(body string) (names, bodies []string) {
	names, bodies = []string{""}, []string{""}
	for line := range strings.Lines(body) {
		if strings.HasPrefix(line, "### ") {
			names, bodies = append(names, strings.TrimRight(line, "\n")), append(bodies, "")
			continue
		}
		bodies[len(bodies)-1] += line
	}
	return names, bodies
}

// checkChangelog reports a changelog without a dated section of the version, and changes that are in none.
func (r *release) checkChangelog(context.Context) error {
	text, err := r.read(changelogFile)
	if err != nil {
		return err
	}
	c := parseChangelog(text)
	name, prepare := strings.TrimPrefix(r.version, "v"), "run release -prepare "+r.version
	if at := c.at(unreleased); at >= 0 && c.sections[at].entries() {
		r.report(changelogFile, "["+unreleased+"]", "must have no entries, because they would be in no release", prepare)
	}
	at := c.at(name)
	if at < 0 {
		r.report(changelogFile, "["+name+"]", "missing: a release must have a section", prepare)
		return nil
	}
	s := c.sections[at]
	if !s.entries() {
		r.report(changelogFile, "["+name+"]", "must have entries", "list the changes")
	}
	if slices.ContainsFunc(c.sections[:at], func(s section) bool { return s.name != unreleased }) {
		r.report(changelogFile, "["+name+"]", "must be the first section after ["+unreleased+"]", "move it")
	}
	if day, err := time.Parse(dateLayout, s.date); err != nil || day.After(r.today) {
		r.report(changelogFile, fmt.Sprintf("[%s] - %s", name, s.date), "must have its date, such as "+r.today.Format(dateLayout)+", which is not in the future", prepare)
	}
	return nil
}
