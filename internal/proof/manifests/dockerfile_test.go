package manifests

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/compose-spec/compose-go/v2/types"
)

// instructions returns what a Dockerfile says after each word, in order. It knows what our file uses.
func instructions(text string) map[string][]string {
	all := map[string][]string{}
	text = regexp.MustCompile(`(?m)^#.*\n`).ReplaceAllString(text, "")
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", "")) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		all[word] = append(all[word], strings.Join(strings.Fields(rest), " "))
	}
	return all
}

// userOf returns the number of the user, 0 if it has none.
func userOf(dockerfile string) int64 {
	user, _, _ := strings.Cut(first(instructions(dockerfile)["USER"]), ":")
	n, _ := strconv.ParseInt(user, 10, 64)
	return n
}

// compareDockerfile returns what does not fit in the Dockerfile, which compose.yaml builds for a container.
func compareDockerfile(text string, b *types.BuildConfig, c *container) (f findings) {
	all := instructions(text)
	context := b.Context
	if _, err := os.Stat(filepath.Join(context, b.Dockerfile)); err != nil || filepath.Base(b.Dockerfile) != dockerfile {
		f.add("%s: there is no %s in %s", c.name, b.Dockerfile, context)
	}
	folder := strings.TrimPrefix(slices.Concat(all["WORKDIR"], []string{""})[max(0, len(all["WORKDIR"])-1)], "/src/")
	source, err := os.ReadFile(filepath.Join(context, folder, "go.mod"))
	if err != nil {
		f.add("Dockerfile: %v", err)
	}
	want := first(submatches(`(?m)^go (\d+\.\d+)`, string(source)))
	f.check(want != "" && first(submatches(`golang:(\d+\.\d+)(?:@\S+)? AS build`, first(all["FROM"]))) == want,
		"Dockerfile: %q, and go.mod has Go %s", first(all["FROM"]), want)
	f.check(len(all["FROM"]) == 2 && regexp.MustCompile(`/static-debian\d+(@sha256:[0-9a-f]{64})?$`).MatchString(all["FROM"][1]),
		"Dockerfile: %q: want two stages of known versions", all["FROM"])
	f.check(userOf(text) > 0, "Dockerfile: the user is root, or has no number")
	f.check(len(all["RUN"]) == 1 && strings.Contains(first(all["RUN"]), "CGO_ENABLED=0 "),
		"Dockerfile: the program needs a library of C")
	f.check(strings.Contains(first(all["RUN"]), " GOWORK=off "), "Dockerfile: go.work decides what is built")
	built := first(submatches(` -o (\S+) \.$`, first(all["RUN"])))
	copied := strings.Fields(slices.Concat(all["COPY"], []string{"", ""})[1])
	f.check(len(copied) == 3 && copied[1] == built, "Dockerfile: %q is built, and %q copied", built, copied)
	f.check(len(copied) == 3 && first(all["ENTRYPOINT"]) == `["`+copied[2]+`"]`,
		"Dockerfile: the entry point is %q", all["ENTRYPOINT"])
	f.check(":"+first(all["EXPOSE"]) == c.flag("listen"),
		"Dockerfile: port %q, and -listen is %q", all["EXPOSE"], c.flag("listen"))
	return f
}

// submatches returns the first group of each match.
func submatches(expression, in string) (found []string) {
	for _, m := range regexp.MustCompile(expression).FindAllStringSubmatch(in, -1) {
		found = append(found, m[1])
	}
	return found
}

// first returns the first of texts, "" if there is none.
func first(all []string) string { return slices.Concat(all, []string{""})[0] }
